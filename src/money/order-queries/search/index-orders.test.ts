import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { checkSearch } from '../../../operator/doctor/checks.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { acceptPayments } from '../../payments/accept-payments.ts'
import { recordOutcomes } from '../../payments/record-outcomes.ts'
import { createIndexer, rebuildIndex } from './index-orders.ts'
import { readProgress, verifyIndex } from './verify-index.ts'

const database = useDatabase()

const start = Date.parse('2026-03-01T10:00:00Z')
const at = (seconds: number) => new Date(start + seconds * 1000)

function payment(seconds: number, changes: Partial<NewPayment> = {}): NewPayment {
  return aPayment({ createdAt: at(seconds), ...changes })
}

async function indexUntilDone(seconds: number, limit?: number): Promise<void> {
  const indexer = createIndexer(database.db, limit)
  while (await indexer.step(at(seconds)));
}

async function decline(one: NewPayment, seconds: number, message: string): Promise<void> {
  const outcome = { kind: 'failed', cause: 'declined', message } as const
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(one, { at: at(seconds), outcome })])
}

async function keysOf({ merNo, tradeNo }: NewPayment): Promise<string[]> {
  const rows = await database.db.query<{ key: string }>({
    text: 'select key from order_keys where mer_no = $1 and trade_no = $2 order by key',
    values: [merNo, tradeNo],
  })
  return rows.map(({ key }) => key)
}

/** Returns the counts of one merchant by state and reason. */
async function countsOf(merNo: number): Promise<Record<string, string>> {
  const rows = await database.db.query<{ cell: string; sums: string }>({
    text: `select state || ' ' || reason as cell, sum(orders) || ' ' || sum(amount) as sums from order_counts
      where mer_no = $1 and orders <> 0 group by state, reason order by state`,
    values: [merNo],
  })
  return Object.fromEntries(rows.map(({ cell, sums }) => [cell, sums]))
}

test('an order is indexed when it is created, and again when its state changes', async () => {
  await indexUntilDone(0)
  const merNo = 61_000_001
  const details = { billingEmail: 'Ada@Example.com', billingFirstName: 'Ada', billingLastName: 'Lovelace' }
  const one = payment(1, { merNo, details })
  await acceptPayments(database.db, [one])
  await indexUntilDone(3)
  const always = [
    'amount:10',
    'card:4242',
    'email:ada@example.com',
    'method:card',
    'name:ada',
    'name:lovelace',
  ]
  assert.deepEqual(await keysOf(one), [...always, 'state:1'])
  assert.deepEqual(await countsOf(merNo), { '1 ': '1 1000' })
  await decline(one, 4, 'Insufficient funds (ref 83920183)')
  await indexUntilDone(6)
  assert.deepEqual(await keysOf(one), [...always, 'state:6'])
  assert.deepEqual(await countsOf(merNo), { '6 Insufficient funds (ref …)': '1 1000' })
})

test('a text that looks like an escape of JSON stops nobody', async () => {
  const merNo = 61_000_004
  const one = payment(7, { merNo, details: { billingCity: '\\u0000', billingFirstName: 'Ada\\u0000' } })
  await acceptPayments(database.db, [one])
  await indexUntilDone(9)
  assert.ok((await keysOf(one)).includes('state:1'))
})

test('an order that is committed late is found when its span is checked', async () => {
  const merNo = 61_000_002
  await indexUntilDone(100)
  const late = payment(50, { merNo })
  await acceptPayments(database.db, [late])
  await indexUntilDone(110)
  assert.deepEqual(await keysOf(late), [])
  await indexUntilDone(600)
  assert.ok((await keysOf(late)).includes('state:1'))
})

test('steps are small, and an order is counted once however many nodes index', async () => {
  const merNo = 61_000_003
  const payments = Array.from({ length: 120 }, (_, index) => payment(610 + index / 10, { merNo }))
  await acceptPayments(database.db, payments)
  await Promise.all([indexUntilDone(640, 50), indexUntilDone(640, 7), indexUntilDone(640, 20)])
  await indexUntilDone(641)
  assert.deepEqual(await countsOf(merNo), { '1 ': '120 120000' })
})

test('changes are looked up once, however many steps index their orders', async () => {
  const payments = Array.from({ length: 100 }, (_, index) =>
    payment(642 + index / 100, { merNo: 61_000_009 }),
  )
  await acceptPayments(database.db, payments)
  let lookups = 0
  const db: Db = {
    ...database.db,
    transaction: (work) =>
      database.db.transaction((tx) => {
        const query: Tx['query'] = (statement) => {
          if (statement.text.includes('from order_events where at')) lookups++
          return tx.query(statement)
        }
        return work({ ...tx, query })
      }),
  }
  const indexer = createIndexer(db, 20)
  let steps = 1
  while (await indexer.step(at(645))) steps++
  assert.deepEqual({ steps, lookups }, { steps: 5, lookups: 1 })
})

test('the index is built anew from the orders', async () => {
  const before = await dump()
  await rebuildIndex(database.db, at(650))
  await indexUntilDone(660, 30)
  assert.deepEqual(await dump(), before)
})

test('the index is built anew while time goes on and payments come in', async () => {
  const merNo = 61_000_004
  const indexer = createIndexer(database.db, 30)
  const before = await dump()
  await rebuildIndex(database.db, at(700))
  const paid: NewPayment[] = []
  for (let second = 701; second < 760; second++) {
    const next = payment(second, { merNo })
    await acceptPayments(database.db, [next])
    paid.push(next)
    await indexer.step(at(second + 1))
  }
  assert.equal((await verifyIndex(database.db)).state, 'built')
  await indexUntilDone(800)
  const { keys } = await dump()
  const isNew = ({ trade_no }: { trade_no: string }) => paid.some(({ tradeNo }) => tradeNo === trade_no)
  assert.deepEqual(
    keys.filter((key) => !isNew(key)),
    before.keys,
  )
  assert.equal(new Set(keys.filter(isNew).map((key) => key.trade_no)).size, paid.length)
})

test('an order that is committed late is found while time goes on', async () => {
  const merNo = 61_000_005
  await indexUntilDone(2_020)
  const late = payment(1_970, { merNo })
  await acceptPayments(database.db, [late])
  const indexer = createIndexer(database.db)
  for (let second = 2_030; second < 2_600; second += 10) await indexer.step(at(second))
  assert.ok((await keysOf(late)).includes('state:1'))
})

async function dump() {
  const keys = await database.db.query<{ trade_no: string }>({
    text: 'select * from order_keys order by mer_no, trade_no, key',
  })
  const counts = await database.db.query({
    text: `select * from order_counts where orders <> 0 order by mer_no, local_day, hour, method, state, reason`,
  })
  return { keys, counts }
}

test('an order that the index lacks, or holds as it was before, is found', async () => {
  const [one, other] = [payment(9_000), payment(9_001)]
  await acceptPayments(database.db, [one, other])
  await decline(other, 9_002, 'Declined')
  await indexUntilDone(9_010)
  await indexUntilDone(10_000)
  const before = await verifyIndex(database.db)
  assert.deepEqual(
    { state: before.state, wrong: before.wrong, first: before.first },
    { state: 'built', wrong: 0, first: undefined },
  )
  assert.ok(before.compared >= 2)
  const progress = await readProgress(database.db)
  assert.ok(progress)
  const next = payment(0, { createdAt: progress.checked_until })
  await acceptPayments(database.db, [next, payment(10_000)])
  assert.equal((await verifyIndex(database.db)).wrong, 0, 'the index may still be behind')
  await database.db.query({
    text: 'delete from indexed_orders where trade_no = $1',
    values: [one.tradeNo],
  })
  await database.db.query({
    text: 'update indexed_orders set version = version - 1 where trade_no = $1',
    values: [other.tradeNo],
  })
  assert.equal((await verifyIndex(database.db)).wrong, 2)
  const { status, found, todo } = await checkSearch(database.db)
  assert.deepEqual({ status, todo }, { status: 'warn', todo: 'run "search rebuild"' })
  assert.match(found, /^2 of \d+ orders are missing or out of date/)
  await rebuildIndex(database.db, at(10_000))
  assert.equal((await verifyIndex(database.db)).state, 'building')
  await indexUntilDone(11_000)
  assert.equal((await verifyIndex(database.db)).wrong, 0)
})

/** Runs the indexer every five seconds, from one moment to another. */
async function indexFrom(first: number, last: number): Promise<void> {
  const indexer = createIndexer(database.db)
  for (let second = first; second <= last; second += 5) while (await indexer.step(at(second)));
}

test('what becomes visible almost five minutes late is found: no span is checked before', async () => {
  const [made, changed] = [payment(20_010, { merNo: 61_000_006 }), payment(20_001, { merNo: 61_000_006 })]
  await acceptPayments(database.db, [changed])
  await indexFrom(20_005, 20_305)
  assert.ok((await keysOf(changed)).includes('state:1'))
  // The two changes carry the time 20 010, but they are committed almost five minutes later.
  await acceptPayments(database.db, [made])
  await decline(changed, 20_010, 'Declined')
  await indexFrom(20_306, 20_308)
  assert.deepEqual(
    { made: await keysOf(made), changed: (await keysOf(changed)).includes('state:1') },
    { made: [], changed: true },
  )
  await indexFrom(20_310, 20_450)
  assert.ok((await keysOf(made)).includes('state:1'))
  assert.ok((await keysOf(changed)).includes('state:6'))
  assert.deepEqual(await countsOf(61_000_006), { '1 ': '1 1000', '6 Declined': '1 1000' })
})

test('what becomes visible two seconds late is found at once, also by a worker that has just started', async () => {
  await indexUntilDone(21_000)
  for (const [merNo, second, isNew] of [
    [61_000_007, 21_010, false],
    [61_000_008, 21_020, true],
  ] as const) {
    const [made, changed] = [payment(second, { merNo }), payment(second - 5, { merNo })]
    await acceptPayments(database.db, [changed])
    const indexer = createIndexer(database.db)
    while (await indexer.step(at(second + 2)));
    await acceptPayments(database.db, [made])
    await decline(changed, second, 'Declined')
    const next = isNew ? createIndexer(database.db) : indexer
    while (await next.step(at(second + 2.5)));
    assert.ok((await keysOf(made)).includes('state:1'))
    assert.ok((await keysOf(changed)).includes('state:6'))
  }
})
