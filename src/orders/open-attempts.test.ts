import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aDecline, aPayment, aSuccess, noRates } from '../../test/builders.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { explainOrder } from '../order-queries/explain-order.ts'
import { listUnresolved } from '../order-queries/list-unresolved.ts'
import { queryTotals } from '../order-queries/sum-totals.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes, recordOutcomesIn } from '../payments/record-outcomes.ts'
import type { TransactionOptions, Tx } from '../postgres/db.ts'
import { sweep } from '../postgres/sweep.ts'
import type { NewPayment } from './new-order.ts'
import { claimAttempts, sweptCalls } from './open-attempts.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

const doSweep = () => sweep(database.db, sweptCalls)

async function accepted(merNo: number): Promise<NewPayment> {
  const payment = aPayment({ merNo })
  await acceptPayments(database.db, [payment])
  return payment
}

const claim = (now: Date) =>
  claimAttempts(database.db, { now, leaseUntil: new Date(now.getTime() + 60_000), limit: 50, busy: [] })

/** Everything that means "open", about the only payment of its merchant. */
async function seenOf({ merNo, tradeNo }: NewPayment) {
  const unresolved = await listUnresolved(database.db, {
    merNo,
    openSince: new Date(Date.now() + 3_600_000),
    limit: 10,
  })
  const { source } = await queryTotals(database.db, {
    merNo,
    firstDay: undefined,
    lastDay: undefined,
    states: [1],
    currencies: [],
    settleCurrencies: [],
    settled: [],
    merOrderNos: [],
  })
  const explained = await explainOrder(database.db, tradeNo)
  return {
    unresolved: unresolved.map(({ state, askAt }) => `${state} ${askAt.toISOString()}`),
    processing: source.get('USD') ?? 0n,
    askAt: explained?.attempts[0]?.askAt,
  }
}

type Counts = Record<'updates' | 'updatesWithoutIndex' | 'scansOfTable' | 'scansByTransaction', number>

/** What the work did to the table, as PostgreSQL counts it; its counters go on from earlier work of the connection. */
async function countedIn(work: (tx: Tx) => Promise<unknown>, options?: TransactionOptions): Promise<Counts> {
  const text = `
    select pg_stat_get_xact_tuples_updated('attempts'::regclass)::int as "updates",
      pg_stat_get_xact_tuples_hot_updated('attempts'::regclass)::int as "updatesWithoutIndex",
      pg_stat_get_xact_numscans('attempts'::regclass)::int as "scansOfTable",
      pg_stat_get_xact_numscans('attempts_by_transaction'::regclass)::int as "scansByTransaction"`
  return database.db.transaction(async (tx) => {
    const [before] = await tx.query<Counts>({ text })
    await work(tx)
    const [after] = await tx.query<Counts>({ text })
    if (before === undefined || after === undefined) assert.fail()
    const since = (name: keyof Counts) => after[name] - before[name]
    return {
      updates: since('updates'),
      updatesWithoutIndex: since('updatesWithoutIndex'),
      scansOfTable: since('scansOfTable'),
      scansByTransaction: since('scansByTransaction'),
    }
  }, options)
}

test('a call is open before its sweep and after it, and counted once', async () => {
  const payment = await accepted(45_000_001)
  const lostAt = payment.attempt?.lostAt.toISOString()
  const open = { unresolved: [`calling ${lostAt}`], processing: payment.money.amount, askAt: lostAt }
  assert.deepEqual(await seenOf(payment), open)
  await doSweep()
  assert.deepEqual(await seenOf(payment), open)
  await recordOutcomes({ db: database.db, rates: noRates }, [aDecline(payment)])
  assert.deepEqual(await seenOf(payment), { unresolved: [], processing: 0n, askAt: null })
})

test('a call that ended before the sweep is closed, and the sweep leaves it so', async () => {
  const payment = await accepted(45_000_002)
  await recordOutcomes({ db: database.db, rates: noRates }, [aDecline(payment)])
  const closed = { unresolved: [], processing: 0n, askAt: null }
  assert.deepEqual(await seenOf(payment), closed)
  await doSweep()
  assert.deepEqual(await seenOf(payment), closed)
})

test('a swept call is claimed once it counts as lost, and not sooner', async () => {
  const payment = await accepted(45_000_003)
  await doSweep()
  const lostAt = payment.attempt?.lostAt ?? assert.fail()
  const isClaimed = async (now: Date) => (await claim(now)).some(({ tradeNo }) => tradeNo === payment.tradeNo)
  assert.equal(await isClaimed(new Date(lostAt.getTime() - 1)), false)
  assert.equal(await isClaimed(lostAt), true)
})

test('the outcome of a call that no sweep has seen writes no index entry', async (t) => {
  const [server] = await database.db.query<{ version: number }>({
    text: `select current_setting('server_version_num')::int as version`,
  })
  if ((server?.version ?? 0) < 160_000) return t.skip('PostgreSQL 15 counts BRIN indexes too')
  const payment = await accepted(45_000_004)
  const done = await countedIn((tx) => recordOutcomesIn(tx, { rates: noRates }, [aSuccess(payment)]))
  assert.deepEqual([done.updates, done.updatesWithoutIndex], [1, 1])
})

test('an open attempt without any time to ask its channel is refused', async () => {
  const { merNo } = await accepted(45_000_005)
  const set = (text: string) =>
    database.db.query({ text: `update attempts set ${text} where mer_no = $1`, values: [merNo] })
  const constraint = 'attempts_open_is_asked'
  await assert.rejects(set('lost_at = null'), { constraint })
  await assert.rejects(set(`state = 'unknown'`), { constraint })
  await assert.rejects(set(`state = 'pending'`), { constraint })
  await assert.rejects(set(`state = 'failed', ask_at = now()`), { constraint })
})

for (const byKey of [false, true]) {
  test(`calls since the last sweep are found without reading the table, by key: ${byKey}`, async () => {
    await accepted(byKey ? 45_000_006 : 45_000_007)
    const done = await countedIn((tx) => tx.query({ text: 'select from calls_not_swept()' }), { byKey })
    assert.deepEqual([done.scansOfTable, done.scansByTransaction], [0, 1])
  })
}
