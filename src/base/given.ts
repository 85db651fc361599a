// Lists go to PostgreSQL as one binary array a column, and come out there as rows. A statement so has the same text, and
// one plan, for one row and for hundreds, and the server parses no text: reading JSON took a quarter of its time.
//
// The types are PostgreSQL's own, by the numbers that never change. https://www.postgresql.org/docs/current/protocol-overview.html

/** How one column of a list is read from a row and written for the server. */
export type Column<Row> = {
  readonly type: string
  readonly oid: number
  readonly write: (row: Row) => void
}

export type Given<Row> = {
  /** For `from`: the list as a table. */
  readonly text: string
  /** The parameter behind its columns. */
  readonly next: string
  values(rows: readonly Row[]): Buffer[]
}

/** `$1`, `$2` … are its columns, beginning with `first`. */
export function given<Row>(columns: Readonly<Record<string, Column<Row>>>, first = 1): Given<Row> {
  const all = Object.values(columns)
  const lists = Object.entries(columns).map(([name, { type }], at) => {
    return `unnest($${first + at}::${type}[]) as ${name}`
  })
  return {
    text: `(select ${lists.join(', ')}) as g`,
    next: `$${first + all.length}`,
    values: (rows) => all.map((column) => arrayOf(column, rows)),
  }
}

export function int8<Row>(of: (row: Row) => bigint | number | undefined): Column<Row> {
  return { type: 'int8', oid: 20, write: (row) => writeInt8(of(row)) }
}

/** Also for smallint columns. */
export function int4<Row>(of: (row: Row) => number | undefined): Column<Row> {
  return { type: 'int4', oid: 23, write: (row) => writeInt4(of(row)) }
}

export function text<Row>(of: (row: Row) => string | undefined): Column<Row> {
  return { type: 'text', oid: 25, write: (row) => writeText(of(row)) }
}

export function bool<Row>(of: (row: Row) => boolean): Column<Row> {
  return { type: 'bool', oid: 16, write: (row) => writeBool(of(row)) }
}

export function bytes<Row>(of: (row: Row) => Buffer | undefined): Column<Row> {
  return { type: 'bytea', oid: 17, write: (row) => writeBytes(of(row)) }
}

export function time<Row>(of: (row: Row) => Date | undefined): Column<Row> {
  return { type: 'timestamptz', oid: 1184, write: (row) => writeTime(of(row)) }
}

/** Written like 2026-11-15. */
export function day<Row>(of: (row: Row) => string): Column<Row> {
  return { type: 'date', oid: 1082, write: (row) => writeInt4(dayNumber(of(row))) }
}

const HEAD_BYTES = 20
const NULL_SIZE = -1
// Everything below writes here: nothing waits in between, and what is done is copied out. Bytes are put one by one, because
// Buffer's own methods check their arguments each time, which takes longer than the writing.
let room = Buffer.allocUnsafe(1 << 16)
let end = 0
let hasNull = false

function arrayOf<Row>({ oid, write }: Column<Row>, rows: readonly Row[]): Buffer {
  end = HEAD_BYTES
  hasNull = false
  for (const row of rows) write(row)
  const bytes = rows.length === 0 ? HEAD_BYTES - 8 : end
  end = 0
  putInt4(rows.length === 0 ? 0 : 1)
  putInt4(hasNull ? 1 : 0)
  putInt4(oid)
  putInt4(rows.length)
  putInt4(1)
  return Buffer.from(room.subarray(0, bytes))
}

function reserve(size: number): void {
  if (end + size <= room.length) return
  const larger = Buffer.allocUnsafe(2 * (end + size))
  room.copy(larger, 0, 0, end)
  room = larger
}

function putInt4(value: number): void {
  room[end++] = value >>> 24
  room[end++] = value >>> 16
  room[end++] = value >>> 8
  room[end++] = value
}

const HALF = 2 ** 32

/** A whole number that is exact as a double. */
function putInt8(value: number): void {
  putInt4(Math.floor(value / HALF))
  putInt4(value)
}

function writeNull(): void {
  reserve(4)
  putInt4(NULL_SIZE)
  hasNull = true
}

function writeInt8(value: bigint | number | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  reserve(12)
  putInt4(8)
  const number = Number(value)
  if (Number.isSafeInteger(number)) putInt8(number)
  else end = room.writeBigInt64BE(BigInt(value), end)
}

function writeInt4(value: number | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  if (value !== (value | 0)) throw new RangeError(`${value} is not an integer of four bytes`)
  reserve(8)
  putInt4(4)
  putInt4(value)
}

function writeBool(value: boolean): void {
  reserve(5)
  putInt4(1)
  room[end++] = value ? 1 : 0
}

const SHORT = 64

function writeText(value: string | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  // No character takes more than three bytes for each of its code units.
  reserve(4 + 3 * value.length)
  const size = (value.length <= SHORT && putAscii(value)) || room.write(value, end + 4, 'utf8')
  putInt4(size)
  end += size
}

/** Behind the place of its size; 0 when it is no ASCII. Crossing over to native code takes longer than a short text. */
function putAscii(value: string): number {
  let at = end + 4
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code > 127) return 0
    room[at++] = code
  }
  return value.length
}

function writeBytes(value: Buffer | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  reserve(4 + value.length)
  putInt4(value.length)
  end += value.copy(room, end)
}

const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

function writeTime(value: Date | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  reserve(12)
  putInt4(8)
  putInt8((value.getTime() - EPOCH_MS) * 1000)
}

function dayNumber(value: string): number {
  return (Date.parse(`${value}T00:00:00Z`) - EPOCH_MS) / DAY_MS
}
