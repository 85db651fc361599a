// Records what a channel reports about a refund on its own, by the same step as the worker.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { RefundOutcome } from '../channels/contract.ts'
import type { Db } from '../postgres/db.ts'
import type { RefundBatches } from './batches.ts'
import { findByNumber } from './find-refund.ts'
import { refundNoOf } from './refund.ts'

export type ReceiveRefundDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly refundBatches: Pick<RefundBatches, 'record'>
  readonly log: Logger
  /** Called when an operator must check something. */
  readonly alarm: (tradeNo: string, what: string) => void
}

/** `asks`: the latest claim when the channel was asked; undefined if it reports by itself. */
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
  // Only a failure names the claim: any other outcome would move the time of the worker's next call by it.
  const claim = outcome.kind === 'failed' && asks !== undefined ? { asks } : {}
  const report = { merNo, refundNo: refund.refundNo, tradeNo, outcome, at: deps.clock.now(), ...claim }
  const { state, alarm } = await deps.refundBatches.record.submit(report)
  if (alarm !== undefined) deps.alarm(tradeNo, alarm)
  deps.log.info({ tradeNo, refundNo, channel, outcome: outcome.kind, state }, 'refund callback recorded')
}
