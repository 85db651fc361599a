// The report of a failure: the command that repeats the run and, for the first findings, the history and the rows of
// the order.
import type { Finding } from './check.ts'
import { withBigints } from './history.ts'
import type { Found } from './run.ts'
import type { World } from './world/world.ts'

const MOST_FINDINGS = 5
const MOST_ENTRIES = 60
const MOST_DETAIL = 300
const MOST_ROW = 600

/** The tables that describe an order. All of them have the columns `mer_no` and `trade_no`. */
const tables: readonly string[] = [
  'orders',
  'attempts',
  'order_events',
  'deposits',
  'suspense',
  'refunds',
  'chargebacks',
  'payouts',
  'reviews',
  'notifications',
]
const hidden = new Set(['sealed', 'details', 'made_in', 'card_fingerprint'])

export async function printFailure(world: World, found: readonly Found[], replay: string): Promise<void> {
  console.log(`\nRepeat it: ${replay}`)
  console.log(`Logs, history and the counterparties' books: ${world.folder}`)
  for (const finding of found.slice(0, MOST_FINDINGS)) {
    console.log(`\nround ${finding.round}, ${finding.check}: ${finding.what} ${finding.about}`)
    await printStory(world, finding).catch((error: unknown) =>
      console.log(`  its rows cannot be read: ${error}`),
    )
  }
  if (found.length > MOST_FINDINGS) console.log(`\n… and ${found.length - MOST_FINDINGS} more findings`)
}

async function printStory(world: World, { about, rows }: Finding): Promise<void> {
  if (rows !== undefined) console.log(`  ${shortened(rows, 2 * MOST_ROW)}`)
  if (about === '') return
  const order = await findOrder(world, about)
  await printHistory(world, order === undefined ? [about] : await subjectsOf(world, order, about))
  if (order !== undefined) await printRows(world, order)
}

async function printHistory({ history }: World, subjects: readonly string[]): Promise<void> {
  const entries = await history.of(subjects)
  if (entries.length > 0) console.log('  History')
  const shown = entries.slice(-MOST_ENTRIES)
  if (entries.length > shown.length)
    console.log(`    … ${entries.length - shown.length} entries before, see the file`)
  for (const { at, what, about, detail } of shown) {
    const text = detail === undefined ? '' : shortened(detail, MOST_DETAIL)
    console.log(`    ${(at / 1000).toFixed(3).padStart(9)} s  ${what}  ${about}  ${text}`.trimEnd())
  }
}

async function printRows({ db }: World, { mer_no, trade_no }: OrderName): Promise<void> {
  const print = (table: string, list: readonly Record<string, unknown>[]) => {
    if (list.length > 0) console.log(`  ${table}`)
    for (const row of list) console.log(`    ${shortened(readable(row), MOST_ROW)}`)
  }
  const values = [mer_no, trade_no]
  for (const table of tables) {
    const text = `select * from ${table} where mer_no = $1 and trade_no = $2`
    print(table, await db.query({ text, values }))
  }
  const text = 'select * from ledger_entries where mer_no = $1 and subject = $2 order by at, step'
  print('ledger_entries', await db.query({ text, values }))
}

type OrderName = { readonly mer_no: bigint; readonly trade_no: string; readonly mer_order_no: string }

/**
 * Finds the order that a finding is about. The finding may name the merchant's order number, the trade number, the
 * number of a refund or notification, or a reference at a channel.
 */
async function findOrder({ db }: World, about: string): Promise<OrderName | undefined> {
  const [order] = await db.query<OrderName>({
    text: `
      select o.mer_no, o.trade_no, o.mer_order_no from orders o
      where o.mer_order_no = $1 or o.trade_no = $1 or o.trade_no = 'T' || substr($1, 2, 26)
        or o.trade_no in (
          select trade_no from refunds where mer_refund_no = $1 or refund_no in ($1, 'R' || substr($1, 2))
          union all select trade_no from payouts where reference = $1
          union all select trade_no from notifications where notification_id = $1
        )
      limit 1`,
    values: [about],
  })
  return order
}

/** The names under which the history may contain the order. */
async function subjectsOf({ db }: World, order: OrderName, about: string): Promise<string[]> {
  const refunds = await db.query<{ refund_no: string; mer_refund_no: string | null }>({
    text: 'select refund_no, mer_refund_no from refunds where mer_no = $1 and trade_no = $2',
    values: [order.mer_no, order.trade_no],
  })
  const numbers = refunds.flatMap((row) => [row.refund_no, row.mer_refund_no ?? ''])
  const all = [about, order.mer_order_no, order.trade_no, ...numbers]
  return [...new Set(all)].filter((name) => name !== '')
}

/** Returns the row without empty values, and without the columns in `hidden`. */
function readable(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== null && value !== '' && !hidden.has(name)),
  )
}

function shortened(value: unknown, most: number): string {
  const text = JSON.stringify(value, withBigints) ?? ''
  return text.length <= most ? text : `${text.slice(0, most)}…`
}
