// Fills a database with orders as payments leave them. One real payment per shop goes through the gateway. Its rows are
// the template for all other orders, which get their own numbers, ids and times. Sums are computed at the end, so that
// the ledger verifies. The worker's function for milestones is called directly, because the worker itself would also
// deliver and settle everything.
//
// The first shop has most of the orders. Queries that must not slow down with a merchant's history are sent for this
// shop.
import pg from 'pg'
import { committedBefore } from '../src/money/order-queries/as-of.ts'
import { addMilestones } from '../src/money/order-queries/milestones.ts'
import { lostCalls } from '../src/money/orders/compact-sql.ts'
import { makeId } from '../src/platform/base/id.ts'
import { sweep } from '../src/platform/postgres/sweep.ts'
import { type Account as Caller, call, cardBody } from '../test/harness/client.ts'
import { copyIn } from './copy.ts'
import type { GatewayUnderTest, Shape } from './gateway-under-test.ts'
import { type RowTemplate, readTemplates, renderLine, type Seeded } from './row-template.ts'
import type { Session } from './session.ts'
import { orderNumber, type Shop } from './shop.ts'

const BATCH = 20_000
const DAYS = 90
const DAY_MS = 86_400_000
const FIRST_SHOP_SHARE = 0.8
const SEED_PREFIX = 'seed'

type Seeding = { readonly orders: number; readonly notifyUrl: string }

/** Starts a gateway with this many orders in its database. */
export async function seeded(
  session: Session,
  { name, shape, orders }: { readonly name: string; readonly shape: Shape; readonly orders: number },
): Promise<GatewayUnderTest> {
  const gateway = await session.start({ name, shape })
  process.stderr.write(`loading ${orders} orders\n`)
  await seed(gateway, { orders, notifyUrl: session.notifyUrl })
  return gateway
}

async function seed(gateway: GatewayUnderTest, seeding: Seeding): Promise<void> {
  const client = new pg.Client({ connectionString: gateway.databaseUrl })
  await client.connect()
  const templates = await makeTemplates(client, gateway, seeding.notifyUrl)
  const endsAt = Date.now()
  for (let first = 0; first < seeding.orders; first += BATCH) {
    const count = Math.min(BATCH, seeding.orders - first)
    const orders = Array.from({ length: count }, (_, at) => {
      const share = (first + at) / seeding.orders
      return orderAt(gateway.shops, first + at, new Date(endsAt - (1 - share) * DAYS * DAY_MS))
    })
    for (const table of templates.keys()) await copyIn(client, table, linesOf(templates, table, orders))
  }
  for (const statement of sums) await client.query(statement)
  await sweep(gateway.books.db, lostCalls)
  await addMilestones(gateway.books.db, committedBefore({ at: new Date() }))
  await client.query('vacuum (analyze)')
  await client.end()
}

/** The number of the n-th seeded order, so that queries need no list of the seeded orders. */
export function seededNumber(count: number): string {
  return orderNumber(SEED_PREFIX, count)
}

export function isFirstShops(count: number): boolean {
  return count % 10 < FIRST_SHOP_SHARE * 10
}

function orderAt(shops: readonly Shop[], count: number, at: Date): Seeded {
  const shop = isFirstShops(count) ? 0 : 1 + (count % (shops.length - 1))
  const merNo = shops[shop]?.merNo ?? 0
  return {
    shop,
    merNo,
    at,
    tradeNo: makeId('T', merNo, at),
    merOrderNo: seededNumber(count),
    notificationId: makeId('N', merNo, at),
  }
}

/** The templates, by table and by shop within it. */
type Templates = ReadonlyMap<string, readonly (readonly RowTemplate[])[]>

async function makeTemplates(
  client: pg.Client,
  gateway: GatewayUnderTest,
  notifyUrl: string,
): Promise<Templates> {
  const templates = new Map<string, (readonly RowTemplate[])[]>()
  for (const shop of gateway.shops) {
    const paid = await payOnce(gateway, shop, notifyUrl)
    for (const [table, lines] of await readTemplates(client, paid)) {
      templates.set(table, [...(templates.get(table) ?? []), lines])
    }
  }
  return templates
}

async function payOnce({ nodes }: GatewayUnderTest, shop: Shop, notifyUrl: string) {
  const caller: Caller = { ...shop, baseUrl: `http://127.0.0.1:${nodes[0]?.port}` }
  const merOrderNo = `template-${shop.merNo}`
  const reply = await call(caller, '/payment', cardBody(caller, { merOrderNo, notifyUrl }))
  if (reply.data.payCode !== 0)
    throw new Error(`a payment to copy from failed: ${reply.code} ${reply.message}`)
  return { merNo: shop.merNo, merOrderNo, tradeNo: String(reply.data.tradeNo) }
}

function* linesOf(templates: Templates, table: string, orders: readonly Seeded[]): Generator<string> {
  const byShop = templates.get(table) ?? []
  for (const order of orders) {
    for (const template of byShop[order.shop] ?? []) yield renderLine(template, order)
  }
}

const sums: readonly string[] = [
  'delete from balance_deltas',
  'delete from balance_sums',
  `insert into balance_sums (mer_no, account, currency, debits, credits)
   select mer_no, account, currency, sum(debits), sum(credits) from (
     select mer_no, debit as account, currency, amount as debits, 0 as credits from ledger_entries
     union all
     select mer_no, credit, currency, 0, amount from ledger_entries) sides
   group by mer_no, account, currency`,
  'delete from limit_usage where mer_no > 0',
  `insert into limit_usage (mer_no, method, period, used)
   select mer_no, '', period, sum(usd_value)
   from orders, lateral (values (local_day::text), (to_char(local_day, 'YYYY-MM'))) as p (period)
   group by mer_no, period`,
  'delete from order_total_deltas',
  'delete from order_totals',
  `insert into order_totals (
     mer_no, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount)
   select
     mer_no, local_day, state, currency, settle_currency, settled_at is not null,
     count(*), sum(amount), sum(settle_amount)
   from orders where kind = 'payment' and state <> 1
   group by mer_no, local_day, state, currency, settle_currency, settled_at is not null`,
]
