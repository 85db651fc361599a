// Orders that were paid, for tests of what happens to their money, and how it lies in the end.
import assert from 'node:assert/strict'
import { verifyBooks } from '../src/audit/verify-books.ts'
import { systemClock } from '../src/base/clock.ts'
import type { Rate } from '../src/base/money.ts'
import type { NewPayment } from '../src/orders/new-order.ts'
import type { Terms } from '../src/orders/order.ts'
import { acceptPayments } from '../src/payments/accept-payments.ts'
import { recordOutcomes } from '../src/payments/record-outcomes.ts'
import type { Db } from '../src/postgres/db.ts'
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

/** The books keep every rule that the audit knows. Tests that write rows by hand name the rules that these can keep. */
export async function assertMoneySound(db: Db, rules?: readonly string[]): Promise<void> {
  const { differences, findings } = await verifyBooks({ db, clock: systemClock })
  const broken = findings.filter(({ check }) => rules === undefined || rules.includes(check))
  assert.deepEqual({ differences, broken }, { differences: [], broken: [] })
}
