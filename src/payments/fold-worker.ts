import type { Logger } from 'pino'
import type { Db } from '../base/db.ts'
import { type Repetition, repeat } from '../base/repeat.ts'
import { foldBalances } from '../ledger/balances.ts'
import { foldTotals } from './totals.ts'

const EVERY_MS = 3_000
// As many as a statement folds without holding sums for long.
const FOLD_LIMIT = 1_000

/** Folds the deltas of balances and daily totals as they gather, so that reading them stays cheap. */
export function startFolding({ db, log }: { readonly db: Db; readonly log: Logger }): Repetition {
  return repeat({
    everyMs: EVERY_MS,
    async work() {
      for (const fold of [foldBalances, foldTotals]) while ((await fold(db, FOLD_LIMIT)) === FOLD_LIMIT);
    },
    failed: (error) => log.error({ err: error }, 'balances and daily totals could not be folded'),
  })
}
