import type { Logger } from 'pino'
import type { Clock } from '../../../platform/base/clock.ts'
import { type Interval, type Repetition, repeat } from '../../../platform/concurrency/repeat.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { createIndexer } from './index-orders.ts'

export type IndexDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  /**
   * The gate that admits requests to this process. The gate is flooded while it refuses more requests than it admits.
   */
  readonly gate: { isFlooded(): boolean; isBusy(): boolean }
}

const TICK_MS = 50
/** The interval between steps while the gate is flooded, so that the index still makes progress. */
const FLOODED_EVERY_MS = 30_000

const shares = [
  { behindMs: 60 * 60_000, share: 0.5 },
  { behindMs: 10 * 60_000, share: 0.25 },
]

/**
 * Returns the share of time that indexing may take. While payments keep the process busy, the share is small, and
 * searches fall behind. If the index is far behind, the share is larger, even in a busy process.
 */
export function indexingShare(behindMs: number, isBusy: boolean): number {
  const late = shares.find((one) => behindMs >= one.behindMs)
  return late?.share ?? (isBusy ? 0.03 : 0.1)
}

/**
 * Keeps the search over orders and the counts of the overview up to date, some seconds behind payments. `everyMs` is
 * the pause when everything is indexed.
 */
export function startIndexing({ db, clock, log, gate, everyMs }: IndexDeps & Interval): Repetition {
  const indexer = createIndexer(db)
  let restUntil = 0
  let steppedAt = Number.NEGATIVE_INFINITY
  return repeat({
    everyMs: TICK_MS,
    async work() {
      const begun = performance.now()
      if (begun < restUntil) return
      if (gate.isFlooded() && begun < steppedAt + FLOODED_EVERY_MS) return
      steppedAt = begun
      const hasMore = await indexer.step(clock.now())
      const share = indexingShare(indexer.behindMs(), gate.isBusy())
      const now = performance.now()
      const restMs = (now - begun) * (1 / share - 1)
      restUntil = now + (hasMore ? restMs : Math.max(restMs, everyMs))
    },
    failed: (error) => log.error({ err: error }, 'orders could not be indexed for search'),
  })
}
