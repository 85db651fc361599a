// Lists of rows as parameters: one array a column, which the statement turns into rows again. A statement so has the same
// text, and one plan, for one row and for hundreds.

/** One column of a list: its type in PostgreSQL, and its value in each row. Undefined stands for null. */
export type Column<Row> =
  | { readonly type: 'int8'; readonly of: (row: Row) => bigint | number | undefined }
  | { readonly type: 'int4'; readonly of: (row: Row) => number | undefined }
  | { readonly type: 'text'; readonly of: (row: Row) => string | undefined }
  | { readonly type: 'bool'; readonly of: (row: Row) => boolean }
  | { readonly type: 'bytea'; readonly of: (row: Row) => Buffer | undefined }
  | { readonly type: 'timestamptz'; readonly of: (row: Row) => Date | undefined }
  | { readonly type: 'date'; readonly of: (row: Row) => string }

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
  const lists = Object.entries(columns).map(([name, { type }], at) => {
    return `unnest($${first + at}::${type}[]) as ${name}`
  })
  return {
    text: `(select ${lists.join(', ')}) as g`,
    next: `$${first + all.length}`,
    values: (rows) => all.map((column) => new List(column, rows)),
  }
}

/** One column of the rows. */
export class List<Row> {
  readonly column: Column<Row>
  readonly rows: readonly Row[]

  constructor(column: Column<Row>, rows: readonly Row[]) {
    this.column = column
    this.rows = rows
  }

  /** The plain way: the library writes an array as PostgreSQL's text. */
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

/** Also for smallint columns. */
export function int4<Row>(of: (row: Row) => number | undefined): Column<Row> {
  return { type: 'int4', of }
}

export function text<Row>(of: (row: Row) => string | undefined): Column<Row> {
  return { type: 'text', of }
}

export function bool<Row>(of: (row: Row) => boolean): Column<Row> {
  return { type: 'bool', of }
}

export function bytes<Row>(of: (row: Row) => Buffer | undefined): Column<Row> {
  return { type: 'bytea', of }
}

export function time<Row>(of: (row: Row) => Date | undefined): Column<Row> {
  return { type: 'timestamptz', of }
}

/** Written like 2026-11-15. */
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

/** A parameter of `Db.atOnce` that is no list. Others have no one text: null would be stored as a word. */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  const found = value === null ? 'null' : typeof value
  throw new TypeError(`a parameter must be a text, a number or a boolean, not ${found}`)
}
