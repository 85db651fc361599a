// Tests the security properties of the pages of an order, for any request and any failure.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  aView,
  awaiting,
  type CheckoutApp,
  challenge,
  checkoutApp,
  wallet,
} from '../../../test/harness/checkout-app.ts'
import type { PayerAction } from '../../rails/contract/channel.ts'
import type { PayResult } from './pay-order.ts'
import type { CheckoutStatus, CheckoutView } from './view.ts'

const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const
const paths = ['', '/pay', '/switch', '/cancel', '/complete', '/status', '/events', '/logo', '/no/such/page']

type Answer = Awaited<ReturnType<CheckoutApp['get']>>

function assertGuarded({ headers, body }: Answer, what: string): void {
  const isPicture = headers['content-type'] === 'image/png'
  assert.equal(headers['cache-control'], isPicture ? 'private, max-age=300' : 'no-store', what)
  assert.equal(headers['referrer-policy'], 'no-referrer', what)
  assert.equal(headers['x-content-type-options'], 'nosniff', what)
  assert.equal(headers['x-frame-options'], 'DENY', what)
  assert.equal(headers['set-cookie'], undefined, what)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none';/, what)
  for (const part of ["base-uri 'none'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), what)
  assert.match(policy, /form-action '(none|self)'( https:)?;/, what)
  assert.doesNotMatch(policy, /unsafe|\*/, what)
  assert.doesNotMatch(body, /<script>|<style| style=| on[a-z]+=/, what)
}

describe('every page response', () => {
  const views = [aView(), awaiting(challenge), awaiting(wallet), aView({ status: 'succeeded', choices: [] })]
  const routes = paths.flatMap((path) => methods.map((method) => ({ method, path })))

  it('has the security headers, for every path and method, with a valid or invalid link', async () => {
    for (const { send } of views.map((view) => checkoutApp(view)))
      for (const token of ['good', 'wrong'])
        for (const { method, path } of routes) {
          const answer = await send({ method, url: `/pay/${token}${path}`, headers })
          assertGuarded(answer, `${method} ${token}${path} → ${answer.statusCode}`)
        }
  })

  it('to an invalid link is a page that says so, or a redirect to one', async () => {
    const { send } = checkoutApp(aView())
    for (const { method, path } of routes) {
      const { statusCode, headers: answered } = await send({ method, url: `/pay/wrong${path}`, headers })
      const isLed = statusCode === 303 && /^\.\.\/wrong(\?|$)/.test(String(answered.location))
      assert.ok(statusCode === 404 || isLed, `${method} ${path} → ${statusCode}`)
    }
  })

  it('has the security headers if the request is bad or the gateway fails', async () => {
    const failing = async () => Promise.reject(new Error('SECRET DETAIL'))
    const broken = checkoutApp(aView(), {
      open: failing,
      pay: failing,
      complete: failing,
      pageVersion: failing,
    })
    const wrong: PayResult = {
      kind: 'invalid',
      view: aView(),
      formState: { values: {}, problems: { cardNo: 'missing' } },
    }
    const app = checkoutApp(aView(), { pay: async () => wrong })
    const answers: [number, Answer][] = [
      [500, await broken.get()],
      [500, await broken.post('/pay/good/pay', {})],
      [500, await broken.get('/pay/good/complete')],
      [500, await broken.get('/pay/good/status')],
      [413, await app.post('/pay/good/pay', `a=${'x'.repeat(20_000)}`)],
      [415, await app.post('/pay/good/pay', '{}', { 'content-type': 'application/octet-stream' })],
      [422, await app.post('/pay/good/pay', {})],
      [403, await app.post('/pay/good/pay', {}, { 'sec-fetch-site': 'cross-site' })],
      [404, await app.get(`/pay/${'x'.repeat(200)}`)],
      [404, await app.get('/pay/%3Cscript%3Ealert(1)%3C%2Fscript%3E')],
      [404, await app.get('/pay/')],
    ]
    for (const [status, answer] of answers) {
      assert.equal(answer.statusCode, status)
      assertGuarded(answer, `${status}`)
      assert.match(String(answer.headers['content-type']), /^text\/html/)
      assert.doesNotMatch(answer.body, /SECRET/)
    }
  })
})

describe("another site's form", () => {
  it('is refused everywhere except at the return from a bank', async () => {
    const { post, calls } = checkoutApp(awaiting(challenge))
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['pay', 'switch', 'cancel'])
        assert.equal((await post(`/pay/good/${path}`, {}, { 'sec-fetch-site': site })).statusCode, 403)
      assert.equal((await post('/pay/good/complete', {}, { 'sec-fetch-site': site })).statusCode, 303)
    }
    assert.deepEqual({ sent: calls.sent, cancelled: calls.cancelled }, { sent: [], cancelled: [] })
    assert.equal(calls.brought.length, 2)
    for (const site of ['same-origin', 'none'])
      assert.equal((await post('/pay/good/pay', {}, { 'sec-fetch-site': site })).statusCode, 303)
  })
})

const evil = `"'><script>alert(1)</script><img src=x onerror='alert(1)'>&quot;`

const actions: readonly PayerAction[] = [
  { kind: 'challenge', acsUrl: `https://bank.example:8443/${evil}`, creq: evil },
  { kind: 'redirect', url: `https://wallet.example/${evil}` },
  { kind: 'redirect', url: `https://wallet.example/${evil}`, fields: { [evil]: evil } },
  {
    kind: 'qr',
    qrCode: evil,
    account: evil,
    reference: evil,
    payee: evil,
    appUrl: `https://app.example/${evil}`,
  },
  ...(['clabe', 'cci', 'iban', 'va'] as const).map(
    (accountKind): PayerAction => ({
      kind: 'transfer',
      accountKind,
      account: evil,
      payee: evil,
      bank: evil,
      bic: evil,
      reference: evil,
      qrCode: evil,
      appUrl: evil,
    }),
  ),
  ...[{}, { confirmations: 1 }].map(
    (seen): PayerAction => ({
      kind: 'crypto',
      account: evil,
      coin: evil,
      network: evil,
      coinAmount: evil,
      qrCode: evil,
      confirmationsNeeded: 12,
      appUrl: `javascript:${evil}`,
      ...seen,
    }),
  ),
]

/** A view in which an attacker wrote every text that merchants, payers, banks and wallets control. */
const written: Partial<CheckoutView> = {
  merchant: { name: evil, accent: '#aabbcc', hasLogo: true },
  tradeNo: evil,
  merOrderNo: evil,
  products: [{ name: evil, quantity: evil, price: evil }],
  message: evil,
  returnUrl: `https://shop.example/?${evil}`,
  language: evil,
}

describe('text from others', () => {
  const statuses: readonly CheckoutStatus[] = ['choosing', 'processing', 'succeeded', 'failed', 'expired']
  const views = [
    ...statuses.map((status) => aView({ ...written, status })),
    ...actions.map((action) => awaiting(action, written)),
    ...actions.map((action) => awaiting(action, { ...written, received: { amount: 1n, currency: 'EUR' } })),
  ]

  for (const [at, view] of views.entries()) {
    const { status, action } = view
    it(`is never markup: page ${at}, ${status} ${action?.kind ?? ''}`, async () => {
      const { body } = await checkoutApp(view).get('/pay/good?back')
      assert.match(body, /&#60;script&#62;alert\(1\)/)
      assertHarmless(body)
    })
  }

  it('is never markup in a form with errors', async () => {
    const names = ['cardNo', 'cardExpiry', 'cardSecurityCode', 'billingCity']
    const values = Object.fromEntries(names.map((name) => [name, evil]))
    const formState = { method: 'card', values, problems: { billingCity: 'invalid' } } as const
    const wrong: PayResult = { kind: 'invalid', view: aView(), formState }
    const { body } = await checkoutApp(aView(), { pay: async () => wrong }).post('/pay/good/pay', {})
    assert.match(body, /value="[^"]*&#60;script&#62;alert/)
    assertHarmless(body)
    // Only the city and the expiry date are shown again. The page never shows the card number or the security code,
    // even if they are passed in.
    assert.equal(body.split('&#60;script&#62;alert').length - 1, 2)
  })

  it('is linked only if it is a web address', async () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '', 'shop.example']) {
      const pages = [
        aView({ status: 'succeeded', choices: [], returnUrl: url }),
        awaiting({ kind: 'redirect', url }),
        awaiting({ kind: 'qr', qrCode: 'x', appUrl: url }),
      ]
      for (const page of pages) {
        const { body } = await checkoutApp(page).get('/pay/good?back')
        assert.doesNotMatch(body, /href="(javascript|data:text|vbscript|shop\.example)|<a [^>]*href=""/)
      }
    }
  })
})

/** Throws if a browser would parse an attacker's text as a tag or an attribute. */
function assertHarmless(body: string): void {
  assert.doesNotMatch(body, /<script>|<img src=x|onerror='|href="javascript:/)
  for (const [, tag = ''] of body.matchAll(/<([a-z][^>]*)>/g))
    assert.doesNotMatch(tag.replace(/"[^"]*"/g, '""'), /alert|['<]/, tag)
}
