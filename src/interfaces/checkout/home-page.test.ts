import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import { type FirstPayment, type FirstPayments, registerHome } from './home-page.ts'

const paid: FirstPayment = {
  path: '/payment',
  request: { merNo: 123, sign: 'ABC' },
  signedText: '123',
  answer: { code: '00000', message: 'SUCCESS', data: { tradeNo: 'T1' } },
  payPath: undefined,
}

function appWith(sandbox: boolean, pay: FirstPayments['pay'] = async () => paid) {
  const app = fastify()
  for (const path of ['/backoffice', '/metrics']) app.get(path, () => '')
  const demo = { merchant: async () => ({ merNo: 123, site: 'localhost' }), pay }
  registerHome(app, { sandbox, baseUrl: 'https://pay.example/<gate>', version: '1.2.3', demo })
  return app
}

describe('the page at /', () => {
  it('explains in sandbox how to make a first payment and where the keys are', async () => {
    const { statusCode, headers, body } = await appWith(true).inject('/')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    const words = ['Sandbox: no money moves', 'pay --card 4242424242424242', 'demo.json']
    for (const word of [...words, 'Version 1.2.3', '<code>123</code>', 'http://localhost/'])
      assert.ok(body.includes(word), word)
    assert.match(body, /<a href="metrics">/)
  })

  it('leads only to what is served', async () => {
    const { body } = await appWith(true).inject('/')
    assert.match(body, /href="backoffice"/)
    assert.doesNotMatch(body, /href="(docs|shop|openapi\.json)"/)
  })

  it('says in live that money moves, and sends payers to their shop', async () => {
    const app = appWith(false)
    const { body } = await app.inject('/')
    assert.match(body, /<strong>live<\/strong>/)
    assert.match(body, /Open the link from your shop again/)
    assert.doesNotMatch(body, /4242|demo|npm run|href="metrics"|Sandbox/i)
    assert.equal((await app.inject({ method: 'POST', url: '/sandbox/first-payment' })).statusCode, 404)
  })

  it('has the security headers of every page, answers HEAD, and uses no inline style or script', async () => {
    for (const sandbox of [true, false]) {
      const app = appWith(sandbox)
      const { headers, body } = await app.inject('/')
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
      assert.equal(headers['cache-control'], 'no-store')
      assert.doesNotMatch(body, /<script>|<style| style=| on[a-z]+=/)
      assert.ok(body.includes('https://pay.example/&#60;gate&#62;'))
      const head = await app.inject({ method: 'HEAD', url: '/' })
      assert.deepEqual({ statusCode: head.statusCode, body: head.body }, { statusCode: 200, body: '' })
      assert.equal((await app.inject('/assets/home.css')).headers['content-type'], 'text/css; charset=utf-8')
    }
  })
})

describe('the first payment', () => {
  function post(pay: FirstPayments['pay'], more: { payload?: string; site?: string } = {}) {
    const { payload = 'by=card', site = 'same-origin' } = more
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site }
    return appWith(true, pay).inject({ method: 'POST', url: '/sandbox/first-payment', headers, payload })
  }

  it('shows the request, what was signed, and the response', async () => {
    const { statusCode, body } = await post(async () => paid)
    assert.equal(statusCode, 200)
    for (const text of ['123&lt;KEY&gt;', 'explain T1', '../backoffice/orders/T1', 'SUCCESS'])
      assert.ok(body.includes(text), text)
  })

  it('leads to the checkout page, relative to this address', async () => {
    const { statusCode, headers } = await post(async (by) => ({ ...paid, payPath: `pay/${by}` }), {
      payload: 'by=checkout',
    })
    assert.deepEqual(
      { statusCode, location: headers.location },
      { statusCode: 303, location: '../pay/checkout' },
    )
  })

  it('is refused to other sites, and says what to do if it fails', async () => {
    assert.equal((await post(async () => assert.fail('not called'), { site: 'cross-site' })).statusCode, 403)
    const { statusCode, body } = await post(() => Promise.reject(new Error('no gateway')))
    assert.equal(statusCode, 503)
    assert.match(body, /doctor/)
    assert.equal((await post(async () => undefined)).statusCode, 503)
  })
})

describe('the door to the demo shop', () => {
  function doorOf(address: string | undefined, sandbox = true) {
    const app = fastify()
    registerHome(app, { sandbox, baseUrl: '', version: '1', findShop: async () => address })
    return app
  }

  it('leads to the shop if it runs, and says how to start it otherwise', async () => {
    const open = await doorOf('http://localhost:8090/').inject('/shop')
    assert.deepEqual(
      { statusCode: open.statusCode, location: open.headers.location },
      { statusCode: 303, location: 'http://localhost:8090/' },
    )
    const closed = await doorOf(undefined).inject('/shop')
    assert.equal(closed.statusCode, 503)
    assert.match(closed.body, /npm run demo/)
    assert.match((await doorOf(undefined).inject('/')).body, /href="shop"/)
  })

  it('does not exist in live', async () => {
    const app = doorOf('http://localhost:8090/', false)
    assert.equal((await app.inject('/shop')).statusCode, 404)
    assert.doesNotMatch((await app.inject('/')).body, /href="shop"/)
  })
})
