// The shop against a gateway that misbehaves: a real HTTP server that loses requests and answers. The shop with a good
// gateway is tested in test/stories/shop.browser.test.ts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { signNotification } from '../sdk/src/testing.ts'
import { eventually } from '../test/harness/eventually.ts'
import { openShop, type Shop } from './server.ts'

const secrets = { key: 'a key only for tests', webhookSecret: 'whsec_YSBzZWNyZXQgZm9yIHRlc3Rz' }

type Answer = (body: Readonly<Record<string, string>>, response: ServerResponse) => void
type Gateway = Readonly<Record<string, Answer>>

const data = (fields: object) => JSON.stringify({ code: '00000', message: 'SUCCESS', data: fields })

/** Opens a shop whose gateway gives these answers. `calls` are the paths that the shop has called. */
async function openWith(
  context: TestContext,
  gateway: Gateway,
  timeoutMs = 60_000,
): Promise<{ shop: Shop; calls: string[] }> {
  const calls: string[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    calls.push(path)
    const answer = gateway[path]
    if (answer === undefined) response.destroy()
    else answer(JSON.parse(await text(request)), response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const merchant = { baseUrl: `http://127.0.0.1:${address.port}`, merNo: 1, site: 'localhost', ...secrets }
  const shop = await openShop({ merchant, port: 0, timeoutMs })
  context.after(async () => {
    await shop.close()
    server.closeAllConnections()
    server.close()
  })
  return { shop, calls }
}

async function open({ url }: Shop, path: string, form?: Readonly<Record<string, string>>) {
  const response = await fetch(url + path, {
    headers: { cookie: 'shop_cart=MUG.2' },
    redirect: 'manual',
    ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
  })
  return { status: response.status, to: response.headers.get('location') ?? '', page: await response.text() }
}

const number = 'S-0123456789ABCDEF01'
const card = { number, way: 'card', cardNo: '4242 4242 4242 4242', expiry: '12/30', code: '123' }

async function untilShown(shop: Shop, path: string, words: string): Promise<void> {
  assert.ok(await eventually(async () => (await open(shop, path)).page.includes(words)), words)
}

test('a payment without an answer is found by its number, and never sent twice', async (context) => {
  const gateway: Gateway = {
    '/payment': () => {},
    '/order/query': (_body, response) =>
      response.end(data({ state: 3, tradeNo: 'T1', merOrderNo: number, message: '' })),
  }
  // The query has the same time limit as the payment, and must be answered within this limit.
  const { shop, calls } = await openWith(context, gateway, 2_000)
  assert.equal((await open(shop, '/checkout', card)).to, `/orders/${number}`)
  await untilShown(shop, `/orders/${number}`, 'Thank you, your order is paid')
  assert.equal((await open(shop, '/checkout', card)).to, `/orders/${number}`)
  assert.equal(calls.filter((path) => path === '/payment').length, 1)
})

test('an order that never arrived is sent again under its number', async (context) => {
  let isDown = true
  const { shop } = await openWith(context, {
    '/payment': (body, response) =>
      isDown
        ? response.destroy()
        : response.end(data({ payCode: 0, tradeNo: 'T1', merOrderNo: body.merOrderNo, message: '' })),
    '/order/query': (_body, response) =>
      response.end(JSON.stringify({ code: '10026', message: 'not found' })),
  })
  await open(shop, '/checkout', card)
  await open(shop, `/orders/${number}/ask`, {})
  await untilShown(shop, `/orders/${number}`, 'did not reach the gateway')
  const again = await open(shop, `/orders/${number}/again`, {})
  assert.match((await open(shop, again.to)).page, new RegExp(`value="${number}"`))
  isDown = false
  await open(shop, '/checkout', card)
  await untilShown(shop, `/orders/${number}`, 'Thank you, your order is paid')
})

test('a gateway that is not running is named, with what to do', async (context) => {
  const { shop } = await openWith(context, {})
  await open(shop, '/checkout', card)
  await untilShown(shop, `/orders/${number}`, 'npm start')
})

test('a forged notification changes nothing, and a genuine one does, once', async (context) => {
  const { shop } = await openWith(context, {
    '/payment': (_body, response) =>
      response.end(
        data({ payCode: 2, tradeNo: 'T1', merOrderNo: number, message: '', payUrl: 'http://127.0.0.1/pay' }),
      ),
  })
  await open(shop, '/checkout', card)
  const fields = { tradeNo: 'T1', merOrderNo: number, code: '0', message: 'Paid' } as const
  const post = async (by: typeof secrets) => {
    const signed = await signNotification('payment', fields, by)
    const response = await fetch(`${shop.url}/notify`, { method: 'POST', ...signed })
    return { status: response.status, text: await response.text() }
  }
  assert.equal((await post({ ...secrets, key: 'the key of a stranger' })).status, 400)
  assert.equal(
    (await post({ ...secrets, webhookSecret: 'whsec_dGhlIHNlY3JldCBvZiBhIHN0cmFuZ2Vy' })).status,
    400,
  )
  await untilShown(shop, `/orders/${number}`, 'Waiting for your payment')
  assert.deepEqual(await post(secrets), { status: 200, text: 'SUCCESS' })
  const { page } = await open(shop, `/orders/${number}`)
  assert.match(page, /Thank you, your order is paid/)
  const panel = (await open(shop, '/requests')).page
  assert.match(panel, /Notification refused/)
  assert.match(panel, /event=payment&#38;code=0/)
  assert.doesNotMatch(panel, /a key for tests|4242424242424242|"cardSecurityCode": "123"/)
})

test('bad input gets a page that says what to do', async (context) => {
  const { shop, calls } = await openWith(context, {})
  const empty = await fetch(`${shop.url}/checkout`)
  assert.match(await empty.text(), /Your cart is empty/)
  const cases: readonly (readonly [string, Record<string, string> | undefined, number, RegExp])[] = [
    ['/orders/nonsense%00', undefined, 404, /does not know this order/],
    ['/nowhere', undefined, 404, /no such page/],
    ['/checkout', { ...card, number: '<script>' }, 400, /Open the checkout again/],
    ['/checkout', { ...card, way: 'barter' }, 400, /Open the checkout again/],
    ['/checkout', { ...card, cardNo: '12' }, 422, /Enter the digits of a card/],
    ['/checkout', { ...card, expiry: '13/30' }, 422, /Enter month and year/],
    ['/cart', { add: 'x'.repeat(20_000) }, 413, /could not read/],
  ]
  for (const [path, form, status, words] of cases) {
    const answer = await open(shop, path, form)
    assert.equal(answer.status, status, path)
    assert.match(answer.page, words)
    assert.doesNotMatch(answer.page, /<script>/)
  }
  const foreign = await fetch(`${shop.url}/cart`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ add: 'MUG' }),
  })
  assert.equal(foreign.status, 403)
  assert.deepEqual(calls, [])
})

test('pages run only the shop’s own script', async (context) => {
  const { shop } = await openWith(context, {})
  const { headers } = await fetch(shop.url)
  assert.match(
    headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'self'; script-src 'self'/,
  )
  for (const path of ['/', '/cart', '/checkout', '/orders', '/requests'])
    assert.doesNotMatch((await open(shop, path)).page, /<script>|<style| style=| on[a-z]+="/)
})

test('a port that is taken is named', async (context) => {
  const { shop } = await openWith(context, {})
  const merchant = { baseUrl: 'http://127.0.0.1:1', merNo: 1, site: 'localhost', ...secrets }
  await assert.rejects(openShop({ merchant, port: shop.port }), /already listens there\. Set SHOP_PORT/)
})
