// What must hold of the database whatever happened to the gateways: told from the tables alone.
import assert from 'node:assert/strict'
import type { Db } from '../src/base/db.ts'
import { verifyLedger } from '../src/ledger/verify-ledger.ts'

export async function countOrders(db: Db): Promise<number> {
  const [row] = await db.query<{ orders: number }>({ text: 'select count(*)::int as orders from orders' })
  return row?.orders ?? 0
}

/** Attempts whose outcome is for us to find out; those that await their payer are not. */
export async function countOpen(db: Db): Promise<number> {
  const [row] = await db.query<{ open: number }>({
    text: `select count(*)::int as open from attempts where state in ('calling', 'unknown')`,
  })
  return row?.open ?? 0
}

export type Standing = {
  readonly state: number
  readonly payments: number
  readonly notifications: number
  readonly changes: number
  readonly attempts: number
}

/** How one order stands, and how often each thing that belongs to it was written. */
export async function standingOf(db: Db, tradeNo: unknown): Promise<Standing | undefined> {
  const [row] = await db.query<Standing>({
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

export const PAID: Standing = { state: 5, payments: 1, notifications: 1, changes: 1, attempts: 1 }
export const DECLINED: Standing = { state: 6, payments: 0, notifications: 1, changes: 1, attempts: 1 }
export const CANCELLED: Standing = { ...DECLINED, state: 7 }
export const WAITING: Standing = { state: 1, payments: 0, notifications: 0, changes: 0, attempts: 1 }

/** Every balance is the sum of its entries, every order is booked as its state says, and the limits know of it all. */
export async function assertSound(db: Db): Promise<void> {
  assert.deepEqual((await verifyLedger(db)).differences, [])
  for (const text of [wronglyBooked, wronglyCredited, wronglyCounted])
    assert.deepEqual(await db.query({ text }), [])
}

const wronglyBooked = `
  select o.trade_no, o.state from orders o
  where
    (o.state = 5) <> exists (
      select from ledger_entries l
      where l.mer_no = o.mer_no and l.subject = o.trade_no and l.amount = o.amount
        and l.step = case o.kind when 'payment' then 'payment' else 'payout:sent' end)
    or (o.state <> 1)::int <> (
      select count(*) from order_events e where e.mer_no = o.mer_no and e.trade_no = o.trade_no)
    or (o.state <> 1)::int <> (
      select count(*) from notifications n where n.mer_no = o.mer_no and n.trade_no = o.trade_no)
  limit 20`

const wronglyCredited = `
  with paid as (
    select mer_no, currency, sum(remainder) as remainder from orders where state = 5 and kind = 'payment' group by mer_no, currency
  )
  select paid.mer_no, paid.currency, b.credits - b.debits as unsettled, paid.remainder
  from paid left join balances b
    on b.mer_no = paid.mer_no and b.currency = paid.currency and b.account = 'merchant:unsettled'
  where b.credits - b.debits is distinct from paid.remainder`

const wronglyCounted = `
  select u.mer_no, u.period, u.used, counted.used as counted
  from limit_usage u cross join lateral (
    select coalesce(sum(usd_value), 0) as used from orders o
    where o.mer_no = u.mer_no and o.state in (1, 5) and starts_with(o.local_day::text, u.period)
      and o.kind = case u.method when 'payout' then 'payout' else 'payment' end
  ) counted
  where u.mer_no <> 0 and u.used <> counted.used`
