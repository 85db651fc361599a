// Sends accepted refunds to their channels, and repeats the call until they are decided. Each call has the same reference, so
// a crash, a lost response and a slow bank are handled the same way.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Channels } from '../channels/routing.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { PokedRepetition } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import type { Db } from '../postgres/db.ts'
import type { RefundBatches } from './batches.ts'
import { callRefund } from './call-refund.ts'
import type { Refund } from './refund.ts'
import { claimDue } from './sql.ts'

export type RefundWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly channels: Channels
  readonly refundBatches: Pick<RefundBatches, 'record'>
  readonly log: Logger
  /** Called when an operator must check something. */
  readonly alarm: (tradeNo: string, what: string) => void
}

const POLL_MS = 500

export function startRefundWorker(deps: RefundWorkerDeps): PokedRepetition {
  return startClaimLoop(refundJob(deps), { clock: deps.clock, everyMs: POLL_MS })
}

export function refundJob(deps: RefundWorkerDeps): ClaimJob<Refund> {
  const { db, channels, log } = deps
  return {
    get leaseMs() {
      return channels.longestTimeoutMs + CALL_GRACE_MS
    },
    claim: (claim) => claimDue(db, claim),
    channelOf: ({ payment }) => payment.channel,
    run: (refund) => callAndRecord(deps, refund),
    rowFailed: (error, { tradeNo, refundNo }) =>
      log.error({ err: error, tradeNo, refundNo }, 'a refund could not be recorded; it is called again'),
    claimFailed: (error) => log.error({ err: error }, 'due refunds could not be claimed'),
  }
}

async function callAndRecord(deps: RefundWorkerDeps, refund: Refund): Promise<void> {
  const { merNo, refundNo, tradeNo } = refund
  const outcome = await callRefund(deps, refund)
  if (outcome === undefined) return
  const report = { merNo, refundNo, tradeNo, outcome, asks: refund.asks, at: deps.clock.now() }
  const { state, alarm } = await deps.refundBatches.record.submit(report)
  if (alarm !== undefined) deps.alarm(tradeNo, alarm)
  const why = outcome.kind === 'unknown' ? outcome.why : undefined
  deps.log.info({ tradeNo, refundNo, outcome: outcome.kind, why, state }, 'called a refund')
}
