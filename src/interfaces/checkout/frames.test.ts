// Tests which sites may show a page in a frame, and what the page reports to them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aView, awaiting, challenge, checkoutApp, wallet } from '../../../test/harness/checkout-app.ts'
import { frameAncestors } from './frames.ts'
import type { PayResult } from './pay-order.ts'

const inFrame = { 'sec-fetch-dest': 'iframe' }

type Headers = Readonly<Record<string, unknown>>

function ancestorsIn(headers: Headers): string {
  return /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1] ?? ''
}

function assertRefused(headers: Headers, what: string): void {
  assert.equal(ancestorsIn(headers), "'none'", what)
  assert.equal(headers['x-frame-options'], 'DENY', what)
}

describe('the sites that may frame a page', () => {
  it('are the merchant’s websites, at every port unless they name one', () => {
    const sites = ['shop.example', 'shop.example:8443', '*.shop.example', '127.0.0.1:3000']
    assert.deepEqual(frameAncestors(sites, false), [
      'https://shop.example:*',
      'https://shop.example:8443',
      'https://*.shop.example:*',
      'https://127.0.0.1:3000',
    ])
    assert.deepEqual(frameAncestors([], false), [])
  })

  it('include localhost in sandbox only', () => {
    assert.deepEqual(frameAncestors(['a.example'], true), ['http://localhost:*', 'http://a.example:*'])
    assert.deepEqual(frameAncestors(['localhost'], true), ['http://localhost:*'])
    assert.deepEqual(frameAncestors(['a.example'], false), ['https://a.example:*'])
  })

  it('never contain anything but hosts, whatever is stored', () => {
    const hostile = [
      '*',
      '*:*',
      'https:',
      "'self'",
      'a.example; script-src *',
      'a.example b.example',
      'a.example,b.example',
      'a.example\r\nset-cookie: x=1',
      'a.example\n',
      'https://a.example',
      'a.example/path',
      'A.EXAMPLE',
      'bücher.example',
      '[::1]:3000',
      '*.*.example',
      '',
    ]
    assert.deepEqual(frameAncestors(hostile, false), [])
  })

  it('fit in a header', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `shop-${at}.example`)
    const sources = frameAncestors(many, true)
    assert.ok(sources.length > 100)
    assert.ok(sources.join(' ').length < 4_000)
  })
})

const final = aView({ status: 'succeeded', choices: [] })

describe('a page of an order', () => {
  it('may be framed by its merchant’s sites, in every state, also with errors in its form', async () => {
    const wrong: PayResult = { kind: 'invalid', view: aView(), formState: { values: {}, problems: {} } }
    const answers = await Promise.all([
      ...[aView(), awaiting(challenge), awaiting(wallet), final].map((view) =>
        checkoutApp(view).get('/pay/good?back', inFrame),
      ),
      checkoutApp(aView(), { pay: async () => wrong }).post('/pay/good/pay', {}, inFrame),
    ])
    for (const { headers } of answers) {
      assert.equal(ancestorsIn(headers), 'https://shop.example:*')
      assert.equal(headers['x-frame-options'], undefined)
    }
  })

  it('may not be framed if its merchant has no site, or the browser does not say that it is a frame', async () => {
    assertRefused((await checkoutApp(aView({ frameAncestors: [] })).get('/pay/good', inFrame)).headers, '')
    for (const dest of ['document', 'embed', 'object', 'frame', 'IFRAME', ''])
      assertRefused((await checkoutApp(aView()).get('/pay/good', { 'sec-fetch-dest': dest })).headers, dest)
    assertRefused((await checkoutApp(aView()).get()).headers, 'no header')
  })

  it('tells the shop the order, its state, and where to return in the end', async () => {
    const [open, paid] = await Promise.all([
      checkoutApp(aView()).get('/pay/good', inFrame),
      checkoutApp(final).get('/pay/good', inFrame),
    ])
    const about = { orderNo: 'lamp-7', tradeNo: 'T1' }
    assert.deepEqual(factsIn(open.body), { ...about, state: 'choosing', isFinal: false, close: 'Close' })
    const { returnUrl } = final
    assert.deepEqual(factsIn(paid.body), {
      ...about,
      state: 'succeeded',
      isFinal: true,
      returnUrl,
      close: 'Close',
    })
    assert.doesNotMatch((await checkoutApp(final).get()).body, /data-framed/)
  })

  it('tells only an address of the web, and text that cannot become markup', async () => {
    const view = aView({ status: 'failed', choices: [], returnUrl: 'javascript:alert(1)', tradeNo: '"><b>' })
    const { body } = await checkoutApp(view).get('/pay/good', inFrame)
    assert.equal(factsIn(body).returnUrl, undefined)
    assert.doesNotMatch(body, /<b>/)
  })

  it('continues to a wallet by the shop’s window, not in the frame', async () => {
    const app = checkoutApp(awaiting(wallet, { maySwitch: false }))
    for (const path of ['/pay/good', '/pay/good?go']) {
      const { statusCode, headers, body } = await app.get(path, inFrame)
      assert.deepEqual({ statusCode, refresh: headers.refresh }, { statusCode: 200, refresh: undefined })
      assert.match(body, /data-auto-go/)
    }
  })
})

describe('the frame of a bank', () => {
  const sourcesIn = (headers: Headers) =>
    /frame-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]

  it('may show the bank and our return page, and only where the challenge is in a frame', async () => {
    const asked = checkoutApp(awaiting(challenge))
    const framed = await asked.get('/pay/good', inFrame)
    assert.equal(sourcesIn(framed.headers), "'self' https:")
    assert.match(framed.body, /<form method="post" action="[^"]*" target="bank" data-auto-submit>/)
    assert.match(framed.body, /<dialog aria-labelledby="bank-title"/)
    assert.match(framed.body, /data-events="/, 'the page waits for the result')
    const back = await asked.get('/pay/good?back', inFrame)
    assert.match(back.body, /target="bank">/)
    const answers = [
      await asked.get('/pay/good'),
      await checkoutApp(awaiting(wallet)).get('/pay/good?back', inFrame),
      await checkoutApp(aView()).get('/pay/good', inFrame),
    ]
    for (const { headers, body } of answers) {
      assert.equal(sourcesIn(headers), undefined)
      assert.doesNotMatch(body, /<dialog|target="bank"/)
    }
  })

  it('comes back to a page that only tells the order’s page around it', async () => {
    const cres = { cres: 'eyJhIjoxfQ' }
    const asked = checkoutApp(awaiting(challenge))
    const [answered, left, decided] = await Promise.all([
      asked.post('/pay/good/complete', cres, { ...inFrame, 'sec-fetch-site': 'cross-site' }),
      asked.get('/pay/good/complete', inFrame),
      checkoutApp(final).post('/pay/good/complete', cres, inFrame),
    ])
    assert.deepEqual(
      [answered, left, decided].map(({ body }) => /data-returned="(\w+)"/.exec(body)?.[1]),
      ['answered', 'open', 'answered'],
    )
    for (const { statusCode, headers, body } of [answered, left, decided]) {
      assert.equal(statusCode, 200)
      assert.equal(ancestorsIn(headers), "'self' https://shop.example:*")
      assert.doesNotMatch(body, /lamp-7|T1|24\.00/)
    }
    assert.equal(asked.calls.brought.length, 2)
    assertRefused((await asked.post('/pay/wrong/complete', cres, inFrame)).headers, 'no order')
  })
})

describe('a page without an order', () => {
  it('may not be framed', async () => {
    const failing = checkoutApp(aView(), { open: () => Promise.reject(new Error('no database')) })
    const busy = checkoutApp(aView(), { limit: () => 60 })
    const answers = await Promise.all([
      checkoutApp(aView()).get('/pay/wrong', inFrame),
      checkoutApp(aView()).get('/pay/good/no/such/page', inFrame),
      checkoutApp(aView()).post('/pay/good/pay', {}, { ...inFrame, 'sec-fetch-site': 'cross-site' }),
      failing.get('/pay/good', inFrame),
      busy.get('/pay/good', inFrame),
    ])
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [404, 404, 403, 500, 429],
    )
    for (const { headers, statusCode } of answers) assertRefused(headers, String(statusCode))
  })
})

describe('GET /drop-in.js', () => {
  it('is small, may be included by every site, and is cached with its hash', async () => {
    const { get } = checkoutApp(aView())
    const { statusCode, headers, rawPayload } = await get('/drop-in.js')
    assert.equal(statusCode, 200)
    assert.ok(rawPayload.length < 5_000, `${rawPayload.length} bytes before compression`)
    assert.match(String(headers['content-type']), /^text\/javascript/)
    assert.equal(headers['cache-control'], 'public, max-age=300')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    const again = await get('/drop-in.js', { 'if-none-match': String(headers.etag) })
    assert.deepEqual({ statusCode: again.statusCode, body: again.body }, { statusCode: 304, body: '' })
    assert.equal((await get('/assets/drop-in.js')).statusCode, 404)
  })
})

function factsIn(body: string): Record<string, unknown> {
  const [, text = ''] = /data-framed="([^"]*)"/.exec(body) ?? []
  return JSON.parse(text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))))
}
