// Records what a channel reports about a return on its own, by the same step as the worker, and asks a channel that has learned
// something about one.
import type { Logger } from 'pino'
import type { RefundOutcome } from '../channels/contract.ts'
import type { Queryable } from '../postgres/db.ts'
import { type CallReturnDeps, callReturn } from './call-return.ts'
import { type ReportReturnDeps, reportReturn } from './record-return.ts'
import { type ReturnKey, returnKeyOf } from './review.ts'
import { findReviewedPayment } from './review-orders.ts'
import { selectReview } from './sql.ts'

export type ReceiveReturnDeps = ReportReturnDeps & { readonly log: Logger }

/** `asks`: the latest claim when the channel was asked; undefined if it reports by itself. */
export async function receiveReturn(
  deps: ReceiveReturnDeps,
  channel: string,
  reference: string,
  outcome: RefundOutcome,
  asks?: number,
): Promise<void> {
  const key = await findOwn(deps.db, channel, reference)
  if (key === undefined) {
    deps.alarm(reference, `channel ${channel} reported a return that it does not have: ${outcome.kind}`)
    return
  }
  // It says nothing new, and must not move the time of the worker's next call.
  if (outcome.kind === 'pending' || outcome.kind === 'unknown') return
  const { tradeNo } = key
  const claim = outcome.kind === 'failed' && asks !== undefined ? { asks } : {}
  const state = await reportReturn(deps, { ...key, outcome, ...claim })
  deps.log.info({ tradeNo, reference, channel, outcome: outcome.kind, state }, 'return callback recorded')
}

/**
 * The kind of the channel's answer; undefined if it was not asked. To ask about a return is to send it, so one that was given
 * up, or never made, is not asked about.
 */
export async function askReturn(
  deps: ReceiveReturnDeps & CallReturnDeps,
  channel: string,
  reference: string,
): Promise<RefundOutcome['kind'] | undefined> {
  const key = await findOwn(deps.db, channel, reference)
  const review = key && (await selectReview(deps.db, key))
  const isSent = review?.state === 'returning' || review?.state === 'rejected'
  if (!isSent || review.returns !== key?.returns) return undefined
  const outcome = await callReturn(deps, review)
  if (outcome === undefined) return 'unknown'
  await receiveReturn(deps, channel, reference, outcome, review.asks)
  return outcome.kind
}

/** The return of the reference, if its payment is this channel's. */
async function findOwn(db: Queryable, channel: string, reference: string): Promise<ReturnKey | undefined> {
  const key = returnKeyOf(reference)
  const payment = key && (await findReviewedPayment(db, key))
  return payment?.channel === channel ? key : undefined
}
