import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aPayment } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { type AsOf, committedBefore, takeAsOf } from './as-of.ts'
import { listOrders } from './list-orders.ts'
import { addMilestones, dropWrongMilestones } from './milestones.ts'

const database = useDatabase()

const SPACING = 100
const SHOPS = 3
const SECOND_MS = 1000
const MINUTE_MS = 60_000
let runs = 0

/** The orders of a round share a few creation times, so that many orders have the same time. */
const rounds = fc.array(
  fc.record({
    minutes: fc.integer({ min: 1, max: 15 }),
    orders: fc.array(fc.record({ shop: fc.nat(SHOPS - 1), ticks: fc.nat(9) }), {
      maxLength: 500,
      size: 'max',
    }),
    adding: fc.constantFrom('not', 'once', 'by two nodes', 'and killed'),
    killedAfter: fc.integer({ min: 1, max: 5 }),
    asks: fc.array(
      fc.record({
        shop: fc.nat(SHOPS - 1),
        fromSeconds: fc.integer({ min: -700, max: 4000 }),
        seconds: fc.integer({ min: 1, max: 4000 }),
        offset: fc.oneof(fc.nat(30), fc.nat(700)),
        limit: fc.constantFrom(1, 15, 500),
      }),
      { minLength: 2, maxLength: 8 },
    ),
  }),
  { minLength: 2, maxLength: 4 },
)

type Round = typeof rounds extends fc.Arbitrary<(infer One)[]> ? One : never
type Ask = Round['asks'][number]
type View = { readonly asOf: AsOf; readonly orders: readonly NewPayment[] }

const start = new Date('2026-02-01T00:00:00Z')
const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** Returns the expected list, from a scan of every order. */
function byHand(orders: readonly NewPayment[], merNo: number, from: Date, until: Date): string[] {
  return orders
    .filter((one) => one.merNo === merNo && one.createdAt >= from && one.createdAt < until)
    .map((one) => `${one.createdAt.toISOString()} ${one.tradeNo}`)
    .sort()
    .reverse()
    .map((line) => line.split(' ')[1] ?? '')
}

async function assertAgrees({ asOf, orders }: View, firstShop: number, ask: Ask): Promise<void> {
  const merNo = firstShop + ask.shop
  const from = later(start, ask.fromSeconds * SECOND_MS)
  const selection = { kind: 'span', from, until: later(from, ask.seconds * SECOND_MS) } as const
  const found = await listOrders(database.db, { merNo, selection, asOf }, ask)
  const expected = byHand(orders, merNo, from, selection.until)
  assert.equal(found.total, expected.length)
  assert.deepEqual(
    found.orders.map((order) => order.tradeNo),
    expected.slice(ask.offset, ask.offset + ask.limit),
  )
}

/** Returns a database that fails every statement after this many statements, like a killed process. */
function dyingAfter(statements: number): Queryable {
  let left = statements
  return {
    query(statement) {
      if (left-- === 0) throw new Error('killed')
      return database.db.query(statement)
    },
  }
}

async function lay({ adding, killedAfter }: Round, until: Date): Promise<void> {
  const work = (db: Queryable) => addMilestones(db, until, { atOnce: SPACING })
  if (adding === 'once') await work(database.db)
  if (adding === 'by two nodes') await Promise.all([work(database.db), work(database.db)])
  if (adding === 'and killed') await work(dyingAfter(killedAfter)).catch(() => {})
}

async function placesOf(merNo: number): Promise<string[]> {
  const rows = await database.db.query<{ place: bigint; trade_no: string }>({
    text: 'select place, trade_no from order_milestones where mer_no = $1 order by place',
    values: [merNo],
  })
  return rows.map((row) => `${row.place} ${row.trade_no}`)
}

async function assertLaid(orders: readonly NewPayment[], firstShop: number, until: Date): Promise<void> {
  for (let merNo = firstShop; merNo < firstShop + SHOPS; merNo++) {
    const inOrder = byHand(orders, merNo, later(start, -MINUTE_MS * 60), until).reverse()
    const expected = inOrder.map((tradeNo, at) => ({ tradeNo, place: at + 1 }))
    const milestones = expected.filter(({ place }) => place % SPACING === 0)
    assert.deepEqual(
      await placesOf(merNo),
      milestones.map(({ place, tradeNo }) => `${place} ${tradeNo}`),
    )
  }
}

test('totals and pages agree with a scan of every order, with all milestones, some or none', async () => {
  let milestonesMet = 0
  const property = fc.asyncProperty(rounds, async (sequence) => {
    // Each run uses lower merchant numbers than the runs before. Milestones are added in order of merchant numbers, so
    // a process that dies early dies while it adds the milestones of these merchants.
    const firstShop = 53_000_000 - SHOPS * ++runs
    const views: View[] = []
    let orders: readonly NewPayment[] = []
    let now = start
    for (const round of sequence) {
      now = later(now, round.minutes * MINUTE_MS)
      const payments = round.orders.map(({ shop, ticks }) =>
        aPayment({ merNo: firstShop + shop, createdAt: later(now, -ticks * 29 * SECOND_MS) }),
      )
      if (payments.length > 0) await acceptPayments(database.db, payments)
      orders = [...orders, ...payments]
      await lay(round, committedBefore({ at: now }))
      if (round.adding === 'once' || round.adding === 'by two nodes')
        await assertLaid(orders, firstShop, committedBefore({ at: now }))
      views.push({ asOf: await takeAsOf(database.db, now), orders })
      for (const view of views) for (const ask of round.asks) await assertAgrees(view, firstShop, ask)
    }
    milestonesMet += (await placesOf(firstShop)).length
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
  assert.ok(milestonesMet > 0, 'no run added a milestone')
})

test('an order that is written too late makes milestones wrong, and they are rebuilt', async () => {
  const merNo = 54_000_001
  const make = (seconds: number) => aPayment({ merNo, createdAt: later(start, seconds * SECOND_MS) })
  await acceptPayments(
    database.db,
    Array.from({ length: 250 }, (_, at) => make(at)),
  )
  await addMilestones(database.db, later(start, 3600 * SECOND_MS))
  assert.deepEqual(await dropWrongMilestones(database.db), [])
  const laid = await placesOf(merNo)
  assert.equal(laid.length, 2)
  await acceptPayments(database.db, [make(-1)])
  assert.deepEqual(await dropWrongMilestones(database.db), [BigInt(merNo)])
  await addMilestones(database.db, later(start, 3600 * SECOND_MS))
  assert.equal((await placesOf(merNo)).length, 2)
  assert.notDeepEqual(await placesOf(merNo), laid)
  assert.deepEqual(await dropWrongMilestones(database.db), [])
})
