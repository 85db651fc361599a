// A row of a real payment, split at the values that differ between orders. The columns are read from the database, so
// that a new column needs no change here.
import type pg from 'pg'
import { copyOut } from './copy.ts'

/** The values that differ between orders. */
export type Seeded = {
  /** The shop whose template is used. */
  readonly shop: number
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly notificationId: string
  readonly at: Date
}

export type Paid = Pick<Seeded, 'merNo' | 'merOrderNo' | 'tradeNo'>

type Part = string | ((order: Seeded) => string)
export type RowTemplate = readonly Part[]

/** The tables in which a payment has its own rows, and the column with its number. */
const tables: Readonly<Record<string, string>> = {
  orders: 'trade_no',
  order_details: 'trade_no',
  order_dues: 'trade_no',
  bookings: 'subject',
  notifications: 'trade_no',
}

const DAY_MS = 86_400_000

export async function readTemplates(client: pg.Client, paid: Paid): Promise<Map<string, RowTemplate[]>> {
  const createdAt = await creationOf(client, paid)
  const templates = new Map<string, RowTemplate[]>()
  for (const [table, key] of Object.entries(tables)) {
    const columns = await columnsOf(client, table)
    const query = `select * from ${table} where mer_no = ${paid.merNo} and ${key} = '${paid.tradeNo}'`
    const lines = await copyOut(client, query)
    if (lines.length === 0) throw new Error(`a payment left no row in ${table}`)
    templates.set(
      table,
      lines.map((line) => cut(line, columns, paid, createdAt)),
    )
  }
  return templates
}

export function renderLine(template: RowTemplate, order: Seeded): string {
  let line = ''
  for (const part of template) line += typeof part === 'string' ? part : part(order)
  return line
}

type Column = { readonly name: string; readonly type: string }

async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )
  return rows
}

async function creationOf(client: pg.Client, { merNo, tradeNo }: Paid): Promise<Date> {
  const { rows } = await client.query<{ created_at: Date }>(
    'select created_at from orders where mer_no = $1 and trade_no = $2',
    [merNo, tradeNo],
  )
  const at = rows[0]?.created_at
  if (at === undefined) throw new Error(`the order ${tradeNo} is not there`)
  return at
}

function cut(line: string, columns: readonly Column[], paid: Paid, createdAt: Date): RowTemplate {
  const parts: Part[] = []
  for (const [at, value] of line.split('\t').entries()) {
    const column = columns[at]
    if (column === undefined) throw new Error('a row has more columns than its table')
    if (at > 0) parts.push('\t')
    parts.push(...cutValue(value, column, paid, createdAt))
  }
  return joined([...parts, '\n'])
}

function cutValue(value: string, { name, type }: Column, paid: Paid, createdAt: Date): Part[] {
  if (value === '\\N') return [value]
  if (name === 'mer_no') return [(order) => String(order.merNo)]
  if (name === 'notification_id') return [(order) => order.notificationId]
  if (type === 'date') return [(order) => order.at.toISOString().slice(0, 10)]
  if (type === 'timestamp with time zone') return [shifted(new Date(value), createdAt)]
  return value.split(new RegExp(`(${paid.tradeNo}|${paid.merOrderNo})`)).map((text) => {
    if (text === paid.tradeNo) return (order: Seeded) => order.tradeNo
    return text === paid.merOrderNo ? (order: Seeded) => order.merOrderNo : text
  })
}

/**
 * Returns a time that is as long after the order's creation as in the template. A time at the start of a day (UTC)
 * stays at the start of a day, as many days after the creation.
 */
function shifted(value: Date, createdAt: Date): Part {
  const isStartOfDay = value.getTime() % DAY_MS === 0
  const origin = (at: Date) => at.getTime() - (isStartOfDay ? at.getTime() % DAY_MS : 0)
  const afterMs = value.getTime() - origin(createdAt)
  return ({ at }) => new Date(origin(at) + afterMs).toISOString()
}

/** Joins neighbouring constant texts. */
function joined(parts: readonly Part[]): RowTemplate {
  const result: Part[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part
    else result.push(part)
  }
  return result
}
