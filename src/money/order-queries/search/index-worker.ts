import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { type Repetition, repeat } from '../../concurrency/repeat.ts'
import type { Db } from '../../postgres/db.ts'
import { createIndexer } from './index-orders.ts'

export type IndexDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  /** Whether this process refuses merchants because it has too much to do. */
  readonly gate: { isFlooded(): boolean; isBusy(): boolean }
}

/** When everything is indexed. */
const EVERY_MS = 1_000
const TICK_MS = 50
/** In a flood, so that searches do not stand still for as long as it lasts. */
const FLOODED_EVERY_MS = 30_000

const shares = [
  { behindMs: 60 * 60_000, share: 0.5 },
  { behindMs: 10 * 60_000, share: 0.25 },
]

/**
 * The share of the time that indexing may take. A peak of payments has the machine almost to itself, and searches fall
 * behind; the further behind they are, the more of it they take back.
 */
export function indexingShare(behindMs: number, isBusy: boolean): number {
  const late = shares.find((one) => behindMs >= one.behindMs)
  return late?.share ?? (isBusy ? 0.03 : 0.1)
}

/** Keeps the search over orders and the counts of the overview up to date, some seconds behind payments. */
export function startIndexing({ db, clock, log, gate }: IndexDeps): Repetition {
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
      restUntil = now + (hasMore ? restMs : Math.max(restMs, EVERY_MS))
    },
    failed: (error) => log.error({ err: error }, 'orders could not be indexed for search'),
  })
}
