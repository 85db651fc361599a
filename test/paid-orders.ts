// Orders that were paid, for tests of what happens to their money, and how it lies in the end.
import assert from 'node:assert/strict'
import type { Db } from '../src/base/db.ts'
import type { Rate } from '../src/base/money.ts'
import { verifyLedger } from '../src/ledger/verify-ledger.ts'
import { acceptPayments } from '../src/payments/accept-payments.ts'
import type { NewPayment } from '../src/payments/new-payment.ts'
import type { Terms } from '../src/payments/payment.ts'
import { recordOutcomes } from '../src/payments/record-outcomes.ts'
import { aPayment, aSuccess, noRates } from './builders.ts'

type Wanted = Omit<Partial<NewPayment>, 'terms'> & {
  readonly terms?: Partial<Terms>
  readonly amount?: bigint
  /** When it succeeds. */
  readonly at?: Date
  /** The rate of that moment. */
  readonly rate?: Rate
}

/** 10.00 USD without fees, unless wanted otherwise. */
export async function paidOrder(db: Db, wanted: Wanted = {}): Promise<NewPayment> {
  const { terms, amount = 1000n, at = new Date(), rate, ...changes } = wanted
  const plain = aPayment({ createdAt: at, ...changes })
  const money = changes.money ?? { amount, currency: 'USD' }
  const payment = { ...plain, money, terms: { ...plain.terms, settleCurrency: money.currency, ...terms } }
  const [accepted] = await acceptPayments(db, [payment])
  assert.equal(accepted?.kind, 'accepted')
  const rates = rate === undefined ? noRates : { find: () => rate }
  await recordOutcomes({ db, rates }, [aSuccess(payment, { at })])
  return payment
}

/** Credits less debits by account and currency; accounts without anything are left out. */
export async function balancesOf(db: Db, merNo: number): Promise<Record<string, bigint>> {
  const rows = await db.query<{ account: string; currency: string; net: bigint }>({
    text: `select account, currency, credits - debits as net from balances
      where mer_no = $1 and credits <> debits order by account, currency`,
    values: [merNo],
  })
  return Object.fromEntries(rows.map(({ account, currency, net }) => [`${account} ${currency}`, net]))
}

/** How often each step was booked for the order. */
export async function stepsOf(
  db: Db,
  { merNo, tradeNo }: Pick<NewPayment, 'merNo' | 'tradeNo'>,
): Promise<string[]> {
  const rows = await db.query<{ step: string }>({
    text: 'select step from ledger_entries where mer_no = $1 and subject = $2 order by step',
    values: [merNo, tradeNo],
  })
  return rows.map(({ step }) => step)
}

export async function stateOf(
  db: Db,
  { merNo, tradeNo }: Pick<NewPayment, 'merNo' | 'tradeNo'>,
): Promise<number> {
  const [row] = await db.query<{ state: number }>({
    text: 'select state from orders where mer_no = $1 and trade_no = $2',
    values: [merNo, tradeNo],
  })
  assert.ok(row)
  return row.state
}

/** The balances agree with the entries, with the orders' own parts, and the daily totals with the orders. */
export async function assertMoneySound(db: Db): Promise<void> {
  assert.deepEqual((await verifyLedger(db)).differences, [])
  assert.deepEqual(await db.query({ text: strayParts }), [])
  assert.deepEqual(await db.query({ text: strayTotals }), [])
}

/** What is held in suspense adds up to the suspense accounts. */
export async function assertSuspenseSound(db: Db): Promise<void> {
  assert.deepEqual(await db.query({ text: straySuspense }), [])
}

const straySuspense = `
  with held as (
    select mer_no, currency, sum(amount) as amount from suspense where state = 'held' group by mer_no, currency
  ), kept as (
    select mer_no, currency, credits - debits as amount from balances where account = 'suspense'
  )
  select * from kept full join held using (mer_no, currency)
  where coalesce(kept.amount, 0) <> coalesce(held.amount, 0)`

const strayParts = `
  with parts as (
    select mer_no, 'merchant:unsettled' as account, currency, coalesce(remainder, 0) as part from orders
    union all select mer_no, 'merchant:margin', currency, margin_held from orders
  ), kept as (
    select mer_no, account, currency, credits - debits as net from balances
    where account in ('merchant:unsettled', 'merchant:margin')
  ), summed as (
    select mer_no, account, currency, sum(part) as net from parts group by mer_no, account, currency
  )
  select * from kept full join summed using (mer_no, account, currency)
  where coalesce(kept.net, 0) <> coalesce(summed.net, 0)`

const strayTotals = `
  with told as (
    select mer_no, local_day, state, currency, settle_currency, settled, orders, source_amount from order_totals
    union all
    select mer_no, local_day, state, currency, settle_currency, settled, orders, source_amount from order_total_deltas
  ), summed as (
    select mer_no, local_day, state, currency, settle_currency, settled,
      sum(orders) as orders, sum(source_amount) as amount
    from told group by 1, 2, 3, 4, 5, 6 having sum(orders) <> 0 or sum(source_amount) <> 0
  ), scanned as (
    select mer_no, local_day, state, currency, settle_currency, settled_at is not null as settled,
      count(*) as orders, sum(amount) as amount
    from orders where kind = 'payment' and state not in (1, 24, 25) group by 1, 2, 3, 4, 5, 6
  )
  (select * from summed except select * from scanned) union all (select * from scanned except select * from summed)`
