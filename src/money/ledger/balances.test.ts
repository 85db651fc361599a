import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balancesOf } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Queryable, Statement } from '../../platform/postgres/db.ts'
import { AVAILABLE, FEES, UNSETTLED } from './account.ts'
import { foldBalances, splitBalances } from './balances.ts'
import { type Entry, postEntries } from './post-entries.ts'
import { bookedCurrencies, readBalances } from './read-balances.ts'
import { verifyLedger } from './verify-ledger.ts'

const database = useDatabase()

let count = 0
function entry(merNo: number, debit: string, credit: string, amount: bigint, currency = 'USD'): Entry {
  const money = { amount, currency }
  return { merNo, subject: `S${++count}`, step: 'moved', debit, credit, money, at: new Date() }
}

const post = (entries: readonly Entry[]) => database.db.transaction((tx) => postEntries(tx, entries))

async function unsettledOf(merNo: number): Promise<Record<string, bigint>> {
  const balances = await readBalances(database.db, merNo)
  return Object.fromEntries(balances.map(({ currency, unsettled }) => [currency, unsettled]))
}

async function waiting(merNo: number): Promise<number> {
  const [row] = await database.db.query<{ deltas: number }>({
    text: 'select count(*)::int as deltas from balance_deltas where $1 = any (mer_nos)',
    values: [merNo],
  })
  return row?.deltas ?? 0
}

test('a batch adds one delta per account and currency, with debits and credits per merchant', async () => {
  const [one, other] = [54_000_001, 54_000_002]
  await post([
    entry(one, 'rail:{"odd", name}', UNSETTLED, 1000n),
    entry(other, 'rail:card', UNSETTLED, 70n),
    entry(one, UNSETTLED, FEES, 29n),
    entry(one, 'rail:{"odd", name}', UNSETTLED, 5n, 'EUR'),
    entry(one, 'rail:{"odd", name}', UNSETTLED, 2n ** 53n + 1n),
  ])
  assert.deepEqual({ one: await waiting(one), other: await waiting(other) }, { one: 5, other: 2 })
  const all = await database.db.query({ text: 'select from balance_deltas' })
  assert.equal(all.length, 6, 'both merchants share one')
  const large = 2n ** 53n + 1n
  const sides = await database.db.query({
    text: 'select account, currency, debits, credits from balances where mer_no = $1 order by account, currency',
    values: [one],
  })
  assert.deepEqual(sides, [
    { account: UNSETTLED, currency: 'EUR', debits: 0n, credits: 5n },
    { account: UNSETTLED, currency: 'USD', debits: 29n, credits: 1000n + large },
    { account: FEES, currency: 'USD', debits: 0n, credits: 29n },
    { account: 'rail:{"odd", name}', currency: 'EUR', debits: 5n, credits: 0n },
    { account: 'rail:{"odd", name}', currency: 'USD', debits: 1000n + large, credits: 0n },
  ])
  assert.deepEqual(await balancesOf(database.db, other), {
    'merchant:unsettled USD': 70n,
    'rail:card USD': -70n,
  })
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(await unsettledOf(one), { EUR: 5n, USD: 971n + large })
    assert.deepEqual(await unsettledOf(other), { USD: 70n })
    assert.deepEqual(await unsettledOf(54_000_009), {})
    await foldBalances(database.db, 100)
  }
})

test('folding in portions of any size leaves every balance unchanged and no delta behind', async () => {
  const merNo = 54_000_003
  for (const amount of [100n, 20n, 3n]) await post([entry(merNo, 'rail:card', UNSETTLED, amount)])
  const before = await balancesOf(database.db, merNo)
  assert.equal(before['merchant:unsettled USD'], 123n)
  for (let folded = 1; folded > 0; ) {
    folded = await foldBalances(database.db, 2)
    assert.deepEqual(await balancesOf(database.db, merNo), before)
    assert.deepEqual((await verifyLedger(database.db)).differences, [])
  }
  assert.equal(await waiting(merNo), 0)
  await post([entry(merNo, UNSETTLED, AVAILABLE, 123n)])
  assert.deepEqual(await balancesOf(database.db, merNo), {
    'merchant:available USD': 123n,
    'rail:card USD': -123n,
  })
})

test('a part that is left out keeps a delta of several merchants waiting until it is split', async () => {
  const [bad, good, late] = [54_000_005, 54_000_006, 54_000_007]
  const merchants = [bad, good, late]
  await foldBalances(database.db, 100)
  await post(merchants.map((merNo) => entry(merNo, 'rail:card', UNSETTLED, 100n)))
  await post([entry(bad, 'rail:card', UNSETTLED, 7n, 'EUR')])
  const look = () => Promise.all(merchants.map((merNo) => balancesOf(database.db, merNo)))
  const before = await look()
  const part = { merNo: bad, currency: 'USD' }
  assert.equal(await foldBalances(database.db, 100, { parts: [part], only: true }), 0)
  assert.equal(await foldBalances(database.db, 100, { parts: [part], only: false }), 2, 'its euros')
  assert.deepEqual(await Promise.all(merchants.map(waiting)), [2, 2, 2])
  for (const split of [1, 1, 0]) {
    assert.equal(await splitBalances(database.db, 1), split)
    assert.deepEqual(await look(), before)
  }
  assert.equal(await foldBalances(database.db, 100, { parts: [part], only: false }), 4)
  assert.deepEqual(
    { waiting: await Promise.all(merchants.map(waiting)), balances: await look() },
    { waiting: [2, 0, 0], balances: before },
  )
  assert.equal(await foldBalances(database.db, 100, { parts: [part], only: true }), 2)
  assert.deepEqual({ waiting: await waiting(bad), balances: await look() }, { waiting: 0, balances: before })
})

test('a changed delta is detected, like a changed sum', async () => {
  const merNo = 54_000_004
  await post([entry(merNo, 'rail:card', UNSETTLED, 100n)])
  const change = (by: number) =>
    database.db.query({
      text: 'update balance_deltas set credits[1] = credits[1] + $2 where mer_nos = array[$1::bigint] and account = $3',
      values: [merNo, by, UNSETTLED],
    })
  await change(1)
  const { differences } = await verifyLedger(database.db)
  const wrong = { merNo, account: UNSETTLED, currency: 'USD', balance: '101', entries: '100' }
  assert.deepEqual(differences, [wrong])
  await change(-1)
})

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Returns the number of rows that a statement reads from each table. */
async function seenBy(ask: (db: Queryable) => Promise<unknown>): Promise<Record<string, number>> {
  const seen: Record<string, number> = {}
  const visit = (plan: Plan) => {
    const table = plan['Relation Name']
    const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
    if (table !== undefined) seen[table] = (seen[table] ?? 0) + rows
    for (const below of plan.Plans ?? []) visit(below)
  }
  const query = async ({ text, values = [] }: Statement) => {
    const statement = { text: `explain (analyze, format json) ${text}`, values }
    const [row] = await database.db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(statement)
    const plan = row?.['QUERY PLAN'][0]?.Plan
    assert.ok(plan)
    visit(plan)
    return []
  }
  await ask({ query })
  return seen
}

test("reading a merchant's balances reads only the rows of its own accounts, however many others exist", async () => {
  const merNo = 54_100_500
  const merchants = Array.from({ length: 1_000 }, (_, at) => 54_100_000 + at)
  const accounts = [AVAILABLE, UNSETTLED, FEES, 'transit:refunds', 'transit:payouts', 'rail:sepa']
  for (const account of accounts) {
    const debit = account === AVAILABLE ? UNSETTLED : 'rail:card'
    await post(merchants.map((one) => entry(one, debit, account, 7n)))
  }
  while ((await foldBalances(database.db, 10_000)) > 0);
  for (let time = 0; time < 3; time++)
    await post(merchants.map((one) => entry(one, 'rail:card', UNSETTLED, 7n)))
  await database.db.query({ text: 'analyze balance_sums, balance_deltas' })
  for (const read of [readBalances, bookedCurrencies]) {
    const seen = await seenBy((db) => read(db, merNo))
    assert.equal(seen.balance_sums, 2)
    // Each of the two accounts has three waiting deltas. PostgreSQL 15 reads all six to find the three that it needs.
    assert.ok([3, 6].includes(seen.balance_deltas ?? 0), String(seen.balance_deltas))
  }
})
