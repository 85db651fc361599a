// Notifications from a payment to the merchant's server, and the operator's commands for them.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { behaviours, openReceiver, type Received, type Receiver } from '../counterparties/receiver.ts'
import { type Account, pay } from '../harness/client.ts'
import { eventually, staysFalse } from '../harness/eventually.ts'
import { compileCache, freePort, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { cloneDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

const cli = fileURLToPath(new URL('../../src/operator/cli/cli.ts', import.meta.url))

type Story = {
  readonly installation: Installation
  readonly receiver: Receiver
  readonly operate: Operator['run']
  /** Starts a command that runs until it is stopped. */
  begin(...args: string[]): ChildProcess
}

async function begin(t: TestContext, settings: Record<string, string>): Promise<Story> {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url, ...settings })
  const receiver = await openReceiver()
  t.after(async () => {
    await installation.remove()
    await receiver.close()
    await database.drop()
  })
  const env = {
    PATH: process.env.PATH,
    ...compileCache,
    DATABASE_URL: database.url,
    TOLLGATE_DATA_DIR: installation.dataDir,
  }
  const operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
  const goOn = (...args: string[]) =>
    spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  return { installation, receiver, operate: operator.run, begin: goOn }
}

const arrived = ({ receiver }: Story, path: string, count: number) =>
  eventually(() => receiver.received(path).length >= count)

function signOf(account: Account, body: URLSearchParams): string {
  const names = [...body.keys()].filter((name) => name !== 'sign' && body.get(name) !== '').sort()
  const pairs = names.map((name) => `${name}=${body.get(name)}`).join('&')
  return createHash('md5').update(`event=payment&${pairs}${account.key}`).digest('hex').toUpperCase()
}

/** Verifies the notification with the library that merchants use, and with the merchant's secret. */
function verifyWebhook({ dataDir }: Installation, came: Received | undefined): void {
  const { webhookSecret } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const entries = Object.entries(came?.headers ?? {}).map(([name, value]) => [name, String(value)])
  new Webhook(webhookSecret).verify(came?.body ?? '', Object.fromEntries(entries), { jsonParse: false })
}

test('a payment is notified immediately, retried until acknowledged, and resent on demand', async (t) => {
  const story = await begin(t, { TOLLGATE_MINUTE_MS: '300' })
  const { installation, receiver, operate } = story
  const { account } = await installation.start()
  receiver.on('/hook', (response) => {
    receiver.on('/hook', behaviours.lowerCase)
    behaviours.error(response)
  })
  const reply = await pay(account, { notifyUrl: `${receiver.url}/hook` })
  assert.equal(reply.code, '00000')
  assert.ok(await arrived(story, '/hook', 2))
  const [first, second] = receiver.received('/hook')
  const body = new URLSearchParams(second?.body)
  assert.equal(body.get('tradeNo'), reply.data.tradeNo)
  assert.equal(body.get('code'), '0')
  assert.deepEqual([body.get('currencyCode'), body.get('sourceAmount')], ['USD', '12.34'])
  assert.equal(body.get('sign'), signOf(account, body))
  for (const came of [first, second]) verifyWebhook(installation, came)

  const tradeNo = String(reply.data.tradeNo)
  const states = async () => {
    const { notifications } = await operate('notify', 'list', '--trade-no', tradeNo)
    assert.ok(Array.isArray(notifications))
    return notifications.map(({ state, attempts }) => [state, attempts])
  }
  assert.ok(await eventually(async () => isDeepStrictEqual(await states(), [['delivered', 2]])))
  const { resent } = await operate('notify', 'resend', '--trade-no', tradeNo)
  assert.ok(Array.isArray(resent) && resent.length === 1)
  assert.ok(await arrived(story, '/hook', 3))
  assert.equal(receiver.received('/hook')[2]?.body, second?.body)
  assert.ok(await eventually(async () => isDeepStrictEqual(await states(), [['delivered', 3]])))

  const { notifications } = await operate('explain', tradeNo)
  assert.ok(Array.isArray(notifications))
  const [{ state, deliveries }] = notifications
  assert.equal(state, 'delivered')
  assert.deepEqual(
    deliveries.map(({ status, error }: { status: number; error: string | null }) => [status, error]),
    [
      [500, 'answered 500'],
      [200, null],
      [200, null],
    ],
  )
  const [refused, acknowledged] = deliveries.map(({ startedAt }: { startedAt: string }) =>
    Date.parse(startedAt),
  )
  assert.ok(acknowledged - refused >= 300, `the second left after ${acknowledged - refused} ms`)

  const ready = await (await fetch(`${account.baseUrl}/readyz`)).text()
  assert.equal(JSON.parse(ready).detail.notifications.overdue, 0)
  const metrics = await (await fetch(`${account.baseUrl}/metrics`)).text()
  assert.match(metrics, /tollgate_deliveries_total\{outcome="delivered"\} 2/)
  assert.match(metrics, /tollgate_deliveries_total\{outcome="refused"\} 1/)
})

test('a merchant who switches the amounts off gets results without them', async (t) => {
  const story = await begin(t, {})
  const { installation, receiver, operate } = story
  const { account } = await installation.start()
  await operate('merchant', 'set', String(account.merNo), '--amounts-in-notifications', 'off')
  await pay(account, { notifyUrl: `${receiver.url}/hook` })
  assert.ok(await arrived(story, '/hook', 1))
  const body = new URLSearchParams(receiver.received('/hook')[0]?.body)
  assert.deepEqual([...body.keys()].sort(), ['code', 'merOrderNo', 'message', 'sign', 'tradeNo'])
  assert.equal(body.get('sign'), signOf(account, body))
})

test('a separate worker delivers what another process accepted; a pause stops delivery until it is resumed', async (t) => {
  const story = await begin(t, {})
  const { installation, receiver, operate } = story
  const { account } = await installation.start({ TOLLGATE_ROLE: 'api' })
  await operate('notify', 'pause', String(account.merNo))
  await pay(account, { notifyUrl: `${receiver.url}/hook` })
  await installation.start({ TOLLGATE_ROLE: 'worker', PORT: String(await freePort()) })
  assert.ok(await staysFalse(() => receiver.received().length > 0, 1_000))
  await operate('notify', 'resume', String(account.merNo))
  assert.ok(await arrived(story, '/hook', 1))
})

test("a developer's listener gets the same bytes as the merchant, and does not affect the delivery", async (t) => {
  const story = await begin(t, {})
  const { installation, receiver, operate } = story
  const { account } = await installation.start()
  const listener = story.begin('listen', '--forward', `${receiver.url}/local`)
  t.after(() => listener.kill())
  await once(listener.stderr ?? listener, 'data')
  const reply = await pay(account, { notifyUrl: `${receiver.url}/hook` })
  assert.ok((await arrived(story, '/hook', 1)) && (await arrived(story, '/local', 1)))
  const [[hook], [local]] = [receiver.received('/hook'), receiver.received('/local')]
  assert.equal(local?.body, hook?.body)
  assert.equal(local?.headers['webhook-id'], hook?.headers['webhook-id'])
  assert.equal(local?.headers['content-type'], hook?.headers['content-type'])
  for (const came of [hook, local]) verifyWebhook(installation, came)
  const isDelivered = async () => {
    const { notifications } = await operate('notify', 'list', '--trade-no', String(reply.data.tradeNo))
    assert.ok(Array.isArray(notifications))
    assert.equal(notifications[0].attempts, 1)
    return notifications[0].state === 'delivered'
  }
  assert.ok(await eventually(isDelivered))
})
