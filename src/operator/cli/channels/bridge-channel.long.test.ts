// Commands that call a channel's counterparty, here the starter bridge.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  BRIDGE_SECRET,
  type StarterBridge,
  startStarterBridge,
} from '../../../../test/counterparties/starter-bridge.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { channelAccount, UNSETTLED } from '../../../money/ledger/account.ts'
import { postEntries } from '../../../money/ledger/post-entries.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { makeId } from '../../../platform/base/id.ts'
import { watchDatabase } from '../../../platform/runtime/database-health.ts'
import { buildOperation } from '../../../platform/runtime/health-routes.ts'
import { openLog } from '../../../platform/runtime/log.ts'
import { createMetrics, OPEN_BREAKER_METRIC } from '../../../platform/runtime/metrics.ts'
import { openCaller } from '../../../rails/bridge-check/open-caller.ts'
import { createBreaker } from '../../../rails/routing/circuit-breaker.ts'
import { openHealth } from '../../../rails/routing/health.ts'
import { pauseChannel, resumeChannel } from '../../../rails/routing/pauses.ts'
import { leaseWatcher, noteWork } from '../../../rails/toolkit/records/store-sql.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bridge-cli-'))
const channelsFile = join(dataDir, 'channels.json')
let bridge: StarterBridge
const database = useDatabase({
  async before() {
    bridge = await startStarterBridge()
  },
  async after() {
    await bridge.close()
    rmSync(dataDir, { recursive: true })
  },
})

const env = () => {
  return { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: dataDir, TOLLGATE_CHANNELS: channelsFile }
}

async function run(entry: object, ...args: readonly string[]) {
  const usual = { name: 'rail', protocol: 'bridge', methods: ['cash_app', 'payout_spei'], url: bridge.url }
  const content = JSON.stringify([{ ...usual, secret: BRIDGE_SECRET, ...entry }])
  writeFileSync(channelsFile, content, { mode: 0o600 })
  const { status, stdout, stderr } = await runTollgate([...args, '--json'], env())
  return { status, said: JSON.parse(stdout || '{}'), stderr }
}

test('channel check pings a bridge, and says what to do if it refuses', async () => {
  assert.partialDeepStrictEqual(await run({}, 'channel', 'check', 'rail'), {
    status: 0,
    said: { isRight: true },
  })
  const refused = await run({ secret: 'not the secret of it' }, 'channel', 'check', 'rail')
  assert.equal(refused.status, 1)
  assert.match(refused.said.message, /"secret"/)
  const lacking = await run({ methods: ['payout_card'] }, 'channel', 'check', 'rail')
  assert.match(lacking.said.message, /does not offer tokenise/)
})

test('a setting that has no effect is reported with the name of its channel once', async () => {
  await run({ curencies: ['EUR'] }, 'channel', 'list')
  const { stdout } = await runTollgate(['channel', 'check', 'rail'], env())
  assert.match(stdout, /^rail: the protocol bridge has no setting "curencies"/)
})

test('a proxy that nobody runs is what to check, not the address', async () => {
  const beyond = { url: 'http://rail.example', proxy: 'http://127.0.0.1:1' }
  const { said } = await run(beyond, 'channel', 'check', 'rail')
  assert.match(said.message, /the proxy cannot be reached: the connection was refused\. Check "proxy"\.$/)
})

test('an address with a space is refused with one sentence, by both checks', async () => {
  const url = `${bridge.url} `
  const asChannel = await run({ url }, 'channel', 'check', 'rail')
  assert.match(asChannel.stderr, /channel rail: "url" must be an http or https address without spaces/)
  const asBridge = await run({}, 'bridge', 'check', '--url', url, '--secret', BRIDGE_SECRET)
  assert.match(asBridge.stderr, /--url must be an http or https address without spaces/)
})

test('channel list shows the success rate and the mean time of each channel, in columns', async () => {
  const health = openHealth({ db: database.db, clock: systemClock })
  for (let at = 0; at < 40; at++) health.count('listed', at === 0 ? 'unknown' : 'answered', 120)
  for (const outcome of ['answered', 'declined', 'failed'] as const) health.count('listed-too', outcome, 9)
  await health.flush()
  const { said } = await run({}, 'channel', 'list')
  const rates = said.channels.map(({ name = '', successPercent = 0 }) => [name, successPercent])
  assert.deepEqual(rates, [
    ['listed', 97],
    ['listed-too', 33],
    ['rail', null],
  ])
  const { stdout } = await runTollgate(['channel', 'list'], env())
  assert.equal(
    stdout,
    `${[
      'listed                                     in use  40 calls  97 % succeeded  0 declined  0 failed  1 unknown  120 ms',
      'listed-too                                 in use  3 calls   33 % succeeded  1 declined  1 failed  0 unknown  9 ms',
      'rail        bridge: cash_app, payout_spei  in use  0 calls',
    ].join('\n')}\n`,
  )
})

test('channel show says what a channel can, or why its settings are refused', async () => {
  const scope = {
    methods: ['cash_app'],
    currencies: ['USD'],
    countries: ['US'],
    amounts: { USD: { least: '1.00' } },
  }
  const { said } = await run(scope, 'channel', 'show', 'rail')
  assert.partialDeepStrictEqual(said.can, [
    {
      method: 'cash_app',
      currencies: ['USD'],
      countries: ['US'],
      amounts: { USD: 'from 1.00' },
      refunds: false,
    },
  ])
  const { stdout } = await runTollgate(['channel', 'show', 'rail'], env())
  assert.match(stdout, /^cash_app +USD; USD from 1\.00; payers of US; no refunds/m)
  assert.equal((await run({ url: 'nowhere' }, 'channel', 'show', 'rail')).said.can, null)
  const refused = await runTollgate(['channel', 'show', 'rail'], env())
  assert.match(refused.stdout, /^settings refused +channel rail: "url" must be an http or https address/m)
})

test('channel show says since when and why the background work fails', async () => {
  assert.equal((await run({}, 'channel', 'show', 'rail')).said.workFails, null)
  const [channel, now] = ['rail', new Date()]
  const until = new Date(now.getTime() + 60_000)
  await leaseWatcher(database.db, { channel, node: randomUUID(), now, until })
  await noteWork(database.db, channel, { at: now, why: 'fill the account' })
  const { said } = await run({}, 'channel', 'show', 'rail')
  assert.deepEqual(said.workFails, { since: now.toISOString(), why: 'fill the account' })
})

test('channel show says who paused it, since when and why', async () => {
  assert.equal((await run({}, 'channel', 'show', 'rail')).said.paused, null)
  const at = new Date('2026-11-18T01:00:00Z')
  await pauseChannel(database.db, { channel: 'rail', by: 'ann', reason: 'their maintenance', at })
  const { said } = await run({}, 'channel', 'show', 'rail')
  assert.deepEqual(said.paused, { since: at.toISOString(), by: 'ann', why: 'their maintenance' })
  await resumeChannel(database.db, 'rail')
})

test('channel show asks the gateway whether the circuit breaker of the channel is open', async (t) => {
  const { db } = database
  const metrics = createMetrics()
  const breaker = createBreaker({ clock: systemClock, calls: 'payments' })
  metrics.channels(OPEN_BREAKER_METRIC, 'help', () => ({ payment: breaker.open(), payout: [] }))
  const health = await watchDatabase({ db, log: openLog('silent') })
  t.after(health.close)
  const gateway = buildOperation({ health, metrics, platformPublicPem: '', isClosing: () => false })
  const address = await gateway.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => gateway.close())

  const show = async (port: string) => {
    const env = { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: dataDir, TOLLGATE_CHANNELS: channelsFile }
    return (await runTollgate(['channel', 'show', 'rail'], { ...env, TOLLGATE_OPS_PORT: port })).stdout
  }
  const { port } = new URL(address)
  assert.match(await show(port), /circuit breaker open +no$/m)
  for (let failures = 0; failures < 5; failures++) breaker.record('rail', true)
  assert.match(
    await show(port),
    /circuit breaker open +payments go to other channels first: it failed five times/,
  )
  await gateway.close()
  assert.match(await show(port), /circuit breaker open +not known: .* does not answer/)
})

test('reconcile fetches the statement of a day, and books what nobody knew', async () => {
  const { call } = openCaller({ url: bridge.url, secret: BRIDGE_SECRET })
  const urls = { returnUrl: 'http://127.0.0.1:1/', callbackUrl: 'http://127.0.0.1:1/' }
  const money = { amount: '1250', currency: 'USD' }
  await bookOnce('rail')
  await call('open', { reference: 'UNKNOWN-1', ...money, payee: 'Shop', ...urls })
  await call('simulate', { reference: 'UNKNOWN-1', event: 'pay' })
  const day = new Date().toISOString().slice(0, 10)
  const fetched = await run({}, 'reconcile', '--channel', 'rail', '--day', day)
  assert.equal(fetched.status, 1, fetched.stderr)
  assert.partialDeepStrictEqual(fetched.said, {
    channel: 'rail',
    booked: 1,
    differences: [{ kind: 'missing here', type: 'payment', reference: 'UNKNOWN-1', theirs: '12.50 USD' }],
  })
  const again = await run({}, 'reconcile', '--channel', 'rail', '--day', day)
  assert.equal(again.said.booked, 0)
  const other = await run({}, 'reconcile', '--channel', 'rail', '--day', '2026-02-30')
  assert.match(other.said.error, /--day must be like/)
  const both = await run({}, 'reconcile', '--channel', 'rail')
  assert.equal(both.status, 2)
})

/** Books money once, because the gateway accepts statements only of channels that money has passed through. */
async function bookOnce(channel: string): Promise<void> {
  const [merNo, at] = [10_001, new Date()]
  const money = { amount: 1n, currency: 'USD' }
  const accounts = { debit: channelAccount(channel), credit: UNSETTLED }
  const entry = { merNo, subject: makeId('C', merNo, at), step: 'given', ...accounts, money, at }
  await database.db.transaction((tx) => postEntries(tx, [entry]))
}

test('a command that cannot ask the sandbox says that its channels are missing, and how it would know them', async () => {
  const unknown =
    "The sandbox's own channels are not known here: only the gateway has them, unless TOLLGATE_SANDBOX_URL and TOLLGATE_SANDBOX_SECRET are set as for the gateway.\n"
  assert.equal((await run({}, 'channel', 'list')).stderr, unknown)
  assert.equal((await run({}, 'channel', 'check', 'rail')).stderr, '', 'this one is known')
  assert.ok((await run({}, 'channel', 'check', 'acquirer')).stderr.startsWith(unknown))
  assert.equal((await runTollgate(['channel', 'list'], liveEnv())).stderr, '', 'live has no sandbox')
})

const liveEnv = () => ({
  ...env(),
  ...{ TOLLGATE_MODE: 'live', TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_TRUSTED_PROXIES: 'none' },
  TOLLGATE_BASE_URL: 'https://pay.example',
})

test('in live, channel check warns of a secret that others could guess', async () => {
  await run({ secret: 'guess me' }, 'channel', 'list')
  const guessable = /"secret" is easy to guess: use at least 16 random characters/
  assert.match((await runTollgate(['channel', 'check', 'rail'], liveEnv())).stdout, guessable)
  assert.doesNotMatch((await runTollgate(['channel', 'check', 'rail'], env())).stdout, guessable)
  await run({}, 'channel', 'list')
  const { status, stdout } = await runTollgate(['channel', 'check', 'rail'], liveEnv())
  assert.equal(status, 0)
  assert.doesNotMatch(stdout, guessable)
})

test('a live channel that is not in the file cannot be paused, and a wrong file keeps nobody from pausing', async () => {
  const env = liveEnv()
  const pause = async (entry: object, name: string) => {
    const usual = { name: 'rail', protocol: 'bridge', methods: ['cash_app'], url: bridge.url }
    writeFileSync(channelsFile, JSON.stringify([{ ...usual, secret: BRIDGE_SECRET, ...entry }]))
    return runTollgate(['channel', 'pause', name], env)
  }
  const misspelt = await pause({}, 'rial')
  assert.equal(misspelt.status, 1)
  assert.match(misspelt.stderr, /there is no channel rial in the settings; channels: rail/)
  assert.equal((await pause({}, 'rail')).status, 0)
  assert.equal((await runTollgate(['channel', 'resume', 'rail'], env)).status, 0)
  assert.equal((await pause({ secret: { file: 'absent' } }, 'rail')).status, 0)
  const health = openHealth({ db: database.db, clock: systemClock })
  health.count('renamed', 'answered', 5)
  await health.flush()
  assert.equal((await pause({}, 'renamed')).status, 0, 'a gateway may use it still')
  const resumed = await runTollgate(['channel', 'resume', 'renamed'], env)
  assert.match(resumed.stdout, /^Channel renamed is not paused any more, but is not in the file/)
  const listed = await runTollgate(['channel', 'list'], env)
  assert.match(listed.stdout, /^renamed +not in the file +1 calls/m)
})
