// Checks docs/bridge-protocol.md. Its example requests are sent to the starter bridge and to the sandbox's
// counterparties. Its example callbacks are read by a channel of the gateway, and compared with the callbacks that the
// bridges send.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startSandbox } from '../sandbox/server.ts'
import { systemClock } from '../src/platform/base/clock.ts'
import { type Fields, isObject } from '../src/platform/base/object.ts'
import { type Caller, openCaller } from '../src/rails/bridge-check/open-caller.ts'
import { methods } from '../src/rails/methods/methods.ts'
import { createBankChannel } from '../src/rails/protocols/bridge/bank/bank-channel.ts'
import { readCharge, redirectTo } from '../src/rails/protocols/bridge/bank/charge.ts'
import { pixAction } from '../src/rails/protocols/bridge/methods/pix.ts'
import { wechatAction } from '../src/rails/protocols/bridge/methods/wallet-pages.ts'
import { signatureHeader, signRequest, timestampHeader } from '../src/rails/toolkit/signature.ts'
import { httpTransport } from '../src/rails/toolkit/transport.ts'
import { noAlarms } from './builders/no-alarms.ts'
import { giveSandboxKeys } from './builders/rsa-keys.ts'
import { openCallbackReceiver } from './counterparties/callback-receiver.ts'
import { BRIDGE_SECRET as secret, startStarterBridge } from './counterparties/starter-bridge.ts'
import { eventually } from './harness/eventually.ts'
import { blocksOf } from './harness/guides.ts'

const text = readFileSync('docs/bridge-protocol.md', 'utf8')
const blocks = blocksOf({ name: 'bridge-protocol', text }).filter(({ language }) => language === 'json')

type Example = {
  readonly operation: string
  readonly body: string
  readonly status: number
  readonly answer: unknown
}

/** In the document, each request is followed by its answer. */
const examples = blocks.flatMap(({ before, code }, at): Example[] => {
  const operation = /^Request `([a-z]+)`:$/.exec(before)?.[1]
  if (operation === undefined) return []
  const next = blocks[at + 1]
  const status = Number(/^Answer (\d+):$/.exec(next?.before ?? '')?.[1])
  assert.ok(next && status > 0, `the example of ${operation} has an answer`)
  return [{ operation, body: code, status, answer: JSON.parse(next.code) }]
})

const callbacks = new Map(
  blocks.flatMap(({ before, code }): [string, Fields][] => {
    const kind = /^Callback `([a-z]+)`/.exec(before)?.[1]
    return kind === undefined ? [] : [[kind, JSON.parse(code)]]
  }),
)

/** The fields whose values differ from run to run, and from bridge to bridge. */
const varying = [
  ...['id', 'payerUrl', 'qrCode', 'sdkParams', 'at', 'reason', 'message', 'payee', 'disputedAt', 'respondBy'],
]

/** Checks that `actual` has everything that is documented. `actual` may have more. */
function compare(documented: unknown, actual: unknown, where: string): void {
  if (Array.isArray(documented)) {
    assert.ok(Array.isArray(actual), where)
    documented.forEach((one, at) => {
      if (isObject(one)) compare(one, actual[at], `${where}, ${at}`)
    })
  } else if (isObject(documented)) {
    assert.ok(isObject(actual), `${where}: ${JSON.stringify(actual)}`)
    for (const [name, value] of Object.entries(documented))
      if (!varying.includes(name)) compare(value, actual[name], `${where}, "${name}"`)
      else assert.equal(typeof actual[name], typeof value, `${where}, "${name}"`)
  } else assert.deepEqual(actual, documented, where)
}

const receiver = await openCallbackReceiver()
const bridge = await startStarterBridge()
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-protocol-'))
giveSandboxKeys(dataDir)
const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000, secret })
after(async () => {
  await bridge.close()
  await sandbox.close()
  await receiver.close()
  rmSync(dataDir, { recursive: true })
})

async function send(caller: Caller, { operation, body, status, answer }: Example): Promise<void> {
  const { origin } = new URL(receiver.url)
  const reply = await caller.callWith(operation, body.replaceAll('https://gateway.example', origin), {})
  assert.equal(reply.kind, 'answer')
  assert.equal(reply.status, status, `${operation}: ${JSON.stringify(reply.body)}`)
  compare(answer, reply.body, operation)
}

test('the document has an example of every operation', () => {
  const shown = new Set(examples.map(({ operation }) => operation))
  for (const operation of ['ping', 'open', 'lookup', 'cancel', 'refund', 'authorise', 'void', 'send'])
    assert.ok(shown.has(operation), operation)
  for (const operation of ['chargebacks', 'statement', 'simulate']) assert.ok(shown.has(operation), operation)
  assert.deepEqual([...callbacks.keys()], ['payment', 'refund', 'payout', 'dispute'])
})

test("the document's signature is right", () => {
  const cell = (name: string) => new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, 'm').exec(text)?.[1] ?? ''
  const parts = { method: 'POST', path: '/v1/lookup', timestamp: cell('timestamp'), body: cell('body') }
  assert.equal(signRequest(cell('secret'), parts), cell('signature'))
})

test('the gateway can show the documented codes to payers', () => {
  const answerTo = (method: string) =>
    readCharge(examples.find(({ body }) => JSON.parse(body).method === method)?.answer) ?? assert.fail(method)
  assert.equal(pixAction(answerTo('pix'))?.kind, 'qr')
  assert.equal(wechatAction(answerTo('wechat'))?.kind, 'app')
})

test('the starter bridge answers the examples as documented', async () => {
  const caller = openCaller({ url: bridge.url, secret })
  for (const example of examples) await send(caller, example)
})

test("the sandbox's counterparties answer the examples as documented", async () => {
  const placeOf = (operation: string) => {
    if (operation === 'authorise' || operation === 'void') return ''
    return operation === 'send' ? '/payout-bank' : '/banks/spei'
  }
  // The sandbox's bank at /banks/spei has no other methods.
  const ours = examples.filter(({ body }) => ['spei', undefined].includes(JSON.parse(body).method))
  for (const example of ours)
    await send(openCaller({ url: sandbox.url + placeOf(example.operation), secret }), example)
})

test('the gateway understands the documented callbacks, and the starter bridge sends such', async () => {
  const channel = createBankChannel({
    name: 'acme',
    method: 'cash_app',
    traits: methods.cash_app,
    transport: httpTransport({ url: bridge.url, secret }),
    secret,
    timeoutMs: 1_000,
    alarms: noAlarms,
    clock: systemClock,
    reports: 'exact',
    actionOf: redirectTo,
  })
  const { call } = openCaller({ url: bridge.url, secret })
  const isPaidOut = async () => isDone(await call('lookup', { reference: 'P26111600001' }))
  assert.ok(await eventually(isPaidOut))
  await call('simulate', { reference: 'P26111600001', event: 'return', amount: '89500' })
  await call('simulate', { reference: 'T26111600001-1', event: 'dispute' })
  for (const [kind, content] of callbacks) {
    const read = await channel.readCallback?.(signed(content))
    assert.equal(read?.kind, 'accepted', kind)
    const wanted = content.type ?? 'payment'
    const sent = () => receivedAs(String(wanted)).find((one) => one.status === content.status)
    assert.ok(await eventually(() => sent() !== undefined), kind)
    compare(content, sent(), `callback ${kind}`)
  }
})

function isDone({ body }: { readonly body: unknown }): boolean {
  return isObject(body) && body.status === 'succeeded'
}

/** Returns the callbacks of this kind that arrived, in the order of their arrival. */
function receivedAs(kind: string): Fields[] {
  const bodies = receiver.received().map(({ body }): unknown => JSON.parse(body))
  return bodies.filter(isObject).filter(({ type = 'payment' }) => type === kind)
}

function signed(content: Fields) {
  const body = JSON.stringify(content)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const parts = { method: 'POST', path: '/callbacks/acme', timestamp, body }
  const headers = { [timestampHeader]: timestamp, [signatureHeader]: signRequest(secret, parts) }
  return { method: 'POST', path: parts.path, query: '', headers, body }
}
