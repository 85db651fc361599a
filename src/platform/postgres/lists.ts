// Lists as parameters: one array per column, which the statement reads as rows (`listOf`) or as an array (`arrayOf`). A
// statement has the same text and plan for one row and for hundreds. See docs/decisions/0004-plain-sql.md.

/** A column of a list. An undefined value is stored as null. */
export type Column<Row> = {
  /** The type that the statement casts an element to. */
  readonly cast?: string
} & ColumnType<Row>

type ColumnType<Row> =
  | { readonly type: 'int8'; readonly of: (row: Row) => bigint | number | undefined }
  | { readonly type: 'int4'; readonly of: (row: Row) => number | undefined }
  | { readonly type: 'text'; readonly of: (row: Row) => string | undefined }
  | { readonly type: 'bool'; readonly of: (row: Row) => boolean | undefined }
  | { readonly type: 'json'; readonly of: (row: Row) => string | undefined }
  | { readonly type: 'bytea'; readonly of: (row: Row) => Buffer | undefined }
  | { readonly type: 'timestamptz'; readonly of: (row: Row) => Date | undefined }
  | { readonly type: 'date'; readonly of: (row: Row) => string }

export type RowList<Row> = {
  /** The list as a table, for the `from` clause. */
  readonly text: string
  /** The first parameter after the columns of the list. */
  readonly next: string
  values(rows: readonly Row[]): List<Row>[]
}

/** Describes a list. Its columns are the parameters `$<first>`, `$<first + 1>` … */
export function listOf<Row>(columns: Readonly<Record<string, Column<Row>>>, first = 1): RowList<Row> {
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

export type Positioned<Row> = Row & { readonly first: number; readonly last: number }

/**
 * Adds `first` and `last` to each row: the positions of its elements in the combined list of the elements of all rows.
 * Positions start at 1.
 */
export function withPositions<Row>(rows: readonly Row[], lengthOf: (row: Row) => number): Positioned<Row>[] {
  let last = 0
  return rows.map((row) => {
    const first = last + 1
    last += lengthOf(row)
    return { ...row, first, last }
  })
}

export type ArrayParameter<Value> = {
  /** The parameter, for `= any (…)` and `<> all (…)`. */
  readonly text: string
  value(list: readonly Value[]): List<Value>
}

/** Returns a list of single values as the parameter `$<at>`: `arrayOf(text<string>(itself), 2)`. */
export function arrayOf<Value>(column: Column<Value>, at = 1): ArrayParameter<Value> {
  return { text: `$${at}::${column.type}[]`, value: (list) => new List(column, list) }
}

export function itself<Value>(value: Value): Value {
  return value
}

export class List<Row> {
  readonly column: Column<Row>
  readonly rows: readonly Row[]

  constructor(column: Column<Row>, rows: readonly Row[]) {
    this.column = column
    this.rows = rows
  }

  /** The library writes this array in PostgreSQL's text format. The fast path writes binary arrays instead. */
  toArray(): unknown[] {
    const { column, rows } = this
    if (column.type === 'int4') return rows.map((row) => checkInt4(column.of(row)))
    if (column.type === 'int8') return rows.map((row) => checkInt8(column.of(row)))
    return rows.map((row) => column.of(row))
  }
}

export function int8<Row>(of: (row: Row) => bigint | number | undefined): Column<Row> {
  return { type: 'int8', of }
}

/** A column of type integer or smallint. */
export function int4<Row>(of: (row: Row) => number | undefined): Column<Row> {
  return { type: 'int4', of }
}

export function text<Row>(of: (row: Row) => string | undefined): Column<Row> {
  return { type: 'text', of }
}

/** A decimal of any precision, such as 0.0125. */
export function numeric<Row>(of: (row: Row) => string | undefined): Column<Row> {
  return { type: 'text', of, cast: 'numeric' }
}

export function json<Row>(of: (row: Row) => unknown): Column<Row> {
  const document = (row: Row) => {
    const value = of(row)
    return value === undefined ? undefined : JSON.stringify(value)
  }
  return { type: 'json', of: document }
}

export function bool<Row>(of: (row: Row) => boolean | undefined): Column<Row> {
  return { type: 'bool', of }
}

export function bytes<Row>(of: (row: Row) => Buffer | undefined): Column<Row> {
  return { type: 'bytea', of }
}

export function time<Row>(of: (row: Row) => Date | undefined): Column<Row> {
  return { type: 'timestamptz', of }
}

/** A date as YYYY-MM-DD. */
export function day<Row>(of: (row: Row) => string): Column<Row> {
  return { type: 'date', of }
}

export function checkInt4(value: number | undefined): number | undefined {
  if (value === undefined || value === (value | 0)) return value
  throw new RangeError(`${value} is not an integer of four bytes`)
}

export function checkInt8(value: bigint | number | undefined): bigint | number | undefined {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value)
    throw new RangeError('an integer of more than eight bytes')
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`${value} is not a whole number, or not exact`)
  return value
}

/** The text of a parameter, for `Db.atOnce`. Other types are refused: null would be stored as the text "null". */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  const found = value === null ? 'null' : typeof value
  throw new TypeError(`a parameter must be a text, a number or a boolean, not ${found}`)
}
