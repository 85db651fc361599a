import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import {
  createSkippedItems,
  isolateFailures,
  isTransientFailure,
  type SkippedItems,
} from '../concurrency/isolate-failures.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import { foldBalances, splitBalances } from '../ledger/balances.ts'
import { type Fold, type Part, waitingParts } from '../ledger/fold.ts'
import type { Db } from '../postgres/db.ts'
import { foldTotals, splitTotals } from './daily-totals.ts'

export type FoldDeps = {
  readonly db: Db
  readonly clock: Clock
  /** Called when an operator must check something. */
  readonly alarm: (subject: string, what: string) => void
}

// Reading a balance looks through the deltas of all merchants, so few may wait.
const EVERY_MS = 1_000
// More would lock the sums for too long: a delta has sums of dozens of merchants.
const FOLD_LIMIT = 200

/** Folds the deltas of balances and daily totals regularly, so that reading them stays cheap. */
export function startFolding(deps: FoldDeps & { readonly log: Logger }): Repetition {
  const { log } = deps
  return repeat({
    everyMs: EVERY_MS,
    work: createFolding(deps),
    failed: (error) => log.error({ err: error }, 'balances and daily totals could not be folded'),
  })
}

type Folding = {
  readonly what: string
  readonly fold: Fold
  readonly split: (db: Db, limit: number) => Promise<number>
  readonly table: Parameters<typeof waitingParts>[1]
  readonly aside: SkippedItems<Part>
}

/** One round folds all waiting deltas, except the parts that failed recently. */
export function createFolding(deps: FoldDeps): () => Promise<void> {
  const setAside = () => createSkippedItems<Part>(deps.clock, ({ merNo, currency }) => `${merNo} ${currency}`)
  const foldings: readonly Folding[] = [
    {
      what: 'balances',
      fold: foldBalances,
      split: splitBalances,
      table: 'balance_deltas',
      aside: setAside(),
    },
    {
      what: 'daily totals',
      fold: foldTotals,
      split: splitTotals,
      table: 'order_total_deltas',
      aside: setAside(),
    },
  ]
  return async () => {
    for (const folding of foldings) await foldAll(deps, folding)
  }
}

async function foldAll(deps: FoldDeps, folding: Folding): Promise<void> {
  const { fold, aside } = folding
  const scope = { parts: aside.all(), only: false }
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
  const { what, fold, table, aside } = folding
  await splitAll({ db }, folding)
  const waiting = await waitingParts(db, table)
  const work = async (parts: readonly Part[]) => {
    while ((await fold(db, FOLD_LIMIT, { parts, only: true })) === FOLD_LIMIT);
  }
  const failed = (part: Part, error: unknown) => {
    aside.add(part)
    alarm(`merchant ${part.merNo}`, `its ${what} in ${part.currency} could not be folded: ${String(error)}`)
  }
  await isolateFailures(
    waiting.filter((part) => !aside.has(part)),
    work,
    failed,
  )
}
