import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cloneDatabase, useDatabase } from '../../../../test/harness/harness.ts'
import { type Operator, operatorAt, runTollgate } from '../../../../test/harness/operator.ts'

let operator: Operator
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-route-'))
useDatabase({
  before({ url }) {
    operator = operatorAt({ databaseUrl: url, dataDir })
  },
  after: () => rmSync(dataDir, { recursive: true }),
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

test('a live route must lead to a channel that serves the method, and the doctor finds those that no longer do', async (t) => {
  const live = await cloneDatabase()
  t.after(() => live.drop())
  const channels = join(dataDir, 'channels.json')
  const env = {
    ...{ DATABASE_URL: live.url, TOLLGATE_DATA_DIR: dataDir, TOLLGATE_CHANNELS: channels },
    ...{ TOLLGATE_MODE: 'live', TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_TRUSTED_PROXIES: 'none' },
    TOLLGATE_BASE_URL: 'http://127.0.0.1:1',
  }
  const serve = (...methods: string[]) => {
    const entry = {
      name: 'rail',
      protocol: 'bridge',
      methods,
      url: 'https://rail.example',
      secret: 'a secret',
    }
    writeFileSync(channels, JSON.stringify([entry]), { mode: 0o600 })
  }
  const call = (...args: string[]) => runTollgate([...args, '--json'], env)
  serve('cash_app', 'payout_spei')
  const { stdout } = await call('merchant', 'create', '--name', 'Shop', '--site', 'shop.example')
  const { merNo } = JSON.parse(stdout)
  const route = (method: string, channel: string, ...more: string[]) =>
    call('merchant', 'route', String(merNo), '--method', method, '--channel', channel, ...more)
  assert.match((await route('cash_app', 'rial')).stdout, /there is no channel rial; channels: rail/)
  assert.match(
    (await route('card', 'rail')).stdout,
    /channel rail does not serve card, but cash_app, payout_/,
  )
  for (const method of ['cash_app', 'payout_spei']) assert.equal((await route(method, 'rail')).status, 0)

  const found = async () => {
    const { findings } = JSON.parse((await call('doctor')).stdout)
    return findings.find(({ check = '' }) => check === 'routes')
  }
  assert.equal((await found()).status, 'ok')
  serve('cash_app')
  assert.partialDeepStrictEqual(await found(), { status: 'warn', check: 'routes' })
  assert.match((await found()).found, /has a route for payout_spei to rail, but channel rail does not serve/)
  assert.equal((await route('payout_spei', 'rail', '--off')).status, 0)
  assert.equal((await found()).status, 'ok')
})
