// Bulk refunds: orders are checked first, then one person starts their refunds, and a worker makes them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createBulkRefundHandlers } from '../../src/interfaces/backoffice/bulk-refunds/handlers.ts'
import { startBulkRefunds } from '../../src/interfaces/backoffice/bulk-refunds/worker.ts'
import { openRefundBatches } from '../../src/money/refunds/batches.ts'
import { formatAmount } from '../../src/platform/base/money.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { callOf, didIt, type Gateway } from '../gateway.ts'
import { mustPick, operation, ordersOfAll, pick } from '../operation.ts'
import type { Bulk, BulkRow, Model, Order } from '../rules/facts.ts'
import { isWireAmount } from '../rules/money.ts'
import { applyRefund, leftOf, newRefund, tryOut } from '../rules/refunds.ts'
import { shareOf } from './amounts.ts'

const handlersOf = (gateway: Gateway) => createBulkRefundHandlers({ ...gateway, pokeBulkRefunds: () => {} })

const REASON = 'by the model'

export const checkBulk = operation({
  name: 'checkBulk',
  weight: 3,
  input: fc.record({
    shop: fc.nat(3),
    rows: fc.array(
      fc.record({
        order: fc.nat(),
        share: fc.constantFrom('left' as const, 'left' as const, 1_000, 500, 90, 1_001),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  isPossible: ({ orders }) => orders.some(({ money }) => money !== undefined),
  async run(model, gateway, { shop: at, rows: wanted }) {
    const paid = model.orders.filter(({ money }) => money !== undefined)
    const shop = mustPick(paid, at).shop
    const own = model.orders.filter((one) => one.shop === shop)
    const ownPaid = own.filter(({ money }) => money !== undefined)
    const given = wanted.map(({ order: no, share }) => {
      const order = mustPick(no % 5 > 0 ? ownPaid : own, no)
      const amount = share === 'left' ? undefined : amountOf(order, share)
      return { order, amount }
    })
    const body = {
      reason: REASON,
      rows: given.map(({ order, amount }) => {
        const text = amount === undefined ? '' : formatAmount(amount, order.currency)
        return { number: order.tradeNo, amount: text }
      }),
    }
    const { bulkId } = await handlersOf(gateway)['POST /bulk-refunds']({ ...callOf(shop), body })
    const rows = given.map(({ order, amount = leftOf(order) }, no): BulkRow => {
      const isRepeated = given.slice(0, no).some((one) => one.order === order)
      const mayBe = !isRepeated && amount > 0n && isWireAmount(amount, order.currency)
      return { order, amount, state: mayBe ? 'ready' : 'refused' }
    })
    const bulk: Bulk = { shop, bulkId, rows, state: 'checked' }
    const ready = rows.filter(({ state }) => state === 'ready')
    tryOut(ordersOf(ready), () => {
      for (const row of ready) if (!isMade(model, bulk, row)) row.state = 'refused'
      return false
    })
    model.bulks.push(bulk)
  },
})

function amountOf(order: Order, share: number): bigint {
  const paid = order.money?.amount ?? order.price
  return share > 1_000 ? paid + 1n : shareOf(paid, share)
}

const ordersOf = (rows: readonly BulkRow[]) => rows.map(({ order }) => order)

function isMade(model: Model, { bulkId, rows }: Bulk, row: BulkRow, refundNo = ''): boolean {
  const { order, amount } = row
  const rowNo = rows.indexOf(row) + 1
  const merRefundNo = `${bulkId}-${rowNo}`
  const given = rowNo % 2 === 0
  const wanted = { order, amount, merRefundNo, remark: REASON, refundNo, given }
  return typeof applyRefund(model, newRefund(model, wanted)) !== 'string'
}

const checked = ({ bulks }: Model) => bulks.filter(({ state }) => state === 'checked')

/** A person starts or cancels the refunds. Of two requests at the same moment, only one succeeds. */
export const startBulk = operation({
  name: 'startBulk',
  weight: 3,
  input: fc.record({
    bulk: fc.nat(),
    words: fc.array(fc.constantFrom('start' as const, 'start' as const, 'cancel' as const), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  isPossible: (model) => checked(model).length > 0,
  async run(model, gateway, { bulk: at, words }) {
    const bulk = mustPick(checked(model), at)
    const handlers = handlersOf(gateway)
    const { bulkId } = bulk
    const call = { ...callOf(bulk.shop), params: { bulkId } }
    const say = (word: 'start' | 'cancel') =>
      word === 'start'
        ? handlers['POST /bulk-refunds/:bulkId/start']({ ...call, body: { version: 1 } })
        : handlers['DELETE /bulk-refunds/:bulkId']({ ...call, body: undefined })
    const done = await Promise.all(words.map((word) => didIt(say(word))))
    assert.equal(done.filter(Boolean).length, 1, 'one word counts')
    bulk.state = pick(words, done.indexOf(true)) === 'cancel' ? 'cancelled' : 'done'
    if (bulk.state === 'done') await makeRefunds(model, gateway, bulk)
  },
})

/**
 * The gateway makes the refunds in parallel. The results must fit the rules for at least one sequence of the refunds.
 */
async function makeRefunds(model: Model, gateway: Gateway, bulk: Bulk): Promise<void> {
  const { db, rates } = gateway
  const refundBatches = openRefundBatches({ db, rates }, 1_000, () => {})
  const worker = startBulkRefunds({ ...gateway, refundBatches, poke: () => {}, everyMs: 3_600_000 })
  const text = 'select state from bulk_refunds where bulk_id = $1'
  const isDone = async () => {
    const [row] = await db.query<{ state: string }>({ text, values: [bulk.bulkId] })
    return row?.state === 'done'
  }
  assert.ok(await eventually(isDone), 'the worker ends')
  await worker.stop()
  const made = await db.query<{ row_no: number; refund_no: string | null }>({
    text: 'select row_no, refund_no from bulk_refund_rows where bulk_id = $1',
    values: [bulk.bulkId],
  })
  const refundNos = new Map(made.map((row) => [bulk.rows[row.row_no - 1], row.refund_no ?? undefined]))
  const ready = bulk.rows.filter(({ state }) => state === 'ready')
  const isExplained = ordersOfAll(ready).some((some) =>
    tryOut(ordersOf(some), () =>
      some.every((row) => {
        const refundNo = refundNos.get(row)
        return isMade(model, bulk, row, refundNo) === (refundNo !== undefined)
      }),
    ),
  )
  assert.ok(isExplained, 'the refunds of the bulk are made or refused as the rules say')
  for (const row of ready) row.state = refundNos.get(row) === undefined ? 'failed' : 'accepted'
  for (const { state } of bulk.rows) gateway.count(`row of a bulk ${state}`)
}
