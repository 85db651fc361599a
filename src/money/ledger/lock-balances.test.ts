import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { AVAILABLE, UNSETTLED } from './account.ts'
import { foldBalances } from './balances.ts'
import { lockBalances } from './lock-balances.ts'
import { postEntries } from './post-entries.ts'
import { readBalances } from './read-balances.ts'

const database = useDatabase()

let count = 0
function book(tx: Tx, merNo: number, debit: string, credit: string, amount: bigint): Promise<void> {
  const money = { amount, currency: 'USD' }
  return postEntries(tx, [
    { merNo, subject: `S${++count}`, step: 'moved', debit, credit, money, at: new Date() },
  ])
}

const give = (merNo: number, amount: bigint) =>
  database.db.transaction((tx) => book(tx, merNo, UNSETTLED, AVAILABLE, amount))

async function availableTo(tx: Tx, merNo: number): Promise<bigint> {
  return (await lockBalances(tx, merNo, ['USD'])).available('USD')
}

/** Asks on another connection, because pg_stat_activity does not change within a transaction. */
const somebodyWaits = () =>
  eventually(async () => {
    const rows = await database.db.query({
      text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    })
    return rows.length > 0
  })

/** Starts `second` once `first` has its lock. */
async function oneAfterTheOther<First, Second>(
  first: (tx: Tx, begun: () => void) => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  return Promise.all([database.db.transaction((tx) => first(tx, resolve)), begun.then(second)])
}

/**
 * The form in which the merchant's money is stored before two decisions. In the last case, every row of balance_sums
 * that a decision locks exists already, so only the row locks make the second decision wait.
 */
const records = {
  'in deltas': async () => {},
  folded: () => foldBalances(database.db, 100),
  'beside sums of an earlier decision': (merNo: number) =>
    database.db.transaction((tx) => availableTo(tx, merNo)),
}

for (const [at, [name, prepare]] of Object.entries(records).entries()) {
  test(`of two decisions on the same money, recorded ${name}, the second sees what the first left`, async () => {
    const merNo = 54_200_001 + at
    await give(merNo, 600n)
    await give(merNo, 400n)
    await prepare(merNo)
    const first = async (tx: Tx, begun: () => void) => {
      const seen = await availableTo(tx, merNo)
      begun()
      assert.ok(await somebodyWaits())
      await book(tx, merNo, AVAILABLE, 'transit:payouts', seen)
      return seen
    }
    const second = () => database.db.transaction((tx) => availableTo(tx, merNo))
    assert.deepEqual(await oneAfterTheOther(first, second), [1000n, 0n])
  })
}

test('a decision sees entries posted while it waited, and its own', async () => {
  const merNo = 54_200_010
  await give(merNo, 600n)
  const first = async (tx: Tx, begun: () => void) => {
    await lockBalances(tx, merNo, ['USD'])
    begun()
    assert.ok(await somebodyWaits())
    await give(merNo, 50n)
  }
  const second = () =>
    database.db.transaction(async (tx) => {
      const seen = await availableTo(tx, merNo)
      await book(tx, merNo, AVAILABLE, 'transit:payouts', 200n)
      const [left] = await readBalances(tx, merNo)
      return { seen, left: left?.available }
    })
  const [, read] = await oneAfterTheOther(first, second)
  assert.deepEqual(read, { seen: 650n, left: 450n })
})

test('folding waits for a decision, and does not change what it has read', async () => {
  const merNo = 54_200_020
  await foldBalances(database.db, 100)
  await give(merNo, 600n)
  const decide = async (tx: Tx, begun: () => void) => {
    const seen = await availableTo(tx, merNo)
    begun()
    assert.ok(await somebodyWaits())
    const [left] = await readBalances(tx, merNo)
    await book(tx, merNo, AVAILABLE, 'transit:payouts', seen)
    return { seen, left: left?.available }
  }
  const [read, folded] = await oneAfterTheOther(decide, () => foldBalances(database.db, 100))
  assert.deepEqual({ read, folded }, { read: { seen: 600n, left: 600n }, folded: 2 })
  const [left] = await readBalances(database.db, merNo)
  assert.equal(left?.available, 0n)
})
