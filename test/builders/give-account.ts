import assert from 'node:assert/strict'
import { attemptReference } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import type { Outcome } from '../../src/rails/contract/channel.ts'
import type { Method } from '../../src/rails/methods/methods.ts'
import { anAttempt, aPayment, aSuccess, noRates } from './builders.ts'

/** Makes an order that waits for money at the account that `start` gave it. */
export async function giveAccount(
  db: Db,
  channel: string,
  method: Method,
  start: (reference: string) => Promise<Outcome | undefined>,
): Promise<void> {
  const order = aPayment({ method, attempt: anAttempt(new Date(), { channel }) })
  await acceptPayments(db, [order])
  const outcome = await start(attemptReference(order.tradeNo, 1))
  assert.equal(outcome?.kind, 'pending')
  await recordOutcomes({ db, rates: noRates }, [aSuccess(order, { outcome })])
}

export function pendingAt(account: string): Outcome {
  const action = { kind: 'redirect', url: 'https://rail.example' } as const
  return { kind: 'pending', channelRef: account, action }
}
