// WeChat Pay with wrong settings, and a platform with an unknown key.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { privatePem, publicPem } from '../../../../sandbox/rsa-keys.ts'
import { startSandbox } from '../../../../sandbox/server.ts'
import { API_PATH } from '../../../../sandbox/wechat/routes.ts'
import { platformHeaders } from '../../../../sandbox/wechat/signature.ts'
import { giveSandboxKeys, rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import type { Outcome } from '../../contract/channel.ts'
import { connectWechat } from './channel.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-wechat-'))
giveSandboxKeys(dataDir)
const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
after(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

const entry = sandbox.settings().find(({ method }) => method === 'wechat')
assert.ok(entry)
const settings = { ...entry, method: 'wechat' } as const
const tools = toolsWith({ timeoutMs: 60_000 })
const stranger = rsaPair('stranger')
const request = () => makeRequest({ method: 'wechat', money: { amount: 1_250n, currency: 'CNY' } }, 'pays')

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = incoming
  const onward = ask(new URL(url ?? '', sandbox.url), { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(response)
  })
  incoming.pipe(onward)
}

const causeOf = (outcome: Outcome) => (outcome.kind === 'failed' ? outcome.cause : outcome.kind)

describe('a WeChat channel', () => {
  it('is refused with a key that the platform does not know', async () => {
    const channel = connectWechat({ ...settings, privateKey: privatePem(stranger.privateKey) }, tools)
    const started = request()
    const outcome = await channel.start(started)
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'unauthorised')
    assert.equal(sandbox.bank('wechat')?.find(started.reference), undefined)
    assert.equal((await channel.ask(started)).kind, 'unknown')
  })

  it("refuses responses that are not signed with the platform's key", async () => {
    const channel = connectWechat({ ...settings, platformPublicKey: publicPem(stranger.publicKey) }, tools)
    const started = request()
    assert.equal((await channel.start(started)).kind, 'unknown')
    assert.equal((await channel.ask(started)).kind, 'unknown')
  })

  it('fails for certain when the connection is refused, and returns unknown for an older attempt', async () => {
    const channel = connectWechat({ ...settings, url: 'http://127.0.0.1:1' }, tools)
    const outcome = await channel.start(request())
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'unreachable')
    assert.equal((await channel.cancel(request())).kind, 'unknown')
  })

  it('does not know the outcome of a used number whose query gets no response', async (t) => {
    const front = createServer((incoming, response) => {
      if (incoming.method === 'GET') incoming.socket.destroy()
      else forward(incoming, response)
    }).listen(0, '127.0.0.1')
    t.after(() => front.close())
    await once(front, 'listening')
    const { port } = front.address() as AddressInfo
    const started = request()
    assert.equal((await connectWechat(settings, tools).cancel(started)).kind, 'failed')
    const channel = connectWechat({ ...settings, url: `http://127.0.0.1:${port}${API_PATH}` }, tools)
    assert.equal((await channel.start(started)).kind, 'unknown')
  })

  it('ends an order that WeChat Pay refuses, whatever the reason, unless the number has an order or there is a limit', async (t) => {
    const { privateKey } = rsaPair('counterparty')
    let refusal: { readonly status: number; readonly code: string }
    const front = createServer((incoming, response) => {
      const isOpening = incoming.method === 'POST' && !incoming.url?.endsWith('/close')
      if (!isOpening) return forward(incoming, response)
      const body = JSON.stringify({ code: refusal.code })
      return response.writeHead(refusal.status, platformHeaders(body, privateKey, new Date())).end(body)
    }).listen(0, '127.0.0.1')
    t.after(() => front.close())
    await once(front, 'listening')
    const { port } = front.address() as AddressInfo
    const channel = connectWechat({ ...settings, url: `http://127.0.0.1:${port}${API_PATH}` }, tools)
    const outcomes = [
      [403, 'TRADE_ERROR', 'refused', 'cancelled'],
      [403, 'ACCOUNT_ERROR', 'refused', 'cancelled'],
      [403, 'NOT_ENOUGH', 'refused', 'cancelled'],
      [400, 'OPENID_MISMATCH', 'refused', 'cancelled'],
      [400, 'A_NEW_REASON', 'refused', 'cancelled'],
      [403, 'NOAUTH', 'unauthorised', 'cancelled'],
      [403, 'RULE_LIMIT', 'unreachable', 'unknown'],
      [429, 'FREQUENCY_LIMITED', 'unreachable', 'unknown'],
      [400, 'ORDERPAID', 'unknown', 'unknown'],
      [403, 'OUT_TRADE_NO_USED', 'unknown', 'unknown'],
      [500, 'SYSTEM_ERROR', 'unknown', 'unknown'],
      [202, 'ACCEPTED', 'unknown', 'unknown'],
    ] as const
    for (const [status, code, start, later] of outcomes) {
      refusal = { status, code }
      const started = request()
      const { reference, money } = started
      const shown = { reference, money, channelRef: reference }
      assert.equal(causeOf(await channel.start(started)), start, code)
      assert.equal(causeOf(await channel.ask(started)), later, code)
      assert.equal(causeOf(await channel.cancel(started)), later, code)
      assert.equal(causeOf(await channel.cancel(shown)), 'unknown', code)
    }
  })

  it('fails no refund that an earlier call has made, or may have made', async (t) => {
    const { privateKey } = rsaPair('counterparty')
    const started = request()
    const refund = { ...started, refundReference: 'R1', refund: started.money }
    const amount = { total: 1_250, refund: 1_250, currency: 'CNY' }
    const made = { status: 200, out_refund_no: 'R1', refund_id: '50', amount }
    const absent = { status: 404, code: 'RESOURCE_NOT_EXISTS' }
    let queries: readonly { readonly status: number }[] = []
    let refundState = {}
    let order = { status: 200, trade_state: 'SUCCESS', out_trade_no: started.reference }
    const front = createServer((incoming, response) => {
      if (incoming.url?.includes('/transactions/')) {
        const body = JSON.stringify(order)
        return response.writeHead(order.status, platformHeaders(body, privateKey, new Date())).end(body)
      }
      const [next = absent, ...rest] = queries
      const isQuery = incoming.method === 'GET'
      if (isQuery) queries = rest
      const { status, ...fields } = isQuery ? next : { status: 400, code: 'INVALID_REQUEST' }
      const body = JSON.stringify(status === 200 ? { ...fields, status: 'SUCCESS', ...refundState } : fields)
      return response.writeHead(status, platformHeaders(body, privateKey, new Date())).end(body)
    }).listen(0, '127.0.0.1')
    t.after(() => front.close())
    await once(front, 'listening')
    const { port } = front.address() as AddressInfo
    const channel = connectWechat({ ...settings, url: `http://127.0.0.1:${port}${API_PATH}` }, tools)
    const kindAfter = async (...answers: typeof queries) => {
      queries = answers
      return (await channel.refund(refund)).kind
    }
    assert.equal(await kindAfter(absent, made), 'succeeded')
    assert.equal(await kindAfter(absent, { status: 500 }), 'unknown')
    assert.equal(await kindAfter(absent, { status: 429 }), 'unknown')
    assert.equal(await kindAfter(absent, absent), 'failed')
    for (const [state, kind] of [
      ['PROCESSING', 'pending'],
      ['ABNORMAL', 'unknown'],
      ['CLOSED', 'failed'],
    ] as const) {
      refundState = { status: state }
      assert.equal(await kindAfter(absent, made), kind, state)
    }
    order = { ...order, trade_state: 'REFUND' }
    assert.equal(await kindAfter(absent, absent), 'unknown', 'the query lags behind the order')
    order = { ...order, status: 429 }
    assert.equal(await kindAfter(absent, absent), 'unknown', 'the order cannot be read')
  })

  it('does not close an order whose payer may have the code', async () => {
    const channel = connectWechat(settings, tools)
    const started = request()
    const outcome = await channel.start(started)
    assert.equal(outcome.kind, 'pending')
    const { reference, money } = started
    const { channelRef } = outcome
    assert.equal((await channel.ask({ reference, money, channelRef })).kind, 'unknown')
    assert.equal(sandbox.bank('wechat')?.find(reference)?.status, 'open')
  })

  it('needs keys and a secret of the right kind', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const wrong = {
      privateKey: privatePem(ec.privateKey),
      platformPublicKey: 'x',
      apiV3Key: 'too short',
      mchid: undefined,
    }
    for (const [name, value] of Object.entries(wrong))
      assert.throws(
        () => connectWechat({ ...settings, [name]: value }, tools),
        new RegExp(`channel wechat: "${name}"`),
      )
  })
})
