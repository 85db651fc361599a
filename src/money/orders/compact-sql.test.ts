import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDecline, aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { sweep } from '../../platform/postgres/sweep.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { expandOrders, lostCalls } from './compact-sql.ts'
import { lockOrder, lockOrders } from './lock-orders.ts'
import type { NewPayment } from './new-order.ts'
import { compareKeys, orderKeys, State } from './order.ts'

const database = useDatabase({
  after: ({ db }) => assertMoneySound(db),
})

async function accepted(): Promise<NewPayment> {
  const payment = aPayment()
  await acceptPayments(database.db, [payment])
  return payment
}

const record = (report: ReturnType<typeof aSuccess>) =>
  recordOutcomes({ db: database.db, rates: noRates }, [report])

/** Returns the order's rows in the views, and the number of its rows in the tables behind the views. */
async function shown({ merNo, tradeNo }: NewPayment) {
  const values = [merNo, tradeNo]
  const of = 'where mer_no = $1 and trade_no = $2'
  const [attempts, events, rows] = await Promise.all([
    database.db.query({ text: `select * from attempts ${of}`, values }),
    database.db.query({ text: `select * from order_events ${of} order by version`, values }),
    database.db.query({
      text: `select (select count(*)::int from attempt_rows ${of}) + (select count(*)::int from order_event_rows ${of}) as rows`,
      values,
    }),
  ])
  return { attempts, events, rows: Number(rows[0]?.rows) }
}

const expand = (payment: NewPayment) =>
  database.db
    .transaction((tx) => tx.query(expandOrders([{ order: payment, expands: true }])))
    .then(() => shown(payment))

test('an attempt under way, paid or declined looks the same in the row of its order and in one of its own', async () => {
  const [open, paid, declined] = [await accepted(), await accepted(), await accepted()]
  await record(aSuccess(paid))
  await record(aDecline(declined))
  for (const [payment, rows] of [
    [open, 1],
    [paid, 2],
    [declined, 2],
  ] as const) {
    const before = await shown(payment)
    assert.equal(before.rows, 0)
    assert.deepEqual(await expand(payment), { ...before, rows })
    assert.equal(before.attempts.length, 1)
    assert.equal(before.events.length, rows - 1)
  }
  await assert.rejects(expand(paid), { code: 'TG001' }, 'it is no longer compact')
})

test('the sweep makes lost calls attempts that can be claimed, and leaves decided orders compact', async () => {
  const [lost, paid] = [await accepted(), await accepted()]
  await record(aSuccess(paid))
  const before = await shown(lost)
  await sweep(database.db, lostCalls)
  assert.deepEqual(await shown(lost), { ...before, rows: 1 })
  assert.equal((await shown(paid)).rows, 0)
})

test('a sweep spares what was stored by the given transaction or later, and the next one finds it', async () => {
  const old = await accepted()
  const next = await sweep(database.db, lostCalls, 0n)
  const young = await accepted()
  await sweep(database.db, lostCalls, next)
  assert.deepEqual({ old: (await shown(old)).rows, young: (await shown(young)).rows }, { old: 1, young: 0 })
  await sweep(database.db, lostCalls)
  assert.equal((await shown(young)).rows, 1)
})

test('an answer that comes after the sweep is recorded in the row that the sweep has made', async () => {
  for (const report of [aSuccess, aDecline]) {
    const payment = await accepted()
    await sweep(database.db, lostCalls)
    await record(report(payment))
    const { attempts, events, rows } = await shown(payment)
    assert.deepEqual(
      { attempts: attempts.length, events: events.length, rows },
      { attempts: 1, events: 1, rows: 2 },
    )
  }
})

test('of a sweep and an answer at the same time neither loses the outcome', async () => {
  for (let round = 0; round < 20; round++) {
    const payment = await accepted()
    await Promise.all([sweep(database.db, lostCalls), record(aSuccess(payment))])
    const { attempts, events } = await shown(payment)
    assert.deepEqual(
      attempts.map((row) => [row.attempt_no, row.state, row.channel_ref, row.ask_at]),
      [[1, 'succeeded', 'channel-1', null]],
    )
    assert.deepEqual(
      events.map((row) => [row.version, row.from_state, row.to_state]),
      [[2, State.processing, State.succeeded]],
    )
  }
})

test('an open call of any age counts as under way until it has a row, then as an open attempt', async () => {
  const payment = await accepted()
  const isUnderWay = async () => {
    const [row] = await database.db.query<{ calls: number }>({
      text: 'select count(*)::int as calls from calls_under_way($1) as trade_no where trade_no = $2',
      values: [payment.merNo, payment.tradeNo],
    })
    return row?.calls === 1
  }
  assert.ok(await isUnderWay())
  await sweep(database.db, lostCalls, 0n)
  assert.ok(await isUnderWay())
  await sweep(database.db, lostCalls)
  assert.ok(!(await isUnderWay()))
})

test('a batch locks all its orders in turn before it expands one', async () => {
  const [first, second] = [await accepted(), await accepted()].sort(compareKeys)
  assert.ok(first && second)
  const action = { kind: 'redirect', url: 'https://pay.example' } as const
  const waits = aSuccess(second, { outcome: { kind: 'pending', channelRef: 'c', action } })
  let recording: Promise<unknown> | undefined
  await database.db.transaction(async (tx) => {
    await lockOrder(tx, first)
    recording = recordOutcomes({ db: database.db, rates: noRates }, [waits, aSuccess(first)])
    await waitUntilSomebodyWaits(database.db)
    const text = 'select from orders where trade_no = $1 for update skip locked'
    assert.equal(
      (await tx.query({ text, values: [second.tradeNo] })).length,
      1,
      'nobody has locked the second',
    )
  })
  await recording
  assert.deepEqual(
    { first: (await shown(first)).rows, second: (await shown(second)).rows },
    { first: 0, second: 1 },
  )
})

/** Returns how many rows of the table `orders` the work reads in a transaction with `byKey`. */
function rowsRead(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return database.db.transaction(
    async (tx) => {
      const before = await readSoFar(tx)
      await work(tx)
      return (await readSoFar(tx)) - before
    },
    { byKey: true },
  )
}

async function readSoFar(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ read: number }>({
    text: `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'orders'`,
  })
  return row?.read ?? 0
}

test('orders and what the views show of them are found by key, however many there are', async () => {
  const payments = Array.from({ length: 200 }, () => aPayment())
  await acceptPayments(database.db, payments)
  const some = payments.slice(50, 53)
  const values = orderKeys.values(some)
  const joined = (view: string) => `select from ${orderKeys.text} join ${view} using (mer_no, trade_no)`
  const works: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
    lock: (tx) => lockOrders(tx, some),
    attempts: (tx) => tx.query({ text: joined('attempts'), values }),
    events: (tx) => tx.query({ text: joined('order_events'), values }),
    expand: (tx) => tx.query(expandOrders(some.map((order) => ({ order, expands: true })))),
  }
  for (const [name, work] of Object.entries(works)) {
    const read = await rowsRead(work)
    assert.ok(read >= some.length && read <= 3 * some.length, `${name} read ${read}`)
  }
})

test('a locked order says whether it is compact', async () => {
  const payment = await accepted()
  const isCompact = () => database.db.transaction(async (tx) => (await lockOrder(tx, payment))?.compact)
  assert.equal(await isCompact(), true)
  await expand(payment)
  assert.equal(await isCompact(), false)
})
