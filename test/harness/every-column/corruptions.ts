// Corrupts one row of a table, column by column, with plausible values, and deletes or copies rows. Foreign keys and
// triggers are off, as a superuser or a migration can switch them off. `tryChange` rolls every corruption back. Other
// constraints may refuse a corruption.

import { type Books, verifyBooks } from '../../../src/money/audit/verify-books.ts'
import { systemClock } from '../../../src/platform/base/clock.ts'
import type { Db, Tx } from '../../../src/platform/postgres/db.ts'
import { type Covered, placeOf } from './tables.ts'

export type Column = {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly nullable: boolean
  /** The values that a check of the table allows in this column; empty if no check lists values. */
  readonly allowed: readonly string[]
  /** The place in the primary key; null outside of it. */
  readonly place: number | null
}

export async function columnsOf(db: Db): Promise<Column[]> {
  return db.query<Column>({
    text: `
      select c.table_name as table, c.column_name as column, format_type(a.atttypid, a.atttypmod) as type,
        not a.attnotnull as nullable, coalesce(allowed.list, '{}') as allowed,
        array_position(key.conkey, a.attnum) as place
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      join pg_attribute a on a.attrelid = format('%I.%I', table_schema, table_name)::regclass and a.attname = c.column_name
      left join pg_constraint key on key.conrelid = a.attrelid and key.contype = 'p'
      left join lateral (
        select array_agg(distinct m[1]) as list from pg_constraint k,
          regexp_matches(pg_get_constraintdef(k.oid), '^CHECK \\(\\((\\w+) = ANY \\((ARRAY\\[.*?\\])\\)\\)\\)$') of,
          regexp_matches(of[2], '''([^'']*)''::text', 'g') m
        where k.conrelid = a.attrelid and k.contype = 'c' and of[1] = c.column_name
      ) allowed on true
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      order by c.table_name, c.ordinal_position`,
  })
}

/** A row to corrupt: the first one of its kind. */
type Row = { readonly ctid: string; readonly kind: string; readonly names: readonly string[] }

export function rowsOf(tx: Tx, columns: readonly Column[], how: Covered): Promise<Row[]> {
  const { kind = `''`, names = [] } = how
  const ids = [...ID_COLUMNS.map((id) => `to_jsonb(t) ->> '${id}'`), ...names]
  return tx.query<Row>({
    text: `
      select distinct on (kind) t.ctid::text as ctid, (${kind})::text as kind,
        array_remove(array[${ids.join(', ')}]::text[], null) as names
      from ${tableOf(columns)} t order by kind, ${fixtureOrder(columns, how).join(', ')}`,
  })
}

const tableOf = (columns: readonly Column[]) => columns[0]?.table ?? ''

/**
 * Returns the order in which the fixture wrote the rows `t`, as a list of SQL expressions. The place of a row on disk
 * is no such order: it depends on the updates of other rows, and on when the server vacuums a page. Merchants that have
 * a row of their own have a random number, so their rows come last.
 */
function fixtureOrder(columns: readonly Column[], { first = [] }: Covered): string[] {
  const has = (column: string) => columns.some((one) => one.column === column)
  const key = columns.filter(({ place }) => place !== null)
  return [
    ...first,
    ...(has('trade_no') ? [placeOf('t.trade_no')] : []),
    ...(has('mer_no') ? ['t.mer_no in (select m.mer_no from merchants m)'] : []),
    ...key.sort((a, b) => (a.place ?? 0) - (b.place ?? 0)).map(({ column }) => `t."${column}"`),
  ]
}

/**
 * Stores the place of each order in the sequence of the fixture. Orders of one transaction have a counter in their
 * number.
 */
export const placeOrders = `
  create temporary table order_places on commit drop as
  select trade_no, row_number() over (order by made_in, length(mer_order_no), mer_order_no) as place from orders`

/** The columns whose values name a row in a finding. */
const ID_COLUMNS = [
  ...[
    'trade_no',
    'refund_no',
    'chargeback_id',
    'suspense_id',
    'subject',
    'line_no',
    'reference',
    'statement_id',
  ],
  ...[
    'approval_id',
    'link_id',
    'bulk_id',
    'run_id',
    'notification_id',
    'evidence_id',
    'file_id',
    'deposit_ref',
  ],
  ...['account', 'period', 'local_day', 'name', 'number', 'mer_order_no', 'dispute_ref', 'token_id', 'key'],
  'beneficiary_id',
]

const namesOf = (row: string) =>
  `array_remove(array[${ID_COLUMNS.map((id) => `to_jsonb(${row}) ->> '${id}'`).join(', ')}], null) as names`

/** A corruption. The statement returns no row if it does not apply to the row `$1`. */
export type Change = { readonly what: string; readonly text: string }

type NewValue = { readonly what: string /** SQL. */; readonly value: string }

function newValues(columns: readonly Column[], { column, type, allowed }: Column, how: Covered): NewValue[] {
  const quoted = `"${column}"`
  const to = (...values: readonly string[]) => values.map((value) => ({ what: `= ${value}`, value }))
  const given = how.values?.[column]
  if (given !== undefined) return to(...given)
  if (allowed.length > 0) return to(...allowed.map((value) => `'${value}'`))
  if (/(^|_)currency$/.test(column)) return to(`case ${quoted} when 'USD' then 'EUR' else 'USD' end`)
  if (/^numeric/.test(type)) return to(`${quoted} * 1.01`)
  switch (type) {
    case 'bigint':
    case 'integer':
    case 'smallint':
      return to(`${quoted} + 1`)
    case 'timestamp with time zone':
      return to(`${quoted} + interval '40 days'`)
    case 'date':
      return to(`${quoted} + 40`)
    case 'boolean':
      return to(`not ${quoted}`)
    case 'bigint[]':
      return to(`array[${quoted}[1] + 1] || ${quoted}[2:]`)
    case 'json':
    case 'jsonb':
      return to(`'{}'`)
    case 'bytea':
      return to(`'\\x00'`)
    case 'text':
      return [
        { what: '= the first other value', value: valueOfOther(columns, column, how, 'asc') },
        { what: '= the last other value', value: valueOfOther(columns, column, how, 'desc') },
      ].map(({ what, value }) => ({ what, value: `coalesce(${value}, ${quoted} || 'x')` }))
    default:
      throw new Error(`${tableOf(columns)}.${column}: there is no corruption of the type ${type}`)
  }
}

/** Returns another value of the column: of the first or the last row of the fixture that has one. */
function valueOfOther(columns: readonly Column[], column: string, how: Covered, from: string): string {
  const order = fixtureOrder(columns, how).map((one) => `${one} ${from}`)
  return `(select t."${column}" from ${tableOf(columns)} t where t."${column}" <> own."${column}"
    order by ${order.join(', ')} limit 1)`
}

/** Returns the changes of one column of the row `$1`. A change that does not apply changes no row. */
export function changesOf(columns: readonly Column[], column: Column, how: Covered): Change[] {
  const { table, column: name, nullable } = column
  const set = (what: string, value: string, when: string) => ({
    what: `${name} ${what}`,
    text: `update ${table} own set "${name}" = ${value} where ctid = $1::tid and ${when} returning ${namesOf('own')}`,
  })
  const compared = `"${name}"::text is distinct from`
  const others = `from ${table} t where t."${name}" is not null`
  return [
    ...newValues(columns, column, how).map(({ what, value }) =>
      set(what, value, `"${name}" is not null and ${compared} (${value})::text`),
    ),
    ...(nullable
      ? [
          set('emptied', 'null', `"${name}" is not null`),
          set(
            'filled',
            `(select t."${name}" ${others} order by ${fixtureOrder(columns, how).join(', ')} limit 1)`,
            `"${name}" is null and exists (select ${others})`,
          ),
        ]
      : []),
  ]
}

/** Returns the changes of a whole row: it is deleted, or copied under another key. */
export function rowChanges(columns: readonly Column[], { copy }: Covered): Change[] {
  const table = tableOf(columns)
  const last = columns.filter(({ place }) => place !== null).sort((a, b) => (b.place ?? 0) - (a.place ?? 0))
  const changed = columns.filter(({ column }) => (copy ?? [last[0]?.column]).includes(column))
  const others = changed.map((one) => `'${one.column}', ${otherKey(one)}`).join(', ')
  const names = namesOf('t')
  return [
    { what: 'deleted', text: `delete from ${table} t where ctid = $1::tid returning ${names}` },
    {
      what: 'copied',
      text: `insert into ${table} as t
        select (jsonb_populate_record(null::${table}, to_jsonb(o) || jsonb_build_object(${others}))).* from ${table} o
        where ctid = $1::tid returning ${names}`,
    },
  ]
}

function otherKey({ column, type }: Column): string {
  if (type === 'text')
    return `left(o."${column}", -1) || case right(o."${column}", 1) when '7' then '8' else '7' end`
  if (type === 'timestamp with time zone') return `o."${column}" + interval '1 day'`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type === 'boolean') return `not o."${column}"`
  return `o."${column}" + 1`
}

/** The result of a corruption; undefined if the corruption does not apply to the row. */
export type Result = 'found' | 'refused' | 'not found' | undefined

/**
 * Changes the row, runs the audit, and rolls the change back. `see` receives the name of each check that found
 * something.
 */
export async function tryChange(
  tx: Tx,
  row: Row,
  change: Change,
  see: (check: string) => void,
): Promise<Result> {
  await tx.query({ text: 'savepoint before_change' })
  try {
    const [changed] = await tx.query<{ names: string[] }>({ text: change.text, values: [row.ctid] })
    if (changed === undefined) return undefined
    const books = await verifyBooks({ db: within(tx), clock: systemClock })
    for (const { check } of books.findings) see(check)
    const names = [...row.names, ...changed.names].filter((name) => name !== '')
    return isNamed(names, books) ? 'found' : 'not found'
  } catch (error) {
    if (isRefusal(error)) return 'refused'
    throw error
  } finally {
    await tx.query({ text: 'rollback to savepoint before_change' })
  }
}

/** Returns a database whose transactions are parts of an open transaction, so that the audit sees its changes. */
function within(tx: Tx): Db {
  const query: Tx['query'] = async (statement) =>
    statement.text.startsWith('set transaction') ? [] : tx.query(statement)
  const refuse = () => {
    throw new Error('the audit needs one transaction only')
  }
  return {
    query,
    transaction: (work) => work({ ...tx, query }),
    atOnce: refuse,
    listen: refuse,
    onOutage: refuse,
    close: refuse,
  }
}

/** The codes of PostgreSQL for violations of checks, unique keys and not-null constraints. */
const refusals = ['23514', '23505', '23502']

export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && refusals.includes(String(error.code))
}

/** True if a finding or a difference names the row or its order. */
function isNamed(names: readonly string[], { findings, differences }: Books): boolean {
  const subjects = [
    ...findings.map(({ subject }) => subject),
    ...differences.map(({ account, currency }) => `${account} ${currency}`),
  ]
  return subjects.some((subject) => names.some((name) => subject.includes(name)))
}

/**
 * Turns triggers and foreign keys off. A test sets this once per transaction, because after each change the server
 * plans all statements again.
 */
export const withoutTriggers = `set local session_replication_role = 'replica'`
