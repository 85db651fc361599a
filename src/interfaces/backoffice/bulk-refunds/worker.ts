import type { Logger } from 'pino'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { type ApplyDeps, applyRefund } from '../../../money/refunds/apply-refund.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import { type Interval, type PokedRepetition, repeat } from '../../../platform/concurrency/repeat.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { Overloaded } from '../../../platform/postgres/batch.ts'
import { wantedOf } from './check-rows.ts'
import { type BulkRow, claimBulk, endBulk, type RefundRow, renewLease, selectRows, updateRow } from './sql.ts'

export type BulkWorkerDeps = ApplyDeps & {
  readonly log: Logger
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

const LEASE_MS = 60_000
/** The number of concurrent refunds. Concurrent refunds can share a transaction. */
const AT_ONCE = 20

/**
 * Makes the refunds of started bulk refunds. Each row has its own refund number, so making a refund again is
 * idempotent. If a worker stops, another worker continues after the lease and finds the refunds that were already made.
 */
export function startBulkRefunds(deps: BulkWorkerDeps & Interval): PokedRepetition {
  const { db, clock, log } = deps
  let stopping = false
  const repetition = repeat({
    everyMs: deps.everyMs,
    async work() {
      for (;;) {
        const bulk = stopping ? undefined : await claimBulk(db, clock.now(), leaseUntil())
        if (bulk === undefined) return
        await run(bulk)
      }
    },
    failed: (error) => log.error({ err: error }, 'bulk refunds could not be made'),
  })

  function leaseUntil(): Date {
    return new Date(clock.now().getTime() + LEASE_MS)
  }

  async function run(bulk: BulkRow): Promise<void> {
    const merchant = await deps.findMerchant(bulk.merNo)
    if (merchant === undefined) return
    const rows = await selectRows(db, bulk.merNo, bulk.bulkId)
    const ready = rows.filter(({ state }) => state === 'ready')
    for (let at = 0; at < ready.length; at += AT_ONCE) {
      if (stopping) return
      await renewLease(db, bulk, leaseUntil())
      await Promise.all(ready.slice(at, at + AT_ONCE).map((row) => refundRow(deps, merchant, bulk, row)))
    }
    await end(bulk)
  }

  async function end(bulk: BulkRow): Promise<void> {
    const rows = await selectRows(db, bulk.merNo, bulk.bulkId)
    const count = (state: RefundRow['state']) => rows.filter((row) => row.state === state).length
    await db.transaction(async (tx) => {
      const at = clock.now()
      if (!(await endBulk(tx, bulk, at))) return
      await writeAudit(tx, {
        merNo: bulk.merNo,
        at,
        actor: { kind: 'user', name: bulk.email, address: bulk.address },
        action: 'bulk-refund.done',
        subject: bulk.bulkId,
        after: { accepted: count('accepted'), refused: count('refused'), failed: count('failed') },
        reason: bulk.reason,
      })
    })
  }

  return {
    poke: repetition.poke,
    stop() {
      stopping = true
      return repetition.stop()
    },
  }
}

/**
 * Refunds one row. A refusal becomes the row's result. Any other error interrupts the bulk refund, which a worker
 * claims again when the lease ends.
 */
async function refundRow(deps: BulkWorkerDeps, merchant: Merchant, bulk: BulkRow, row: RefundRow) {
  const { email: name, address, reason } = bulk
  const by = { actor: { kind: 'user', name, address } as const, reason }
  try {
    const { refundNo } = await applyRefund(deps, merchant, { ...wantedOf(row, bulk.bulkId, reason), by })
    await updateRow(deps.db, bulk, row.rowNo, { state: 'accepted', message: '', refundNo })
  } catch (error) {
    if (error instanceof Overloaded || !(error instanceof Refusal)) throw error
    await updateRow(deps.db, bulk, row.rowNo, { state: 'failed', message: error.message, refundNo: null })
  }
}
