import type { Logger } from 'pino'
import { writeAudit } from '../../audit-log/write-entry.ts'
import { type PokedRepetition, repeat } from '../../concurrency/repeat.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { Overloaded } from '../../postgres/batch.ts'
import { type ApplyDeps, applyRefund } from '../../refunds/apply-refund.ts'
import { wantedOf } from './check-rows.ts'
import { type BulkRow, claimBulk, endBulk, type RefundRow, renewLease, selectRows, updateRow } from './sql.ts'

export type BulkWorkerDeps = ApplyDeps & {
  readonly log: Logger
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

const EVERY_MS = 2_000
const LEASE_MS = 60_000
/** Refunds that are sent together; they share a transaction. */
const AT_ONCE = 20

/**
 * Makes the refunds of bulks that people started. Each row has its own refund number, so a worker that takes over may repeat
 * rows: the repetition finds the refund that was made.
 */
export function startBulkRefunds(deps: BulkWorkerDeps): PokedRepetition {
  const { db, clock, log } = deps
  let stopping = false
  const repetition = repeat({
    everyMs: EVERY_MS,
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

/** A refusal is the row's result. Anything else stops the round; the lease brings the bulk back. */
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
