// The one way in which a list goes to PostgreSQL: one binary array per column, which the statement reads as rows (`given`) or
// as an array (`givenArray`). A statement has the same text and one plan for one row and for hundreds, and the server
// parses no text: reading JSON took a quarter of its time.
//
// The types are PostgreSQL's own, by the numbers that never change. https://www.postgresql.org/docs/current/protocol-overview.html
import { Packet } from './pipeline/packet.ts'

/** How one column of a list is read from its rows and written for the server. */
export type Column<Row> = {
  /** The type of the array's elements. */
  readonly type: string
  readonly oid: number
  /** What the statement makes of an element, if that is another type. */
  readonly cast?: string
  readonly put: (packet: Packet, rows: readonly Row[]) => void
}

export type Given<Row> = {
  /** For `from`: the list as a table. */
  readonly text: string
  /** The parameter behind its columns. */
  readonly next: string
  values(rows: readonly Row[]): List<Row>[]
}

/** `$1`, `$2` … are its columns, beginning with `first`. */
export function given<Row>(columns: Readonly<Record<string, Column<Row>>>, first = 1): Given<Row> {
  const all = Object.values(columns)
  const lists = Object.entries(columns).map(([name, { type, cast }], at) => {
    const list = `unnest($${first + at}::${type}[])`
    return `${cast === undefined ? list : `${list}::${cast}`} as ${name}`
  })
  return {
    text: `(select ${lists.join(', ')}) as g`,
    next: `$${first + all.length}`,
    values: (rows) => all.map((column) => new List(column, rows)),
  }
}

export type GivenArray<Value> = {
  /** For `= any (…)` and `<> all (…)`. */
  readonly text: string
  value(list: readonly Value[]): List<Value>
}

/** A list of single values as the parameter `$<at>`: `givenArray(text<string>(itself), 2)`. */
export function givenArray<Value>(column: Column<Value>, at = 1): GivenArray<Value> {
  return { text: `$${at}::${column.type}[]`, value: (list) => new List(column, list) }
}

export function itself<Value>(value: Value): Value {
  return value
}

/** One column of the rows, written where it is sent from: nothing in between holds a copy. */
export class List<Row> {
  readonly #column: Column<Row>
  readonly #rows: readonly Row[]

  constructor(column: Column<Row>, rows: readonly Row[]) {
    this.#column = column
    this.#rows = rows
  }

  putInto(packet: Packet): void {
    const { length } = this.#rows
    packet.putInt4(length === 0 ? 0 : 1)
    packet.putInt4(MAY_HOLD_NULLS)
    packet.putInt4(this.#column.oid)
    if (length === 0) return
    packet.putInt4(length)
    packet.putInt4(1)
    this.#column.put(packet, this.#rows)
  }

  /** Called by the library when it sends the statement itself. */
  toPostgres(): Buffer {
    spare.end = 0
    this.putInto(spare)
    return Buffer.from(spare.written())
  }
}

const spare = new Packet()

const MAY_HOLD_NULLS = 1
const NULL_SIZE = -1

// Each type has its own loop over the rows, so that a value costs one call: that of its reader.

export function int8<Row>(of: (row: Row) => bigint | number | undefined): Column<Row> {
  const put = (packet: Packet, rows: readonly Row[]) => {
    for (const row of rows) putInt8(packet, of(row))
  }
  return { type: 'int8', oid: 20, put }
}

/** Also for smallint columns. */
export function int4<Row>(of: (row: Row) => number | undefined): Column<Row> {
  const put = (packet: Packet, rows: readonly Row[]) => {
    for (const row of rows) putInt4(packet, of(row))
  }
  return { type: 'int4', oid: 23, put }
}

export function text<Row>(of: (row: Row) => string | undefined): Column<Row> {
  const put = (packet: Packet, rows: readonly Row[]) => {
    for (const row of rows) putText(packet, of(row))
  }
  return { type: 'text', oid: 25, put }
}

/** A decimal, written as text: like 0.0125, at any precision. */
export function numeric<Row>(of: (row: Row) => string | undefined): Column<Row> {
  return { ...text(of), cast: 'numeric' }
}

/** A value that becomes a JSON document. */
export function json<Row>(of: (row: Row) => unknown): Column<Row> {
  const document = (row: Row) => {
    const value = of(row)
    return value === undefined ? undefined : JSON.stringify(value)
  }
  return { ...text(document), type: 'json', oid: 114 }
}

export function bool<Row>(of: (row: Row) => boolean | undefined): Column<Row> {
  const put = (packet: Packet, rows: readonly Row[]) => {
    for (const row of rows) putBool(packet, of(row))
  }
  return { type: 'bool', oid: 16, put }
}

export function bytes<Row>(of: (row: Row) => Buffer | undefined): Column<Row> {
  const put = (packet: Packet, rows: readonly Row[]) => {
    for (const row of rows) putBytes(packet, of(row))
  }
  return { type: 'bytea', oid: 17, put }
}

export function time<Row>(of: (row: Row) => Date | undefined): Column<Row> {
  const put = (packet: Packet, rows: readonly Row[]) => {
    for (const row of rows) putTime(packet, of(row))
  }
  return { type: 'timestamptz', oid: 1184, put }
}

/** Written like 2026-11-15. */
export function day<Row>(of: (row: Row) => string): Column<Row> {
  const put = (packet: Packet, rows: readonly Row[]) => {
    for (const row of rows) putInt4(packet, dayNumber(of(row)))
  }
  return { type: 'date', oid: 1082, put }
}

function putBool(packet: Packet, value: boolean | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(1)
    packet.putByte(value ? 1 : 0)
  }
}

function putInt8(packet: Packet, value: bigint | number | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(8)
    packet.putInt8(value)
  }
}

function putInt4(packet: Packet, value: number | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    if (value !== (value | 0)) throw new RangeError(`${value} is not an integer of four bytes`)
    packet.putInt4(4)
    packet.putInt4(value)
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

function putBytes(packet: Packet, value: Buffer | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(value.length)
    packet.putBytes(value)
  }
}

const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

function putTime(packet: Packet, value: Date | undefined): void {
  if (value === undefined) packet.putInt4(NULL_SIZE)
  else {
    packet.putInt4(8)
    packet.putInt8((value.getTime() - EPOCH_MS) * 1000)
  }
}

let lastDay = '2000-01-01'
let lastNumber = 0

/** The days of one batch are nearly all the same. */
function dayNumber(value: string): number {
  if (value !== lastDay) {
    lastNumber = (Date.parse(`${value}T00:00:00Z`) - EPOCH_MS) / DAY_MS
    lastDay = value
  }
  return lastNumber
}
