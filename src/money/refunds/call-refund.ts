// Calls the channel of a refund, and records the outcomes that a channel reports by callback. All calls for a refund
// have the same reference, so a repeated call also queries the outcome of the refund.

import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { RefundOutcome, RefundRequest } from '../../rails/contract/channel.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { isRenewed, orUnknown } from '../orders/call-lease.ts'
import { findAttempt } from '../orders/open-attempts.ts'
import { attemptReference } from '../orders/order.ts'
import { findByNumber } from './find-refund.ts'
import { type RecordDeps, recordRefund } from './record-refunds.ts'
import { type Refund, refundNoOf, refundReference } from './refund.ts'
import { renewLease } from './sql.ts'

type CallRefundDeps = {
  readonly db: Queryable
  readonly clock: Clock
  readonly channels: Pick<Channels, 'named'>
}

/**
 * Calls the channel and returns the outcome. If another node has claimed the refund or changed its state since this
 * claim, the function makes no call and returns undefined, because the refund's money may have been given back.
 */
export async function callRefund(
  { db, clock, channels }: CallRefundDeps,
  refund: Refund,
): Promise<RefundOutcome | undefined> {
  const { merNo, tradeNo, payment } = refund
  const attempt = await findAttempt(db, { merNo, tradeNo, attemptNo: payment.attemptNo })
  const channel = channels.named(payment.channel, attempt?.method)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
  if (!(await isRenewed(clock, channel.traits, (until) => renewLease(db, refund, until)))) return undefined
  return orUnknown('channel', () => channel.refund(toRequest(refund)))
}

function toRequest({ refundNo, tradeNo, money, payment }: Refund): RefundRequest {
  return {
    reference: attemptReference(tradeNo, payment.attemptNo),
    ...(payment.channelRef !== undefined && { channelRef: payment.channelRef }),
    money: { amount: payment.amount, currency: money.currency },
    refundReference: refundReference(refundNo),
    refund: money,
  }
}

export type ReceiveRefundDeps = RecordDeps & {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Records an outcome through the same batcher as the worker. `asks` is the refund's number of claims when the channel
 * was called. Undefined if the channel sent the report on its own.
 */
export async function receiveRefund(
  deps: ReceiveRefundDeps,
  channel: string,
  reference: string,
  outcome: RefundOutcome,
  asks?: number,
): Promise<void> {
  const refundNo = refundNoOf(reference)
  const refund = refundNo === undefined ? undefined : await findByNumber(deps.db, refundNo)
  if (refund?.payment.channel !== channel) {
    deps.alarm(reference, `channel ${channel} reported a refund that it does not have: ${outcome.kind}`)
    return
  }
  const { merNo, tradeNo } = refund
  if (refund.state === 'waiting') {
    deps.alarm(tradeNo, `channel ${channel} reported a refund that was not sent: ${outcome.kind}`)
    return
  }
  // The number of claims is passed on only with a failure. With any other outcome, the number would change the time of
  // the worker's next call.
  const claim = outcome.kind === 'failed' && asks !== undefined ? { asks } : {}
  const report = { merNo, refundNo: refund.refundNo, tradeNo, outcome, at: deps.clock.now(), ...claim }
  const { state } = await recordRefund(deps, report)
  deps.log.info({ tradeNo, refundNo, channel, outcome: outcome.kind, state }, 'refund callback recorded')
}
