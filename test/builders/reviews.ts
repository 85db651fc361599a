// Payments in review for tests: the money has arrived and is in the review account.
import assert from 'node:assert/strict'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import type { Terms } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { aPayment, aSuccess, noRates } from './builders.ts'

type Wanted = Omit<Partial<NewPayment>, 'terms' | 'money'> & {
  readonly amount?: bigint
  readonly terms?: Partial<Terms>
  /** The money received; the order's amount by default. */
  readonly received?: bigint
}

/** Accepts a SEPA payment that waits for its payer and will be reviewed: 100.00 EUR, except for the changes. */
export async function acceptedForReview(db: Db, wanted: Wanted = {}): Promise<NewPayment> {
  const { amount = 10_000n, terms, received: _, ...changes } = wanted
  const money = { amount, currency: 'EUR' }
  const plain = aPayment({ method: 'sepa', money, needsReview: true, ...changes })
  const payment = { ...plain, terms: { ...plain.terms, settleCurrency: 'EUR', ...terms } }
  const [accepted] = await acceptPayments(db, [payment])
  assert.equal(accepted?.kind, 'accepted')
  return payment
}

export async function moneyCame(db: Db, payment: NewPayment, amount = payment.money.amount): Promise<void> {
  const deposit = {
    depositRef: `sct-${payment.tradeNo}`,
    money: { ...payment.money, amount },
    at: new Date(),
    payerName: 'Example Payer',
    payerAccount: 'DE89370400440532013000',
  }
  const action = { kind: 'redirect', url: 'https://bank.example/' } as const
  const outcome = { kind: 'received', channelRef: 'channel-1', deposits: [deposit], action } as const
  await recordOutcomes({ db, rates: noRates }, [aSuccess(payment, { outcome })])
}

export async function orderInReview(db: Db, wanted: Wanted = {}): Promise<NewPayment> {
  const payment = await acceptedForReview(db, wanted)
  await moneyCame(db, payment, wanted.received)
  return payment
}

export type Notified = { readonly event: string; readonly fields: Readonly<Record<string, string>> }

/** Returns the notifications of the order, oldest first. */
export function notificationsOf(db: Db, { merNo, tradeNo }: NewPayment): Promise<Notified[]> {
  return db.query<Notified>({
    text: 'select event, fields from notifications where mer_no = $1 and trade_no = $2 order by notification_id',
    values: [merNo, tradeNo],
  })
}

/** Returns the states of the order after each change. */
export async function historyOf(db: Db, { merNo, tradeNo }: NewPayment): Promise<number[]> {
  const rows = await db.query<{ to_state: number }>({
    text: 'select to_state from order_events where mer_no = $1 and trade_no = $2 order by version',
    values: [merNo, tradeNo],
  })
  return rows.map((row) => row.to_state)
}

/** Returns the used amounts of the merchant's limits, in US cents. */
export async function usedBy(db: Db, merNo: number): Promise<bigint[]> {
  const rows = await db.query<{ used: bigint }>({
    text: 'select used from limit_usage where mer_no = $1 order by period',
    values: [merNo],
  })
  return rows.map(({ used }) => used)
}
