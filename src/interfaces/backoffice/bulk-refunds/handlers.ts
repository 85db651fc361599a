import type { Merchant } from '../../../money/merchants/merchant.ts'
import { actorOf, type Caller, isOperator, merchantOf } from '../../../people/roles/caller.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import { makeId, merNoOf } from '../../../platform/base/id.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { needMerchant } from '../merchant-of-call.ts'
import { money } from '../money.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { bulkRefundsApi } from './api.ts'
import { type CheckDeps, checkRows } from './check-rows.ts'
import {
  type BulkRow,
  cancelBulk,
  insertBulk,
  type RefundRow,
  selectBulk,
  selectBulks,
  selectRows,
  startBulk,
} from './sql.ts'

export type BulkHandlerDeps = CheckDeps & {
  findMerchant(merNo: number): Promise<Merchant | undefined>
  readonly pokeBulkRefunds: () => void
}

export function createBulkRefundHandlers(deps: BulkHandlerDeps): Handlers<typeof bulkRefundsApi> {
  const { db, clock } = deps
  return {
    async 'GET /bulk-refunds'({ caller, query }) {
      const bulks = await selectBulks(db, merchantOf(caller, query.merNo), PAGE_ROWS)
      return { rows: await Promise.all(bulks.map((bulk) => readBulk(db, caller, bulk))) }
    },

    async 'POST /bulk-refunds'({ caller, body }) {
      const merchant = await needMerchant(deps, merchantOf(caller, body.merNo))
      const { merNo } = merchant
      const createdAt = clock.now()
      const bulkId = makeId('G', merNo, createdAt)
      const rows = await checkRows(deps, merchant, bulkId, body.rows, body.reason)
      const { userId, email, address } = caller
      const bulk: BulkRow = {
        merNo,
        bulkId,
        userId,
        email,
        address,
        reason: body.reason,
        state: 'checked',
        version: 1,
        createdAt,
        finishedAt: null,
      }
      await db.transaction(async (tx) => {
        await insertBulk(tx, bulk, rows)
        const line = lineOf(caller, bulk, createdAt, 'bulk-refund.check')
        await writeAudit(tx, { ...line, after: { rows: rows.length, total: totalsInWords(rows) } })
      })
      return toBulk(caller, bulk, rows)
    },

    async 'GET /bulk-refunds/:bulkId'({ caller, params }) {
      const bulk = await needBulk(db, caller, params.bulkId)
      const rows = await selectRows(db, bulk.merNo, bulk.bulkId)
      return { bulk: toBulk(caller, bulk, rows), rows: rows.map(toRow) }
    },

    async 'POST /bulk-refunds/:bulkId/start'({ caller, params, body }) {
      const { merNo, bulkId, userId } = await needBulk(db, caller, params.bulkId)
      // The refunds are requested in the name of the person who checked the bulk refund. Another person who started it
      // could also approve the refunds, and would then decide alone.
      if (userId !== caller.userId)
        throw new Problem(
          'not-allowed',
          'Only the person who checked it may start it. Check the orders yourself.',
        )
      const started = await db.transaction(async (tx) => {
        const at = clock.now()
        const bulk = await startBulk(tx, { merNo, bulkId, version: body.version }, at)
        if (bulk === undefined)
          throw new Problem('conflict', 'It was started or cancelled meanwhile. Open it again.')
        await writeAudit(tx, lineOf(caller, bulk, at, 'bulk-refund.start'))
        return bulk
      })
      deps.pokeBulkRefunds()
      return readBulk(db, caller, started)
    },

    async 'DELETE /bulk-refunds/:bulkId'({ caller, params }) {
      const bulk = await needBulk(db, caller, params.bulkId)
      await db.transaction(async (tx) => {
        const at = clock.now()
        if (!(await cancelBulk(tx, bulk.merNo, bulk.bulkId, at)))
          throw new Problem('conflict', 'It was started or cancelled meanwhile. Open it again.')
        await writeAudit(tx, lineOf(caller, bulk, at, 'bulk-refund.cancel'))
      })
      return {}
    },
  }
}

function lineOf(caller: Caller, { merNo, bulkId, reason }: BulkRow, at: Date, action: string) {
  return { merNo, at, actor: actorOf(caller), action, subject: bulkId, reason }
}

function totalsInWords(rows: readonly RefundRow[]): string[] {
  const counted = rows.filter(({ state }) => state !== 'refused')
  return [...Map.groupBy(counted, ({ currency }) => currency)].map(([currency, some]) => {
    const sum = some.reduce((total, { amount }) => total + amount, 0n)
    return `${formatAmount(sum, currency)} ${currency}`
  })
}

async function needBulk(db: Db, caller: Caller, bulkId: string): Promise<BulkRow> {
  const merNo = merNoOf(bulkId)
  const isVisible = merNo !== undefined && (isOperator(caller) || merNo === caller.merNo)
  const bulk = isVisible ? await selectBulk(db, merNo, bulkId) : undefined
  if (bulk === undefined) throw new Problem('not-found', 'There is no such bulk refund.')
  return bulk
}

async function readBulk(db: Db, caller: Caller, bulk: BulkRow) {
  return toBulk(caller, bulk, await selectRows(db, bulk.merNo, bulk.bulkId))
}

function toBulk(caller: Caller, bulk: BulkRow, rows: readonly RefundRow[]) {
  const { bulkId, state, reason, userId, email, version, createdAt, finishedAt } = bulk
  const count = (wanted: RefundRow['state']) => rows.filter((row) => row.state === wanted).length
  const counted = rows.filter((row) => row.state === 'ready' || row.state === 'accepted')
  const byCurrency = Map.groupBy(counted, ({ currency }) => currency)
  return {
    bulkId,
    state,
    reason,
    email,
    isOwn: userId === caller.userId,
    version,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    counts: {
      ready: count('ready'),
      refused: count('refused'),
      accepted: count('accepted'),
      failed: count('failed'),
    },
    totals: [...byCurrency].map(([currency, some]) => {
      return money(
        some.reduce((sum, { amount }) => sum + amount, 0n),
        currency,
      )
    }),
  }
}

function toRow(row: RefundRow) {
  const { rowNo, number, tradeNo, merOrderNo, currency, amount, state, message, refundNo } = row
  const sum = currency === '' ? null : money(amount, currency)
  return { rowNo, number, tradeNo, merOrderNo, money: sum, state, message, refundNo }
}
