// Folds the deltas of balances and daily totals in the background (ledger/balances.ts). If the deltas of one merchant
// in one currency cannot be folded, they are skipped for a while, so that all other deltas are still folded. An
// operator is alerted.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import {
  createSkippedItems,
  isolateFailures,
  isTransientFailure,
  type SkippedItems,
} from '../../platform/concurrency/isolate-failures.ts'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Fold, foldBalances, type Part, splitBalances, waitingParts } from '../ledger/balances.ts'
import { foldTotals, splitTotals } from './daily-totals.ts'

export type FoldDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly alarm: (subject: string, what: string) => void
}

// A larger limit would lock the sums for too long, because one delta has the sums of dozens of merchants.
const FOLD_LIMIT = 200

/** Starts the worker. The interval is short, because reading a balance reads the waiting deltas of all merchants. */
export function startFolding(deps: FoldDeps & Interval & { readonly log: Logger }): Repetition {
  const { log } = deps
  return repeat({
    everyMs: deps.everyMs,
    work: createFolding(deps),
    failed: (error) => log.error({ err: error }, 'balances and daily totals could not be folded'),
  })
}

type Folding = {
  readonly what: string
  readonly fold: Fold
  readonly split: (db: Db, limit: number) => Promise<number>
  readonly table: Parameters<typeof waitingParts>[1]
  readonly skipped: SkippedItems<Part>
}

/** Returns the function of a round, which folds all waiting deltas except those that failed recently. */
export function createFolding(deps: FoldDeps): () => Promise<void> {
  const skippedParts = () =>
    createSkippedItems<Part>(deps.clock, ({ merNo, currency }) => `${merNo} ${currency}`)
  const foldings: readonly Folding[] = [
    {
      what: 'balances',
      fold: foldBalances,
      split: splitBalances,
      table: 'balance_deltas',
      skipped: skippedParts(),
    },
    {
      what: 'daily totals',
      fold: foldTotals,
      split: splitTotals,
      table: 'order_total_deltas',
      skipped: skippedParts(),
    },
  ]
  return async () => {
    for (const folding of foldings) await foldAll(deps, folding)
  }
}

async function foldAll(deps: FoldDeps, folding: Folding): Promise<void> {
  const { fold, skipped } = folding
  const scope = { parts: skipped.all(), only: false }
  if (scope.parts.length > 0) await splitAll(deps, folding)
  try {
    while ((await fold(deps.db, FOLD_LIMIT, scope)) === FOLD_LIMIT);
  } catch (error) {
    if (isTransientFailure(error)) throw error
    await foldApart(deps, folding)
  }
}

async function splitAll({ db }: Pick<FoldDeps, 'db'>, { split }: Folding): Promise<void> {
  while ((await split(db, FOLD_LIMIT)) === FOLD_LIMIT);
}

async function foldApart({ db, alarm }: FoldDeps, folding: Folding): Promise<void> {
  const { what, fold, table, skipped } = folding
  await splitAll({ db }, folding)
  const waiting = await waitingParts(db, table)
  const work = async (parts: readonly Part[]) => {
    while ((await fold(db, FOLD_LIMIT, { parts, only: true })) === FOLD_LIMIT);
  }
  const failed = (part: Part, error: unknown) => {
    skipped.add(part)
    alarm(`merchant ${part.merNo}`, `its ${what} in ${part.currency} could not be folded: ${String(error)}`)
  }
  await isolateFailures(
    waiting.filter((part) => !skipped.has(part)),
    work,
    failed,
  )
}
