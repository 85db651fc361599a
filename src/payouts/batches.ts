// Payouts that wait at the same moment share a transaction. Each merchant has a batcher of its own for acceptance, because a
// transaction locks one merchant's balances; a flush is then all or nothing, as the batcher requires.
import { onePerKey } from '../concurrency/one-per-key.ts'
import { type Batcher, createBatcher } from '../postgres/batch.ts'
import { type AcceptDeps, type AcceptedPayout, acceptPayouts } from './accept-payouts.ts'
import { type ChangedPayout, changePayouts, type PayoutReport } from './change-payouts.ts'
import type { NewPayout } from './new-payout.ts'

export type PayoutBatches = {
  accept(payout: NewPayout): Promise<AcceptedPayout>
  record(report: PayoutReport): Promise<ChangedPayout | undefined>
}

const MAX_BATCH = 128
const MAX_QUEUE = 1_024

/** `changed` is called after every change: a payout that ended has a new notification. */
export function openPayoutBatches(deps: AcceptDeps, changed: () => void = () => {}): PayoutBatches {
  const byMerchant = new Map<number, Batcher<NewPayout, AcceptedPayout>>()
  const batcherOf = (merNo: number) => {
    const known = byMerchant.get(merNo)
    if (known !== undefined) return known
    const flush = (payouts: readonly NewPayout[]) => acceptPayouts(deps, payouts)
    const made = createBatcher({ maxBatch: MAX_BATCH, maxQueue: MAX_QUEUE, flush })
    byMerchant.set(merNo, made)
    return made
  }
  const record = onePerKey(
    createBatcher({
      maxBatch: MAX_BATCH,
      // An event has happened already, so its report is never turned away.
      maxQueue: Number.POSITIVE_INFINITY,
      flush: (reports: readonly PayoutReport[]) => changePayouts(deps.db, reports),
    }),
    {
      keyOf: ({ tradeNo }) => tradeNo,
      // The first of two equal events may lead to a call, which must be made once: they do not share a result.
      isSame: () => false,
    },
  )
  return {
    accept: (payout) => batcherOf(payout.merNo).submit(payout),
    async record(report) {
      const recorded = await record.submit(report)
      if (recorded?.applied) changed()
      return recorded
    },
  }
}
