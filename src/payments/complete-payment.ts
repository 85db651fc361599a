// The payer is back: hand what the browser brought to the channel, which alone decides, and record the outcome.
import type { Db } from '../base/db.ts'
import type { Channels } from '../channels/registry.ts'
import { type FoundPayment, findPayment } from './find-payment.ts'
import { type PaymentDeps, recordOutcome, surely } from './make-payment.ts'
import { attemptReference } from './payment.ts'

export type CompleteDeps = PaymentDeps & { readonly db: Db; readonly channels: Channels }

/** The order as it stands afterwards. Coming back twice, or to a decided order, changes nothing. */
export async function completePayment(
  deps: CompleteDeps,
  key: { readonly merNo: number; readonly tradeNo: string },
  answer: Readonly<Record<string, string>>,
): Promise<FoundPayment | undefined> {
  const payment = await findPayment(deps.db, key)
  if (payment === undefined || payment.attempt.state !== 'pending') return payment
  const channel = deps.channels.named(payment.attempt.channel)
  if (channel === undefined) return payment
  const { attempt, money } = payment
  const reference = attemptReference(payment.tradeNo, attempt.no)
  const request = { reference, money, answer, ...(attempt.channelRef && { channelRef: attempt.channelRef }) }
  // Counted, not bounded: a payer is never turned away, but a stop waits for the outcome to be recorded.
  deps.gate.underWay++
  try {
    const outcome = await surely(channel.complete(request))
    await recordOutcome(deps, channel, { ...key, attemptNo: attempt.no }, outcome)
  } finally {
    deps.gate.underWay--
  }
  return findPayment(deps.db, key)
}
