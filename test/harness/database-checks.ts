// The invariants of the database, whatever happened to the gateways. The checks use only the tables.
import assert from 'node:assert/strict'
import type { Db } from '../../src/platform/postgres/db.ts'
import { assertMoneySound } from '../builders/paid-orders.ts'

export async function countOrders(db: Db): Promise<number> {
  const [row] = await db.query<{ orders: number }>({ text: 'select count(*)::int as orders from orders' })
  return row?.orders ?? 0
}

/** Counts the attempts whose outcome is unknown. Attempts that wait for their payer do not count. */
export async function countOpen(db: Db): Promise<number> {
  const [row] = await db.query<{ open: number }>({
    text: `select count(*)::int as open from attempts where state in ('calling', 'unknown')`,
  })
  return row?.open ?? 0
}

export type OrderSnapshot = {
  readonly state: number
  readonly payments: number
  readonly notifications: number
  readonly changes: number
  readonly attempts: number
}

/**
 * Returns the state of one order, and the numbers of its payment entries, notifications, changes of state and attempts.
 */
export async function orderSnapshot(db: Db, tradeNo: unknown): Promise<OrderSnapshot | undefined> {
  const [row] = await db.query<OrderSnapshot>({
    text: `select state,
        (select count(*)::int from ledger_entries where subject = trade_no and step = 'payment') as payments,
        (select count(*)::int from notifications n where n.trade_no = o.trade_no) as notifications,
        (select count(*)::int from order_events e where e.trade_no = o.trade_no) as changes,
        (select count(*)::int from attempts a where a.trade_no = o.trade_no) as attempts
      from orders o where trade_no = $1`,
    values: [tradeNo],
  })
  return row
}

export const PAID: OrderSnapshot = { state: 5, payments: 1, notifications: 1, changes: 1, attempts: 1 }
export const DECLINED: OrderSnapshot = { state: 6, payments: 0, notifications: 1, changes: 1, attempts: 1 }
export const CANCELLED: OrderSnapshot = { ...DECLINED, state: 7 }
export const WAITING: OrderSnapshot = { state: 1, payments: 0, notifications: 0, changes: 0, attempts: 1 }

/**
 * Checks that the books pass the audit, and that the merchant was notified once of every decided order, and once more
 * of a payout that came back.
 */
export async function assertSound(db: Db): Promise<void> {
  await assertMoneySound(db)
  assert.deepEqual(await db.query({ text: wronglyNotified }), [])
}

const wronglyNotified = `
  select o.trade_no, o.state from orders o
  where (o.state <> 1)::int <> (
    select count(*) from notifications n where n.mer_no = o.mer_no and n.trade_no = o.trade_no)
    - (select count(*) from payouts p where p.mer_no = o.mer_no and p.trade_no = o.trade_no and p.state = 'returned')
  limit 20`

/** Returns the state of every order, by trade number. */
export async function statesOf(db: Db): Promise<Map<string, number>> {
  const rows = await db.query<{ trade_no: string; state: number }>({
    text: 'select trade_no, state from orders',
  })
  return new Map(rows.map((row) => [row.trade_no, row.state]))
}
