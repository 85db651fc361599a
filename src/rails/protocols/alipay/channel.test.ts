// Tests Alipay as in production, where a trade does not exist until the payer opens its page. A test server responds
// over HTTP on loopback.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { signAnswer, signNotice } from '../../../../sandbox/alipay/signature.ts'
import { privatePem, publicPem } from '../../../../sandbox/rsa-keys.ts'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { AttemptRef, StartRequest } from '../../contract/channel.ts'
import { connectAlipay } from './channel.ts'

const ours = rsaPair('gateway')
const alipay = rsaPair('counterparty')

/** The content of the response to each call. A request for a page gets a redirect. */
let content: Fields = {}
/** The contents of the responses to queries of a refund, in order. Further queries get `content`. */
let refundQueries: Fields[] = []
/** The operation that the response names; by default the requested one. */
let node: string | undefined
/** The error that a request for a page gets. Undefined if the request gets a redirect. */
let refusal: Fields | undefined
const server = createServer(async (request, response) => {
  if (request.method === 'GET')
    return refusal === undefined
      ? response.writeHead(302, { location: '/cashier' }).end()
      : response.end(signAnswer('error_response', refusal, alipay.privateKey))
  const asked = new URLSearchParams(await readText(request)).get('method') ?? ''
  const name = node ?? `${asked.replaceAll('.', '_')}_response`
  const queried = asked === 'alipay.trade.fastpay.refund.query' ? refundQueries.shift() : undefined
  return response.end(signAnswer(name, queried ?? content, alipay.privateKey))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
assert.ok(typeof address === 'object' && address !== null)
const url = `http://127.0.0.1:${address.port}/gateway.do`
after(() => {
  server.closeAllConnections()
  server.close()
})

let now = new Date()
const settings = {
  name: 'alipay-2',
  method: 'alipay',
  url,
  appId: '9021',
  privateKey: privatePem(ours.privateKey),
  alipayPublicKey: publicPem(alipay.publicKey),
} as const
const tools = toolsWith({ clock: { now: () => now }, timeoutMs: 60_000 })
const channel = connectAlipay(settings, tools)

const notThere = { code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' }

const aRequest = () => makeRequest({ method: 'alipay', money: { amount: 1_250n, currency: 'CNY' } }, 'pays')

async function startPage(): Promise<{ request: StartRequest; attempt: AttemptRef }> {
  const request = aRequest()
  const outcome = await channel.start(request)
  assert.equal(outcome.kind, 'pending')
  const { channelRef, action } = outcome
  return { request, attempt: { reference: request.reference, money: request.money, channelRef, action } }
}

describe('a page that the payer has not opened', () => {
  it('is pending, and cannot be cancelled for certain until it expires', async () => {
    const { request, attempt } = await startPage()
    content = notThere
    assert.equal((await channel.ask(attempt)).kind, 'pending')
    assert.equal((await channel.cancel(attempt)).kind, 'unknown')
    now = request.expiresAt
    for (const outcome of [await channel.ask(attempt), await channel.cancel(attempt)]) {
      assert.equal(outcome.kind, 'failed')
      assert.equal(outcome.cause, 'cancelled')
    }
    now = new Date()
  })

  it('is closed for certain if no payer ever got its address', async () => {
    const { attempt } = await startPage()
    content = notThere
    const { reference, money } = attempt
    const outcome = await channel.ask({ reference, money })
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'cancelled')
  })
})

describe("Alipay's response", () => {
  const paid = { code: '10000', trade_no: '2026', trade_status: 'TRADE_SUCCESS', total_amount: '12.50' }

  it('counts as paid after a full refund, when the trade is closed', async () => {
    const { attempt } = await startPage()
    const { reference: out_trade_no } = attempt
    const money = { amount: 1_250n, currency: 'CNY' }
    for (const more of [{}, { trade_status: 'TRADE_CLOSED', send_pay_date: '2026-11-15 12:00:00' }]) {
      content = { ...paid, ...more, out_trade_no }
      assert.deepEqual(await channel.ask(attempt), { kind: 'succeeded', money, channelRef: '2026' })
    }
  })

  it('is unknown when it is malformed, about another trade, or a system error', async () => {
    const { attempt } = await startPage()
    const { reference: out_trade_no } = attempt
    const nonsense: readonly Fields[] = [
      { ...paid, out_trade_no: 'A2' },
      { ...paid, out_trade_no, total_amount: '12.5' },
      { ...paid, out_trade_no, trans_currency: 'ABC1' },
      { ...paid, out_trade_no, trade_status: 'TRADE_ODD' },
      { code: '20000', sub_code: 'isp.unknow-error' },
      { code: '40004', sub_code: 'ACQ.SYSTEM_ERROR' },
      {},
    ]
    for (content of nonsense) {
      assert.equal((await channel.ask(attempt)).kind, 'unknown', JSON.stringify(content))
      assert.equal((await channel.cancel(attempt)).kind, 'unknown', JSON.stringify(content))
    }
  })

  const noRefund = { code: '10000' }
  const refused = { code: '40004', sub_code: 'ACQ.TRADE_STATUS_ERROR' }

  async function refundOf(answer: Fields, queries: readonly Fields[]) {
    const { attempt } = await startPage()
    content = answer
    refundQueries = [...queries]
    return channel.refund({ ...attempt, refundReference: 'R1', refund: attempt.money })
  }

  it('refuses a refund for documented reasons only', async () => {
    const undecided = [
      'ACQ.SYSTEM_ERROR',
      'aop.ACQ.SYSTEM_ERROR',
      // A refund exists under this number.
      'ACQ.DISCORDANT_REPEAT_REQUEST',
      'ACQ.REFUND_CHARGE_ERROR',
      // Our own first refund may have closed the trade.
      'ACQ.TRADE_HAS_CLOSE',
      'ACQ.REASON_TRADE_STATUS_INVALID',
      'ACQ.A_NEW_REASON',
      'isv.invalid-signature',
    ]
    const refusals = [
      'SELLER_BALANCE_NOT_ENOUGH',
      'TRADE_NOT_EXIST',
      'TRADE_HAS_FINISHED',
      'TRADE_SETTLE_ERROR',
      'TRADE_NOT_ALLOW_REFUND',
      'NOT_ALLOW_PARTIAL_REFUND',
      'ONLINE_TRADE_VOUCHER_NOT_ALLOW_REFUND',
      'ALLOC_AMOUNT_VALIDATE_ERROR',
      'CURRENCY_NOT_SUPPORT',
      'REFUND_ACCOUNT_NOT_EXIST',
      'BUYER_ERROR',
      'BUYER_NOT_EXIST',
      'BUYER_ENABLE_STATUS_FORBID',
      'CUSTOMER_VALIDATE_ERROR',
      'USER_NOT_MATCH_ERR',
    ]
    const kindOf = async (sub_code: string, code = '40004') =>
      (await refundOf({ code, sub_code }, [noRefund, noRefund])).kind
    for (const code of undecided) assert.equal(await kindOf(code), 'unknown', code)
    for (const code of refusals) assert.equal(await kindOf(`ACQ.${code}`), 'failed', code)
    assert.equal(await kindOf('ACQ.TRADE_NOT_EXIST', '20000'), 'unknown')
  })

  it('fails no refund that an earlier call has made, or may have made', async () => {
    const made = {
      code: '10000',
      refund_status: 'REFUND_SUCCESS',
      out_request_no: 'R1',
      refund_amount: '12.50',
    }
    const busy = { code: '20000', sub_code: 'aop.unknow-error' }
    const kindAfter = async (...queries: readonly Fields[]) => (await refundOf(refused, queries)).kind
    assert.equal(await kindAfter(noRefund, made), 'succeeded')
    assert.equal(await kindAfter(busy, made), 'succeeded')
    assert.equal(await kindAfter(noRefund, busy), 'unknown')
    assert.equal(await kindAfter(noRefund, { ...noRefund, refund_status: 'REFUND_ODD' }), 'unknown')
    assert.equal(await kindAfter(noRefund, notThere), 'failed')
  })

  it('refuses to open a page for documented reasons only', async (t) => {
    t.after(() => {
      refusal = undefined
    })
    const kinds = [
      ['ACQ.SYSTEM_ERROR', 'unknown'],
      ['ACQ.A_NEW_REASON', 'unknown'],
      // A trade exists under this number, and the trade may be paid.
      ['ACQ.TRADE_HAS_SUCCESS', 'unknown'],
      ['ACQ.CONTEXT_INCONSISTENT', 'unknown'],
      ['ACQ.TRADE_HAS_CLOSE', 'cancelled'],
      ['ACQ.INVALID_PARAMETER', 'refused'],
      ['ACQ.TOTAL_FEE_EXCEED', 'refused'],
      ['isv.invalid-signature', 'unauthorised'],
    ] as const
    for (const [sub_code, expected] of kinds) {
      refusal = { code: sub_code.startsWith('isv.') ? '40002' : '40004', sub_code }
      const outcome = await channel.start(aRequest())
      assert.equal(outcome.kind === 'failed' ? outcome.cause : outcome.kind, expected, sub_code)
    }
  })

  it('is refused when it belongs to another operation', async () => {
    const { attempt } = await startPage()
    content = { ...paid, out_trade_no: attempt.reference }
    node = 'alipay_trade_refund_response'
    assert.equal((await channel.ask(attempt)).kind, 'unknown')
    node = undefined
    assert.equal((await channel.ask(attempt)).kind, 'succeeded')
  })

  it('is refused when it is signed with another key', async () => {
    const stranger = connectAlipay({ ...settings, alipayPublicKey: publicPem(ours.publicKey) }, tools)
    const { attempt } = await startPage()
    content = { ...paid, out_trade_no: attempt.reference }
    assert.equal((await stranger.ask(attempt)).kind, 'unknown')
  })
})

describe('settings of Alipay', () => {
  it('are refused with one sentence that names the channel and the setting, and never quotes a key', () => {
    const wrong = { privateKey: 'secret text', alipayPublicKey: 'x', appId: '', url: 'ftp://x' }
    for (const [name, value] of Object.entries(wrong))
      assert.throws(
        () => connectAlipay({ ...settings, [name]: value }, tools),
        (error: Error) =>
          new RegExp(`alipay-2: "${name}"`).test(error.message) && !/secret/.test(error.message),
      )
  })

  it('fail a payment for certain when the address refuses connections', async () => {
    const nobody = connectAlipay({ ...settings, url: 'http://127.0.0.1:1/gateway.do' }, tools)
    const { request, attempt } = await startPage()
    const outcome = await nobody.start(request)
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'unreachable')
    assert.equal((await nobody.ask(attempt)).kind, 'unknown')
  })
})

describe('an order for a merchant’s app', () => {
  const inApp = () =>
    makeRequest({ method: 'alipay', money: { amount: 1_250n, currency: 'CNY' }, terminal: 'APP' }, 'pays')

  it('is signed for the SDK without calling Alipay, deterministic, and expires', async () => {
    const nobody = connectAlipay({ ...settings, url: 'http://127.0.0.1:1/gateway.do' }, tools)
    const request = inApp()
    const outcome = await nobody.start(request)
    assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'app')
    assert.deepEqual(await nobody.start(request), outcome)
    const params = new URLSearchParams(outcome.action.sdkParams)
    assert.equal(params.get('method'), 'alipay.trade.app.pay')
    assert.equal(params.get('return_url'), null)
    const { reference, money } = request
    const attempt = { reference, money, channelRef: outcome.channelRef, action: outcome.action }
    content = notThere
    assert.equal((await channel.ask(attempt)).kind, 'pending')
    now = request.expiresAt
    assert.equal((await channel.ask(attempt)).kind, 'failed')
    now = new Date()
  })
})

describe('a notification', () => {
  const notice = (trade_no: string) => {
    const params = {
      app_id: '9021',
      out_trade_no: 'A1',
      trade_no,
      trade_status: 'TRADE_SUCCESS',
      total_amount: '12.50',
      sign_type: 'RSA2',
    }
    const body = new URLSearchParams(signNotice(params, alipay.privateKey)).toString()
    return { method: 'POST', path: '/callbacks/alipay-2', query: '', headers: {}, body }
  }

  it('is accepted, and refused if its trade number could not be stored', async () => {
    assert.equal((await channel.readCallback?.(notice('2026111622001')))?.kind, 'accepted')
    for (const no of ['', 'a\0b', 'x'.repeat(65)])
      assert.equal((await channel.readCallback?.(notice(no)))?.kind, 'refused', no)
  })
})
