import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { verifyLedger } from '../../money/ledger/verify-ledger.ts'
import { currenciesInUse, loadMerchants } from '../../money/merchants/load-merchants.ts'
import { currenciesWithoutRate } from '../../money/rates/list-rates.ts'
import { passwordMatches } from '../../people/passwords/password.ts'
import { selectActiveUser } from '../../people/users/store-users.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openVault } from '../../platform/base/secret.ts'
import { type DemoDeps, makeDemo } from './create-demo.ts'

const vault = openVault(randomBytes(32))
let database: TestDatabase
let dataDir: string
let lines: string[]

before(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-demo-'))
})
beforeEach(async (context) => {
  lines = []
  database = await cloneDatabase()
  if ('after' in context) context.after(() => database.drop())
})
after(() => rmSync(dataDir, { recursive: true }))

function start(change: Partial<DemoDeps['config']> = {}, other: Partial<DemoDeps> = {}): Promise<boolean> {
  const config = { mode: 'sandbox', dataDir, baseUrl: 'http://127.0.0.1:8080', ...change } as const
  const say = (line: string) => lines.push(line)
  const log = { info: say, warn: say }
  return makeDemo({ db: database.db, vault, clock: systemClock, log, ...other, config })
}

const readFile = (folder = dataDir) => JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))

async function countMerchants(): Promise<number> {
  return (await database.db.query({ text: 'select mer_no from merchants' })).length
}

test('the first start writes everything needed to try the sandbox, readable by its owner only', async () => {
  await start()
  assert.equal(statSync(join(dataDir, 'demo.json')).mode & 0o777, 0o600)
  const demo = readFile()
  const names = ['baseUrl', 'merNo', 'key', 'webhookSecret', 'site', 'operator', 'merchantUser']
  assert.deepEqual(Object.keys(demo), names)
  const merchant = (await loadMerchants(database.db, vault, [demo.merNo], new Date())).get(demo.merNo)
  assert.equal(merchant?.name, 'Demo Shop')
  assert.equal(merchant?.state, 'active')
  assert.deepEqual(merchant?.websites, ['localhost'])
  assert.equal(merchant?.keys[0]?.key, demo.key)
  assert.equal(merchant?.webhookSecret, demo.webhookSecret)
  for (const [merNo, user] of [
    [0, demo.operator],
    [demo.merNo, demo.merchantUser],
  ]) {
    const found = await selectActiveUser(database.db, user.email)
    assert.equal(Number(found?.mer_no), merNo)
    assert.equal(await passwordMatches(user.password, found?.password_hash ?? ''), true)
  }
})

test('every currency of the demo merchant can be converted, and the ledger is sound', async () => {
  await start()
  const currencies = await currenciesInUse(database.db)
  for (const currency of ['USD', 'EUR', 'VND', 'KWD', 'JPY', 'AED']) assert.ok(currencies.includes(currency))
  assert.deepEqual(await currenciesWithoutRate(database.db, currencies, new Date()), [])
  const { differences, entries } = await verifyLedger(database.db)
  assert.deepEqual(differences, [])
  assert.equal(entries, 10)
  const rows = await database.db.query({
    text: `select credits from balances where account = 'merchant:available' and currency = 'USD'`,
  })
  assert.deepEqual(rows, [{ credits: 10_000_00n }])
})

test('a later start changes only the address', async () => {
  await start()
  const first = readFile()
  await start({ baseUrl: 'http://127.0.0.1:9090' })
  assert.deepEqual(readFile(), { ...first, baseUrl: 'http://127.0.0.1:9090' })
  assert.equal(statSync(join(dataDir, 'demo.json')).mode & 0o777, 0o600)
  assert.equal(await countMerchants(), 1)
})

test('several gateways that start at the same time create one demo merchant', async () => {
  await Promise.all([start(), start(), start(), start()])
  assert.equal(await countMerchants(), 1)
  const [row] = await database.db.query<{ mer_no: bigint }>({ text: 'select mer_no from merchants' })
  assert.equal(readFile().merNo, Number(row?.mer_no))
})

test('when the file is missing, it says how to get a key, and creates no second merchant', async () => {
  await start()
  const { merNo } = readFile()
  rmSync(join(dataDir, 'demo.json'))
  lines = []
  await start()
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', new RegExp(`demo merchant ${merNo} exists.*rotate-key ${merNo}`))
  assert.equal(await countMerchants(), 1)
})

test('secrets that were encrypted with another master key are reported as such', async () => {
  await start()
  rmSync(join(dataDir, 'demo.json'))
  lines = []
  await start({}, { vault: openVault(randomBytes(32)) })
  assert.match(lines[0] ?? '', /another master key/)
})

test('if the file cannot be written, nothing is created', async () => {
  await assert.rejects(start({ dataDir: '/dev/null/nowhere' }))
  assert.equal(await countMerchants(), 0)
})
