// Sends accepted refunds to their channels, and repeats each call until the refund is decided. All calls for a refund
// have the same reference, so a call after a crash or a lost response does not make a second refund.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { type ClaimJob, startClaimLoop } from '../../platform/concurrency/claim-loop.ts'
import type { Interval, PokedRepetition } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { CALL_GRACE_MS } from '../orders/call-lease.ts'
import { callRefund } from './call-refund.ts'
import { type RecordDeps, recordRefund } from './record-refunds.ts'
import type { Refund } from './refund.ts'
import { claimDue } from './sql.ts'

export type RefundWorkerDeps = RecordDeps & {
  readonly db: Db
  readonly clock: Clock
  readonly channels: Channels
  readonly log: Logger
}

export function startRefundWorker(deps: RefundWorkerDeps & Interval): PokedRepetition {
  return startClaimLoop(refundJob(deps), { clock: deps.clock, everyMs: deps.everyMs })
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
  const { state } = await recordRefund(deps, report)
  const why = outcome.kind === 'unknown' ? outcome.why : undefined
  deps.log.info({ tradeNo, refundNo, outcome: outcome.kind, why, state }, 'called a refund')
}
