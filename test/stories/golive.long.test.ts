// Follows docs/going-live.md from an empty folder: a gateway in live mode, with the sandbox's program as its
// counterparties. After each step `golive` says what comes next.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { giveSandboxKeys } from '../builders/rsa-keys.ts'
import { caller } from '../harness/back-office.ts'
import { openPage } from '../harness/browser.ts'
import { payByCard } from '../harness/card-payer.ts'
import { eventually } from '../harness/eventually.ts'
import { freePort, type LiveProcess, startLive } from '../harness/gateway-process.ts'
import { runTollgate } from '../harness/operator.ts'
import { codeOf } from '../harness/people.ts'

const PASSWORD = 'correct horse battery staple 7'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-golive-'))
chmodSync(folder, 0o711)
const [outside, channels] = [join(folder, 'outside'), join(folder, 'channels.json')]
let world: Sandbox
let gateway: LiveProcess
let env: Record<string, string>
let merNo = ''

before(async () => {
  giveSandboxKeys(outside)
  world = await startSandbox({ host: '127.0.0.1', dataDir: outside, minuteMs: 60_000 })
  const port = String(await freePort())
  env = {
    TOLLGATE_MODE: 'live',
    TOLLGATE_MASTER_KEY: randomBytes(32).toString('hex'),
    TOLLGATE_BASE_URL: `http://localhost:${port}`,
    TOLLGATE_TRUSTED_PROXIES: 'none',
    TOLLGATE_DATA_DIR: join(folder, 'live'),
    TOLLGATE_OPS_PORT: String(await freePort()),
    TOLLGATE_CHANNELS: channels,
    PORT: port,
    PATH: process.env.PATH ?? '',
  }
  writeChannels([])
  gateway = await startLive(env)
})
after(async () => {
  await gateway.stop()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

function writeChannels(entries: readonly object[]): void {
  writeFileSync(channels, JSON.stringify(entries))
  chmodSync(channels, 0o600)
}

const tollgate = (...args: readonly string[]) => tollgateIn(env, ...args)

async function tollgateIn(settings: Record<string, string>, ...args: readonly string[]) {
  const { status, stdout, stderr } = await runTollgate([...args, '--json'], settings)
  assert.equal(stderr, '', args.join(' '))
  return { status, ...JSON.parse(stdout) }
}

/** The step that is next, and what `golive` found there. */
async function next(): Promise<{ name: string; found: string; todo: string }> {
  const { steps } = await tollgate('golive')
  return steps.at(-1)
}

test('a fresh gateway has sound settings and answers; an operator is missing', async () => {
  const step = await next()
  assert.equal(step.name, 'operator', JSON.stringify(step))
  const { link } = await tollgate('user', 'create', '--email', 'you@company.example', '--role', 'admin')
  await setUp(link)
  assert.equal((await next()).name, 'merchant')
})

/** Opens the link as the person would, and sets up a password and a second factor. */
async function setUp(link: string) {
  const person = caller(env.TOLLGATE_BASE_URL ?? '')
  const token = new URL(link).hash.slice(1) || (link.split('/').at(-1) ?? '')
  await person.call('POST /account/link/use', { body: { token, password: PASSWORD } })
  const { secret } = await person.call('POST /account/totp', {})
  await person.call('POST /account/totp/confirm', { body: { code: codeOf(secret) } })
  return person
}

test('a merchant may take payments once it exists', async () => {
  const made = await tollgate('merchant', 'create', '--name', 'Corner Shop', '--site', 'shop.example')
  merNo = String(made.merNo)
  await runTollgate(['merchant', 'set', merNo, '--currencies', 'EUR', '--limit-daily', 'none'], env)
  const lacking = await next()
  assert.deepEqual(
    { name: lacking.name, saysWhy: /has no daily limit/.test(lacking.found) },
    { name: 'merchant', saysWhy: true },
  )
  await tollgate('merchant', 'set', merNo, '--limit-daily', '5000.00')
  assert.equal((await next()).name, 'rates')
  await tollgate('fx', 'set', '--from', 'EUR', '--to', 'USD', '--rate', '1.08')
  const step = await next()
  assert.equal(step.name, 'channel', JSON.stringify(step))
  assert.match(step.found, /empty/)
})

test('a channel with a wrong secret is found, and the right one answers without a restart', async () => {
  const card = world.settings().find(({ name }) => name === 'card')
  const secret = join(folder, 'card.secret')
  writeFileSync(secret, 'wrong')
  writeChannels([{ ...card, protocol: 'bridge', methods: ['card'], secret: { file: secret } }])
  const step = await next()
  assert.equal(step.name, 'channel')
  assert.match(step.todo, /channel check card/)
  writeFileSync(secret, String(card?.secret))
  assert.equal((await next()).name, 'payment')
})

/** True if the payment went through. False while the link cannot be paid yet. */
async function payLinkByCard(url: string): Promise<boolean> {
  const page = await openPage(url, {})
  return page.status === 200 && (await payByCard(page.url)).html.includes('Your payment went through')
}

test('a link is made only for a merchant that takes the currency', async () => {
  const refused = async (...args: readonly string[]) => {
    const { status, stderr } = await runTollgate(['golive', 'link', ...args, '--amount', '1.00'], env)
    assert.equal(status, 1, args.join(' '))
    return stderr
  }
  assert.match(await refused('99', '--currency', 'EUR'), /there is no merchant 99/)
  assert.match(await refused(merNo, '--currency', 'USD'), /takes EUR, not USD/)
})

test('a payment of the smallest amount and its refund prove the channel', async () => {
  const { url } = await tollgate('golive', 'link', merNo, '--currency', 'EUR', '--amount', '1.00')
  // The gateway reads the changed file within some seconds. A payer who reloads without a pause is asked to wait.
  let isPaid = await payLinkByCard(url)
  for (let tries = 0; !isPaid && tries < 20; tries++) {
    await sleep(3_000)
    isPaid = await payLinkByCard(url)
  }
  assert.ok(isPaid, 'the link can be paid')
  const paid = await next()
  assert.equal(paid.name, 'refund', JSON.stringify(paid))
  const tradeNo = /T[0-9A-Z]{26}/.exec(paid.todo)?.[0] ?? ''
  const { link } = await tollgate(
    'user',
    'create',
    '--email',
    'shop@shop.example',
    '--role',
    'owner',
    '--merno',
    merNo,
  )
  const owner = await setUp(link)
  const body = { amount: '1.00', reason: 'First payment', merRefundNo: 'first-refund' }
  await owner.call('POST /orders/:tradeNo/refunds', { params: { tradeNo }, body })
  assert.ok(await eventually(async () => (await next()).name === 'backups'))
})

test('backups and alarms are confirmed with what was seen, and then everything is done', async () => {
  const confirm = (proof: string) =>
    runTollgate(['golive', 'confirm', 'backups', '--why', 'restored elsewhere', '--proof', proof], env)
  const itself = await tollgate('golive', 'restored')
  assert.match((await confirm(itself.proof)).stderr, /made on the live database/)
  await gateway.stop()
  const copy = join(folder, 'copy')
  execFileSync('cp', ['-a', join(folder, 'live'), copy])
  gateway = await startLive(env)
  const { proof } = await tollgateIn({ ...env, TOLLGATE_DATA_DIR: copy }, 'golive', 'restored')
  assert.equal((await confirm(proof)).status, 0)
  assert.equal((await next()).name, 'alarms')
  await tollgate('golive', 'confirm', 'alarms', '--why', 'the alarm rang')
  const end = await tollgate('golive')
  assert.deepEqual(
    { status: end.status, isLive: end.isLive },
    { status: 0, isLive: true },
    JSON.stringify(end.steps),
  )
})
