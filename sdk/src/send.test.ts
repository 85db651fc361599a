// The client's behaviour when the network, a proxy or the gateway fails, against a server that fails on demand.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TollgateError } from './errors.ts'
import { Tollgate } from './tollgate.ts'

type Behaviour = (response: ServerResponse) => void

let calls: { readonly path: string; readonly headers: Record<string, unknown>; readonly body: string }[] = []
/** The behaviours of the server, one for each request. The last behaviour applies to all later requests. */
let behaviours: Behaviour[] = []

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  calls.push({ path: request.url ?? '', headers: request.headers, body })
  const next = behaviours.length > 1 ? behaviours.shift() : behaviours[0]
  next?.(response)
})

let tollgate: Tollgate
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  tollgate = client()
})
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  calls = []
})

function client(changes: { readonly timeoutMs?: number } = {}): Tollgate {
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  return new Tollgate({ baseUrl, merNo: 12, key: 'the key of a merchant', site: 'shop.example', ...changes })
}

const answers =
  (code: string, data?: unknown, status = 200, headers = {}): Behaviour =>
  (response) =>
    response
      .writeHead(status, { 'x-request-id': 'q1', ...headers })
      .end(JSON.stringify({ code, message: 'why', data }))
const page =
  (status: number): Behaviour =>
  (response) =>
    response.writeHead(status).end('<html>')
const hang: Behaviour = () => {}
const reset: Behaviour = (response) => response.socket?.resetAndDestroy()
const sales = (state: number) =>
  answers('00000', { state, tradeNo: 'T1', merOrderNo: 'A-1', message: 'queried' })
const balance = answers('00000', { currency: 'USD', balance: '1.00' })
const full = answers('99999', undefined, 503, { 'retry-after': '0' })

const fields = {
  merOrderNo: 'A-1',
  currencyCode: 'USD',
  sourceAmount: '1.00',
  returnUrl: 'https://shop.example/',
  ipAddress: '203.0.113.7',
}
const pay = (options = {}, by = tollgate) => by.pay('alipay', fields, options)

async function failureOf(call: Promise<unknown>): Promise<TollgateError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof TollgateError, String(error))
  return error
}

describe('a payment', () => {
  const unknown: Readonly<Record<string, Behaviour>> = {
    'whose connection breaks': reset,
    'that the gateway cannot decide': answers('99999'),
    'that a proxy gave up': page(504),
    'that something answered with a page': page(200),
  }
  for (const [name, behaviour] of Object.entries(unknown)) {
    it(`${name} is sent once, and resolved by its number`, async () => {
      behaviours = [behaviour, sales(3)]
      const { next, order } = await failureOf(pay())
      assert.equal(next, 'ask-by-number')
      const resolved = await order?.resolve()
      assert.deepEqual(
        calls.map(({ path }) => path),
        ['/payment', '/order/query'],
      )
      const { merOrderNo, tradeNo, queryType } = JSON.parse(calls[1]?.body ?? '')
      assert.deepEqual(
        { merOrderNo, tradeNo, queryType },
        { merOrderNo: 'A-1', tradeNo: '', queryType: 'sales' },
      )
      assert.deepEqual(
        { status: resolved?.status, tradeNo: resolved?.tradeNo, message: resolved?.message },
        { status: 'succeeded', tradeNo: 'T1', message: 'queried' },
      )
    })
  }

  it('by a page is resolved in the same way', async () => {
    behaviours = [reset, sales(1)]
    const { next, order } = await failureOf(tollgate.checkoutPage({ ...fields, productInfoList: [] }))
    assert.equal(next, 'ask-by-number')
    assert.equal((await order?.resolve({ waitMs: 0 }))?.status, 'pending')
  })

  it('that is not found or not decided yet is asked for again', async () => {
    behaviours = [answers('10026'), sales(1), sales(2)]
    assert.equal((await tollgate.order({ merOrderNo: 'A-1' }).resolve()).status, 'failed')
    assert.equal(calls.length, 3)
  })

  it('without an answer in time, or that the caller gave up, may have arrived', async () => {
    // On a slow machine, an aborted request may arrive late or not at all, so every request gets this behaviour.
    behaviours = [hang]
    const late = await failureOf(pay({}, client({ timeoutMs: 30 })))
    assert.match(late.message, /no answer within 30 ms/)
    assert.equal(late.next, 'ask-by-number')
    const controller = new AbortController()
    const aborted = failureOf(pay({ signal: controller.signal }))
    setTimeout(() => controller.abort(), 30)
    assert.equal((await aborted).next, 'ask-by-number')
    behaviours = [answers('10026')]
    const { status } = (await (await aborted).order?.resolve({ waitMs: 0 })) ?? {}
    assert.equal(status, 'not-found')
  })

  it('that the caller gave up before it was sent is not sent', async () => {
    await assert.rejects(pay({ signal: AbortSignal.abort(new Error('too late')) }), /too late/)
    assert.deepEqual(calls, [])
  })

  it('that a full gateway refused may be sent again by the caller', async () => {
    behaviours = [answers('99999', undefined, 503, { 'retry-after': '2' })]
    const { next, retryAfterMs, code, status, requestId } = await failureOf(pay())
    assert.deepEqual(
      { next, retryAfterMs, code, status, requestId },
      { next: 'retry-later', retryAfterMs: 2000, code: '99999', status: 503, requestId: 'q1' },
    )
    assert.equal(calls.length, 1)
  })

  it('is not sent to where a redirect points', async () => {
    behaviours = [(response) => response.writeHead(307, { location: '/elsewhere' }).end()]
    assert.equal((await failureOf(pay())).next, 'fix-request')
    assert.equal(calls.length, 1)
  })

  it('that a proxy limits was not forwarded, and may be sent again later', async () => {
    behaviours = [
      (response) => response.writeHead(429, { 'retry-after': '7' }).end('<h1>Too Many Requests</h1>'),
    ]
    const { next, retryAfterMs } = await failureOf(pay())
    assert.deepEqual(
      { next, retryAfterMs, calls: calls.length },
      { next: 'retry-later', retryAfterMs: 7_000, calls: 1 },
    )
  })

  it('has a Referer and its method in the headers', async () => {
    behaviours = [answers('10015')]
    assert.equal((await failureOf(pay())).next, 'check-keys')
    const { headers } = calls[0] ?? {}
    assert.deepEqual(
      { referer: headers?.referer, paymenttype: headers?.paymenttype },
      { referer: 'https://shop.example/', paymenttype: 'ALIPAY' },
    )
  })

  it('with the number of an earlier one is resolved to that one; a refund is not', async () => {
    behaviours = [answers('10009'), sales(2)]
    const { next, order } = await failureOf(pay())
    assert.equal(next, 'ask-by-number')
    assert.equal((await order?.resolve())?.status, 'failed')
    const refund = { merOrderNo: 'A-1', tradeNo: 'T1', amount: '1.00', merRefundNo: 'R-1' }
    behaviours = [answers('10009')]
    assert.equal((await failureOf(tollgate.refund(refund))).next, 'fix-request')
  })
})

describe('a query', () => {
  it('is sent again while the gateway cannot answer', async () => {
    behaviours = [reset, full, balance]
    assert.equal((await tollgate.balance()).balance, '1.00')
    assert.equal(calls.length, 3)
  })

  it('fails in the end', async () => {
    behaviours = [full]
    assert.equal((await failureOf(tollgate.balance())).next, 'retry-later')
    assert.equal(calls.length, 3)
  })

  it('is not sent again if the request itself is refused', async () => {
    behaviours = [answers('99997')]
    assert.equal((await failureOf(tollgate.balance())).next, 'fix-request')
    assert.equal(calls.length, 1)
  })

  it('is not sent again if the gateway asks for a long wait', async () => {
    behaviours = [answers('10107', undefined, 429, { 'retry-after': '60' })]
    const { next, retryAfterMs } = await failureOf(tollgate.balance())
    assert.deepEqual(
      { next, retryAfterMs, calls: calls.length },
      { next: 'retry-later', retryAfterMs: 60_000, calls: 1 },
    )
  })

  it('ends with the reason of its signal, also between two attempts', async () => {
    behaviours = [answers('99999', undefined, 503, { 'retry-after': '9' })]
    const controller = new AbortController()
    const rejected = assert.rejects(tollgate.balance({}, { signal: controller.signal }), /enough/)
    while (calls.length === 0) await sleep(5)
    await sleep(50)
    controller.abort(new Error('enough'))
    await rejected
    assert.equal(calls.length, 1)
  })
})

describe('a refund', () => {
  const refund = { merOrderNo: 'A-1', tradeNo: 'T1', amount: '1.00' }
  const accepted = answers('00000', { refundNo: 'R1', merOrderNo: 'A-1', tradeNo: 'T1' })

  it('with its own number is sent again; the gateway makes one refund of it', async () => {
    behaviours = [reset, accepted]
    assert.equal((await tollgate.refund({ ...refund, merRefundNo: 'R-1' })).refundNo, 'R1')
    assert.equal(calls.length, 2)
  })

  it('without one is sent once', async () => {
    behaviours = [reset, accepted]
    assert.equal((await failureOf(tollgate.refund(refund))).next, 'ask-by-number')
    assert.equal(calls.length, 1)
  })
})

it('asks for each page of a list as of the first', async () => {
  const listed = (pageNum: number) =>
    answers('00000', { pageNum, totalPage: 2, list: [{ tradeNo: `T${pageNum}` }], asOf: 'then' })
  behaviours = [listed(1), listed(2)]
  const found: string[] = []
  for await (const { tradeNo } of tollgate.orders({ tradeNos: ['T1', 'T2'] })) found.push(tradeNo)
  assert.deepEqual(found, ['T1', 'T2'])
  const asked = calls.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    asked.map(({ pageNum, asOf }) => [pageNum, asOf]),
    [
      [1, undefined],
      [2, 'then'],
    ],
  )
})

it('finds a payment with its amount, or nothing', async () => {
  const item = { tradeNo: 'T1', sourceAmount: '24.00', sourceCurrency: 'EUR' }
  const listed = (...list: unknown[]) => answers('00000', { pageNum: 1, totalPage: 1, list })
  const expected = { 1: 'pending', 5: 'succeeded', 7: 'failed', 9: 'succeeded', 25: 'pending' } as const
  for (const [state, status] of Object.entries(expected)) {
    behaviours = [listed({ ...item, state: Number(state) })]
    const found = await tollgate.findPayment('A-1')
    assert.deepEqual(
      { status: found?.status, amount: found?.amount, currency: found?.currency, tradeNo: found?.tradeNo },
      { status, amount: '24.00', currency: 'EUR', tradeNo: 'T1' },
    )
  }
  behaviours = [listed()]
  assert.equal(await tollgate.findPayment('A-2'), undefined)
})
