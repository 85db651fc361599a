// A list as PostgreSQL's binary array. The plain way is the library's text (`List.toArray`), which the server must parse.
// The types are PostgreSQL's own, by the numbers that never change. https://www.postgresql.org/docs/current/protocol-overview.html
import { type Column, checkInt4, checkInt8, type List } from '../lists.ts'
import { Packet } from './packet.ts'

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

/** For a statement that the library sends. */
export function arrayBytes<Row>(list: List<Row>): Buffer {
  spare.end = 0
  putArray(spare, list)
  return Buffer.from(spare.written())
}

/** A loop for each type: the only call that differs from row to row is the column's own. */
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

function dayNumber(value: string): number {
  return (Date.parse(`${value}T00:00:00Z`) - EPOCH_MS) / DAY_MS
}
