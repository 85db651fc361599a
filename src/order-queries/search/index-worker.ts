import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { type Repetition, repeat } from '../../concurrency/repeat.ts'
import type { Db } from '../../postgres/db.ts'
import { createIndexer } from './index-orders.ts'

export type IndexDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

const EVERY_MS = 1_000
/** At most this much of each second: under load searches fall behind, and payments do not wait for them. */
const BUSY_MS = 250

/** Keeps the search over orders and the counts of the overview up to date, some seconds behind payments. */
export function startIndexing({ db, clock, log }: IndexDeps): Repetition {
  const indexer = createIndexer(db)
  let stopping = false
  const repetition = repeat({
    everyMs: EVERY_MS,
    async work() {
      const begun = performance.now()
      while ((await indexer.step(clock.now())) && !stopping && performance.now() - begun < BUSY_MS);
    },
    failed: (error) => log.error({ err: error }, 'orders could not be indexed for search'),
  })
  return {
    stop() {
      stopping = true
      return repetition.stop()
    },
  }
}
