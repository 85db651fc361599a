// The opening balances of a sandbox: which merchants get them, and which entries the audit accepts as opening balances.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { cloneDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openVault } from '../../platform/base/secret.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { OPENING, openingBalances } from '../merchants/opening-balances.ts'
import { readOptions } from '../merchants/options.ts'
import { verifyBooks } from './verify-books.ts'

const vault = openVault(randomBytes(32))
const now = new Date()

async function databaseOf(mode: 'sandbox' | 'live', context: TestContext): Promise<Db> {
  const database = await cloneDatabase()
  context.after(() => database.drop())
  await database.db.query({
    text: 'insert into database_mode (mode, marked_at) values ($1, now())',
    values: [mode],
  })
  return database.db
}

function create(db: Db, hasOpeningBalances: boolean): Promise<number> {
  const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
  const wanted = { options, pending: true, now, hasOpeningBalances }
  return db.transaction(async (tx) => (await createMerchant(tx, vault, wanted)).merNo)
}

async function entriesOf(db: Db, merNo: number): Promise<readonly object[]> {
  return db.query({ text: 'select currency, amount from ledger_entries where mer_no = $1', values: [merNo] })
}

async function findingsOf(db: Db): Promise<string[]> {
  const { differences, findings } = await verifyBooks({ db, clock: systemClock })
  assert.deepEqual(differences, [])
  return findings.map(({ check, subject }) => `${check} ${subject}`)
}

test('the audit proves the balances of a new merchant of a sandbox', async (context) => {
  const db = await databaseOf('sandbox', context)
  const merNo = await create(db, true)
  await create(db, true)
  assert.deepEqual(
    new Set((await entriesOf(db, merNo)).map((row) => JSON.stringify(Object.values(row).map(String)))),
    new Set(openingBalances.map(({ currency, amount }) => JSON.stringify([currency, String(amount)]))),
  )
  assert.deepEqual(await findingsOf(db), [])
  assert.deepEqual(await entriesOf(db, await create(db, false)), [], 'not if the caller wants none')
})

test('the audit reports them in a live database, and other amounts, times, accounts and currencies', async (context) => {
  const dollars = { amount: 10_000_00n, currency: 'USD' }
  const forged = [
    { money: { ...dollars, amount: dollars.amount + 1n } },
    { money: { ...dollars, currency: 'JPY' } },
    { at: new Date(now.getTime() + 60_000) },
    { debit: 'rail:card' },
    { subject: 'demo' },
    {},
  ]
  for (const [at, change] of forged.entries()) {
    const isLast = at === forged.length - 1
    const db = await databaseOf(isLast ? 'live' : 'sandbox', context)
    const merNo = await create(db, false)
    const money = change.money ?? dollars
    const { subject, debit, credit } = OPENING
    const entry = {
      merNo,
      subject,
      step: `opening-${money.currency}`,
      debit,
      credit,
      at: now,
      money,
      ...change,
    }
    await db.transaction((tx) => postEntries(tx, [entry]))
    assert.deepEqual(
      await findingsOf(db),
      [`entry-cause ${change.subject ?? subject}`],
      JSON.stringify(Object.keys(change)),
    )
  }
})
