// Paid orders for tests, and the balances and bookings of their money.
import assert from 'node:assert/strict'
import { verifyBooks } from '../../src/money/audit/verify-books.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import type { Terms } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import type { Rate } from '../../src/platform/base/money.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { aPayment, aSuccess, noRates } from './builders.ts'

type Wanted = Omit<Partial<NewPayment>, 'terms'> & {
  readonly terms?: Partial<Terms>
  readonly amount?: bigint
  /** The time of the success. */
  readonly at?: Date
  /** The rate at that time. */
  readonly rate?: Rate
}

/** Makes a paid order of 10.00 USD without fees, except for the changes. */
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

/** Returns credits less debits by account and currency, without empty accounts. */
export async function balancesOf(db: Db, merNo: number): Promise<Record<string, bigint>> {
  const rows = await db.query<{ account: string; currency: string; net: bigint }>({
    text: `select account, currency, credits - debits as net from balances
      where mer_no = $1 and credits <> debits order by account, currency`,
    values: [merNo],
  })
  return Object.fromEntries(rows.map(({ account, currency, net }) => [`${account} ${currency}`, net]))
}

/** Returns the booked steps of the order, sorted. A step that was booked twice is listed twice. */
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

/** Checks that the books pass the audit. Tests that write rows by hand name the rules that these rows can follow. */
export async function assertMoneySound(db: Db, rules?: readonly string[]): Promise<void> {
  const { differences, findings } = await verifyBooks({ db, clock: systemClock })
  const broken = findings.filter(({ check }) => rules === undefined || rules.includes(check))
  assert.deepEqual({ differences, broken }, { differences: [], broken: [] })
}
