import type { Logger } from 'pino'
import { type Interval, type PokedRepetition, repeat } from '../../../platform/concurrency/repeat.ts'
import { startScheduled } from './schedule.ts'
import { claimExport, deleteExport, type ExportRow, endExport, selectExpired } from './sql.ts'
import { LEASE_MS, type WriteDeps, writeExport } from './write-export.ts'

export type ExportWorkerDeps = WriteDeps & { readonly log: Logger }

const EXPIRED_AT_ONCE = 10

/** Writes exports, starts scheduled exports, and deletes expired exports. Any number of nodes may run this worker. */
export function startExports(deps: ExportWorkerDeps & Interval): PokedRepetition {
  const { db, clock, log } = deps
  let stopping = false
  const repetition = repeat({
    everyMs: deps.everyMs,
    async work() {
      while (!stopping && (await startScheduled(deps, clock.now())));
      for (const { merNo, exportId } of await selectExpired(db, clock.now(), EXPIRED_AT_ONCE))
        await db.transaction((tx) => deleteExport(tx, merNo, exportId))
      for (;;) {
        const now = clock.now()
        const claimed = stopping ? undefined : await claimExport(db, now, new Date(now.getTime() + LEASE_MS))
        if (claimed === undefined) return
        await write(claimed)
      }
    },
    failed: (error) => log.error({ err: error }, 'exports could not be written'),
  })

  async function write(claimed: ExportRow): Promise<void> {
    try {
      await writeExport(deps, claimed, () => stopping)
    } catch (error) {
      log.error({ err: error, exportId: claimed.exportId }, 'an export could not be written')
      await endExport(db, claimed, 'It could not be written. Start it again.', clock.now())
    }
  }

  return {
    poke: repetition.poke,
    stop() {
      stopping = true
      return repetition.stop()
    },
  }
}
