import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { type Operator, operatorAt } from '../../test/operator.ts'

let database: TestDatabase
let operator: Operator
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-route-'))
before(async () => {
  database = await cloneDatabase()
  operator = operatorAt({ databaseUrl: database.url, dataDir })
})
after(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

test('an operator chooses which channels serve a method, and in which order', async () => {
  const made = await operator.run('merchant', 'create', '--name', 'Shop', '--site', 'shop.example')
  const merNo = String(made.merNo)
  const route = (...args: string[]) => operator.run('merchant', 'route', merNo, '--method', 'pix', ...args)
  const first = await route('--channel', 'pix-one')
  assert.deepEqual(first.routes, [{ method: 'pix', channel: 'pix-one', priority: 1, weight: 1 }])
  await route('--channel', 'pix-two', '--priority', '2', '--weight', '30')
  const changed = await route('--channel', 'pix-one', '--priority', '3')
  assert.deepEqual(changed.routes, [
    { method: 'pix', channel: 'pix-two', priority: 2, weight: 30 },
    { method: 'pix', channel: 'pix-one', priority: 3, weight: 1 },
  ])
  const left = await route('--channel', 'pix-two', '--off')
  assert.deepEqual(left.routes, [{ method: 'pix', channel: 'pix-one', priority: 3, weight: 1 }])

  const payouts = await operator.run(
    'merchant',
    'route',
    merNo,
    '--method',
    'payout_bank',
    '--channel',
    'sepa-1',
  )
  assert.deepEqual(payouts.routes, [
    { method: 'pix', channel: 'pix-one', priority: 3, weight: 1 },
    { method: 'payout_bank', channel: 'sepa-1', priority: 1, weight: 1 },
  ])

  const refused = (...args: string[]) => operator.refused('merchant', 'route', merNo, ...args)
  const pix = ['--method', 'pix', '--channel']
  assert.match(await refused(...pix, 'pix-two', '--off'), /has no route for pix to pix-two/)
  assert.match(await refused(...pix, 'Pix One'), /is not a channel name/)
  assert.match(await refused(...pix, 'pix-one', '--priority', '0'), /priority must be a whole number/)
  assert.match(await refused(...pix, 'pix-one', '--weight', '1001'), /weight must be a whole number/)
  assert.match(await refused('--method', 'cash', '--channel', 'one'), /cash is not a method/)
})
