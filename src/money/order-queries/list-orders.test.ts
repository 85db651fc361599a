import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { insertPayments } from '../orders/new-order.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { type AsOf, takeAsOf } from './as-of.ts'
import { listOrders } from './list-orders.ts'

const database = useDatabase()

const ever = { kind: 'span', from: new Date('2000-01-01'), until: new Date('2100-01-01') } as const

async function accepted(changes: Partial<NewPayment>): Promise<NewPayment> {
  const payment = aPayment(changes)
  await acceptPayments(database.db, [payment])
  return payment
}

async function tradeNos(merNo: number, asOf: AsOf, offset = 0, limit = 500): Promise<string[]> {
  const { orders } = await listOrders(database.db, { merNo, selection: ever, asOf }, { offset, limit })
  return orders.map((order) => order.tradeNo)
}

async function totalOf(merNo: number, asOf: AsOf): Promise<number> {
  return (await listOrders(database.db, { merNo, selection: ever, asOf }, { offset: 0, limit: 1 })).total
}

test('orders are listed newest first, and those of the same time by number', async () => {
  const merNo = 51_000_001
  const at = new Date('2026-05-01T10:00:00Z')
  const together = [await accepted({ merNo, createdAt: at }), await accepted({ merNo, createdAt: at })]
  const older = await accepted({ merNo, createdAt: new Date(at.getTime() - 1) })
  const newer = await accepted({ merNo, createdAt: new Date(at.getTime() + 1) })
  const twins = together
    .map((order) => order.tradeNo)
    .sort()
    .reverse()
  const asOf = await takeAsOf(database.db, new Date())
  assert.deepEqual(await tradeNos(merNo, asOf), [newer.tradeNo, ...twins, older.tradeNo])
})

test('pages do not change while orders arrive, even one that was already being accepted', async () => {
  const merNo = 51_000_002
  const now = new Date()
  const known = [await accepted({ merNo, createdAt: now }), await accepted({ merNo, createdAt: now })]
  const late = aPayment({ merNo, createdAt: new Date(now.getTime() - 5) })
  const asOf = await database.db.transaction(async (tx) => {
    await tx.query(insertPayments([late]))
    return takeAsOf(database.db, now)
  })
  await accepted({ merNo, createdAt: new Date(now.getTime() + 5) })
  assert.deepEqual((await tradeNos(merNo, asOf)).sort(), known.map((order) => order.tradeNo).sort())
  assert.equal(await totalOf(merNo, asOf), 2)
  const fresh = await takeAsOf(database.db, now)
  assert.equal((await tradeNos(merNo, fresh)).length, 4)
  assert.equal(await totalOf(merNo, fresh), 4)
})

test('a page that is read while others pay shows no order twice and leaves none out', async () => {
  const merNo = 51_000_003
  const seed = await Promise.all(Array.from({ length: 40 }, () => accepted({ merNo })))
  let paying = true
  const arrivals = Array.from({ length: 4 }, async () => {
    while (paying) await accepted({ merNo })
  })
  const asOf = await takeAsOf(database.db, new Date())
  const total = await totalOf(merNo, asOf)
  const seen: string[] = []
  for (let offset = 0; offset < total; offset += 7) seen.push(...(await tradeNos(merNo, asOf, offset, 7)))
  paying = false
  await Promise.all(arrivals)
  assert.equal(seen.length, total)
  assert.equal(new Set(seen).size, total)
  for (const { tradeNo } of seed) assert.ok(seen.includes(tradeNo))
})

test("payouts and other merchants' orders are not listed", async () => {
  const merNo = 51_000_004
  const { tradeNo } = await accepted({ merNo })
  await accepted({ merNo: 51_000_005 })
  const payout = await accepted({ merNo })
  await database.db.query({
    text: `update orders set kind = 'payout' where mer_no = $1 and trade_no = $2`,
    values: [merNo, payout.tradeNo],
  })
  const asOf = await takeAsOf(database.db, new Date())
  assert.deepEqual(await tradeNos(merNo, asOf), [tradeNo])
  for (const numbers of [
    [tradeNo, payout.tradeNo],
    [tradeNo, 'unknown'],
  ]) {
    const selection = { kind: 'tradeNos', numbers } as const
    const page = { offset: 0, limit: 9 }
    const { total, orders } = await listOrders(database.db, { merNo, selection, asOf }, page)
    assert.deepEqual(
      { total, tradeNos: orders.map((order) => order.tradeNo) },
      { total: 1, tradeNos: [tradeNo] },
    )
  }
})
