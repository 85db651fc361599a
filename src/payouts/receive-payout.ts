// Records what a rail reports about a payout on its own, by the same step as the worker.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { PayoutOutcome } from '../channels/payout/contract.ts'
import type { Db } from '../postgres/db.ts'
import type { PayoutBatches } from './batches.ts'
import { findPayout } from './find-payout.ts'
import { report } from './make-payout.ts'
import { payoutKeyOf } from './payout.ts'

export type ReceivePayoutDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly payoutBatches: PayoutBatches
  readonly log: Logger
  /** Called when an operator must check something. */
  readonly alarm: (tradeNo: string, what: string) => void
}

export async function receivePayout(
  deps: ReceivePayoutDeps,
  rail: string,
  reference: string,
  outcome: PayoutOutcome,
): Promise<void> {
  const key = payoutKeyOf(reference)
  const payout = key && (await findPayout(deps.db, key))
  if (key === undefined || payout?.rail !== rail) {
    deps.alarm(reference, `rail ${rail} reported a payout that it does not have: ${outcome.kind}`)
    return
  }
  const { tradeNo } = key
  const { state } = await report({ ...deps, batches: deps.payoutBatches }, key, { kind: 'outcome', outcome })
  deps.log.info({ tradeNo, rail, outcome: outcome.kind, state }, 'payout callback recorded')
}
