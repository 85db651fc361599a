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
// Everything below writes here: nothing waits in between, and what is done is copied out.
let room = Buffer.allocUnsafe(1 << 16)
let end = 0
let hasNull = false

function arrayOf<Row>({ oid, write }: Column<Row>, rows: readonly Row[]): Buffer {
  end = HEAD_BYTES
  hasNull = false
  for (const row of rows) write(row)
  room.writeInt32BE(rows.length === 0 ? 0 : 1, 0)
  room.writeInt32BE(hasNull ? 1 : 0, 4)
  room.writeInt32BE(oid, 8)
  room.writeInt32BE(rows.length, 12)
  room.writeInt32BE(1, 16)
  return Buffer.from(room.subarray(0, rows.length === 0 ? 12 : end))
}

function reserve(size: number): void {
  if (end + size <= room.length) return
  const larger = Buffer.allocUnsafe(2 * (end + size))
  room.copy(larger, 0, 0, end)
  room = larger
}

function writeNull(): void {
  reserve(4)
  end = room.writeInt32BE(-1, end)
  hasNull = true
}

function writeInt8(value: bigint | number | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  reserve(12)
  end = room.writeInt32BE(8, end)
  if (typeof value === 'number') writeWide(value)
  else end = room.writeBigInt64BE(value, end)
}

const HALF = 2 ** 32

/** A whole number that is exact as a double. */
function writeWide(value: number): void {
  end = room.writeInt32BE(Math.floor(value / HALF), end)
  end = room.writeUInt32BE(value >>> 0, end)
}

function writeInt4(value: number | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  reserve(8)
  end = room.writeInt32BE(4, end)
  end = room.writeInt32BE(value, end)
}

function writeBool(value: boolean): void {
  reserve(5)
  end = room.writeInt32BE(1, end)
  end = room.writeUInt8(value ? 1 : 0, end)
}

function writeText(value: string | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  // No character takes more than three bytes for each of its code units.
  reserve(4 + 3 * value.length)
  const size = room.write(value, end + 4, 'utf8')
  room.writeInt32BE(size, end)
  end += 4 + size
}

function writeBytes(value: Buffer | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  reserve(4 + value.length)
  room.writeInt32BE(value.length, end)
  end += 4 + value.copy(room, end + 4)
}

const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

function writeTime(value: Date | undefined): void {
  if (value === undefined) {
    writeNull()
    return
  }
  reserve(12)
  end = room.writeInt32BE(8, end)
  writeWide((value.getTime() - EPOCH_MS) * 1000)
}

function dayNumber(value: string): number {
  return (Date.parse(`${value}T00:00:00Z`) - EPOCH_MS) / DAY_MS
}
