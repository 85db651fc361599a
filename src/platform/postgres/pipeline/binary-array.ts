// Builds packets of messages to PostgreSQL, with lists as binary arrays. The plain implementation is the library's text
// (`List.toArray`), which the server must parse. The type numbers are PostgreSQL's own and never change.
// https://www.postgresql.org/docs/current/protocol-overview.html
import { memoize } from '../../base/memoize.ts'
import { type Column, checkInt4, checkInt8, type List } from '../lists.ts'

const FIRST_BYTES = 1 << 14
const HALF = 2 ** 32
/** The maximum length of a text that is written character by character. */
const SHORT = 12

/**
 * A packet that grows as needed. Numbers are written big-endian with a DataView: Buffer's methods check their
 * arguments, which takes longer than writing.
 */
export class Packet {
  end = 0
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = new DataView(this.#bytes.buffer)

  /** Returns the buffer itself. The next use of the packet overwrites it. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.end)
  }

  putByte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.end++] = value
  }

  putInt2(value: number): void {
    this.#reserve(2)
    this.#view.setInt16(this.end, value)
    this.end += 2
  }

  putInt4(value: number): void {
    this.#reserve(4)
    this.#view.setInt32(this.end, value)
    this.end += 4
  }

  /** The caller must check the range. */
  putInt8(value: bigint | number): void {
    this.#reserve(8)
    if (typeof value === 'bigint') this.#view.setBigInt64(this.end, value)
    else {
      this.#view.setInt32(this.end, Math.floor(value / HALF))
      this.#view.setInt32(this.end + 4, value)
    }
    this.end += 8
  }

  putText(value: string): void {
    // UTF-8 takes at most three bytes per code unit.
    this.#reserve(3 * value.length)
    if (value.length > SHORT || !this.#putAscii(value)) this.end += this.#bytes.write(value, this.end, 'utf8')
  }

  /**
   * Writes an ASCII text. Returns false for any other text. For a short text this takes less than half the time of the
   * native call.
   */
  #putAscii(value: string): boolean {
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code > 0x7f) return false
      this.#bytes[this.end + at] = code
    }
    this.end += value.length
    return true
  }

  putBytes(value: Buffer): void {
    this.#reserve(value.length)
    this.end += value.copy(this.#bytes, this.end)
  }

  /** Reserves four bytes for a size, and returns their position. `putSize` or `putSizeOfAll` fills them in. */
  skipSize(): number {
    this.putInt4(0)
    return this.end - 4
  }

  /** Writes the number of bytes after the four reserved ones at `place`: an element's size does not count itself. */
  putSize(place: number): void {
    this.#view.setInt32(place, this.end - place - 4)
  }

  /** Writes the number of bytes since `place`, including the four reserved ones: a message's size counts itself. */
  putSizeOfAll(place: number): void {
    this.#view.setInt32(place, this.end - place)
  }

  #reserve(size: number): void {
    if (this.end + size <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.end + size))
    this.#bytes.copy(larger, 0, 0, this.end)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}

const oids = {
  int8: 20,
  int4: 23,
  text: 25,
  json: 114,
  bool: 16,
  bytea: 17,
  timestamptz: 1184,
  date: 1082,
} as const

const MAY_HOLD_NULLS = 1
const NULL_SIZE = -1
const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

export function putArray<Row>(packet: Packet, { column, rows }: List<Row>): void {
  packet.putInt4(rows.length === 0 ? 0 : 1)
  packet.putInt4(MAY_HOLD_NULLS)
  packet.putInt4(oids[column.type])
  if (rows.length === 0) return
  packet.putInt4(rows.length)
  packet.putInt4(1)
  putElements(packet, column, rows)
}

const spare = new Packet()

/** Returns the array's bytes, for statements that the library sends. */
export function arrayBytes<Row>(list: List<Row>): Buffer {
  spare.end = 0
  putArray(spare, list)
  return Buffer.from(spare.written())
}

/** Writes the elements. Each type has its own loop: a row costs one call to the column's function and no dispatch. */
function putElements<Row>(packet: Packet, column: Column<Row>, rows: readonly Row[]): void {
  switch (column.type) {
    case 'int8':
      for (const row of rows) putInt8(packet, column.of(row))
      return
    case 'int4':
      for (const row of rows) putInt4(packet, column.of(row))
      return
    case 'text':
    case 'json':
      for (const row of rows) putText(packet, column.of(row))
      return
    case 'bool':
      for (const row of rows) putBool(packet, column.of(row))
      return
    case 'bytea':
      for (const row of rows) putBytes(packet, column.of(row))
      return
    case 'timestamptz':
      for (const row of rows) putTime(packet, column.of(row))
      return
    case 'date':
      for (const row of rows) putInt4(packet, dayNumber(column.of(row)))
  }
}

function putInt8(packet: Packet, value: bigint | number | undefined): void {
  const checked = checkInt8(value)
  if (checked === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(8)
    packet.putInt8(checked)
  }
}

function putInt4(packet: Packet, value: number | undefined): void {
  const checked = checkInt4(value)
  if (checked === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(4)
    packet.putInt4(checked)
  }
}

function putText(packet: Packet, value: string | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    const place = packet.skipSize()
    packet.putText(value)
    packet.putSize(place)
  }
}

function putBool(packet: Packet, value: boolean | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(1)
    packet.putByte(value ? 1 : 0)
  }
}

function putBytes(packet: Packet, value: Buffer | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(value.length)
    packet.putBytes(value)
  }
}

function putTime(packet: Packet, value: Date | undefined): void {
  putInt8(packet, value && (value.getTime() - EPOCH_MS) * 1000)
}

/** Days since 2000-01-01, cached because most rows have the date of today. */
const dayNumber = memoize(100, (value) => (Date.parse(`${value}T00:00:00Z`) - EPOCH_MS) / DAY_MS)
