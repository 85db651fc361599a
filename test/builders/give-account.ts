import assert from 'node:assert/strict'
import type { Outcome } from '../src/channels/contract.ts'
import type { Method } from '../src/channels/method.ts'
import { attemptReference } from '../src/orders/order.ts'
import { acceptPayments } from '../src/payments/accept-payments.ts'
import { recordOutcomes } from '../src/payments/record-outcomes.ts'
import type { Db } from '../src/postgres/db.ts'
import { anAttempt, aPayment, aSuccess, noRates } from './builders.ts'

/** An order that waits for money at the account that `start` gave it. */
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
