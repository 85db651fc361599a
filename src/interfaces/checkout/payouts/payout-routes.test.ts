import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import type { PayoutView } from './payout-page.ts'
import { type Entered, type PayoutPageDeps, registerPayoutPage } from './payout-routes.ts'

const askingView: PayoutView = {
  merchant: { name: 'Lamp shop', accent: undefined, hasLogo: false },
  tradeNo: 'T1',
  merOrderNo: 'lamp-7',
  beneficiary: 'Test <Payee>',
  money: { amount: 2400n, currency: 'BRL' },
  status: 'asks-account',
  message: '',
  accountMasked: '',
  kinds: ['pix', 'bank_account', 'card'],
  returnUrl: 'https://shop.example/back?a=1',
  language: '',
}

/** Returns an app with one payout. The token of the payout's link is `good`. */
function appFor(
  payout: PayoutView,
  answer: Entered = { problems: {} },
  changes: Partial<PayoutPageDeps> = {},
) {
  const entered: unknown[] = []
  const app = fastify()
  registerPayoutPage(app, {
    sandbox: true,
    limit: () => undefined,
    open: async (token) => (token === 'good' ? payout : undefined),
    check: () => answer.problems,
    async enter(token, kind, values, address) {
      if (values.account === 'break') throw new Error('SECRET DETAIL')
      entered.push([token, kind, values, address])
      return answer
    },
    logo: async () => undefined,
    ...changes,
  })
  const show = (url = '/payout/good') => app.inject({ method: 'GET', url })
  const send = (form: Record<string, string>, url = '/payout/good', headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  return { app, show, send, entered }
}

describe('the payout page', () => {
  it('offers every kind of account that the currency allows, the usual one first', async () => {
    const { statusCode, body } = await appFor(askingView).show()
    assert.equal(statusCode, 200)
    assert.match(body, /Lamp shop pays you/)
    assert.match(body, /R\$24\.00/)
    assert.match(body, /Test &#60;Payee&#62;/)
    const kinds = [...body.matchAll(/name="kind" value="([^"]+)"/g)].map(([, kind]) => kind)
    assert.deepEqual(kinds, ['pix', 'bank_account', 'card'])
    assert.match(body, /id="way-pix" value="pix" autocomplete="off" checked/)
    assert.match((await appFor(askingView).show('/payout/good?kind=card')).body, /id="way-card" .* checked/)
  })

  it('offers no kind of account that the currency does not allow', async () => {
    const { body } = await appFor(askingView).show('/payout/good?kind=spei')
    assert.match(body, /id="way-pix" .* checked/)
    assert.doesNotMatch(body, /CLABE/)
  })

  it('submits the account with the payer’s address, and redirects to itself', async () => {
    const app = appFor(askingView)
    const { statusCode, headers } = await app.send({ kind: 'pix', account: ' 12345678909 ' })
    assert.equal(statusCode, 303)
    assert.equal(headers.location, 'good')
    assert.deepEqual(app.entered, [['good', 'pix', { account: '12345678909' }, '127.0.0.1']])
  })

  it('shows missing fields before anything is submitted', async () => {
    const app = appFor(askingView)
    const form = { kind: 'bank_account', account: 'DE89', city: 'Lima', countryCode: 'XX' }
    const { statusCode, body } = await app.send(form)
    assert.equal(statusCode, 422)
    assert.match(body, /id="bank_account-addressLine-problem">Fill this in/)
    assert.match(body, /id="bank_account-countryCode-problem">Choose one/)
    assert.match(body, /name="city"[^>]* value="Lima"/)
    assert.deepEqual(app.entered, [])
  })

  it('shows what is wrong with an account, and never returns a card number', async () => {
    const app = appFor(askingView, { problems: { account: 'cardNumber' } })
    const { statusCode, body } = await app.send({ kind: 'card', account: '4242 4242 4242 4241' })
    assert.equal(statusCode, 422)
    assert.match(body, /id="card-account"[^>]* aria-invalid="true"/)
    assert.doesNotMatch(body, /4242/)
    assert.equal(app.entered.length, 1)
  })

  it('shows a notice if the bank cannot be reached, or after too many attempts', async () => {
    const unreachable = appFor(askingView, { problems: {}, notice: 'unreachable' })
    const answer = await unreachable.send({ kind: 'pix', account: 'x' })
    assert.equal(answer.statusCode, 422)
    assert.match(answer.body, /role="alert"[\s\S]*cannot be reached/)
    const often = await appFor(askingView, { problems: {}, notice: 'tooManyAttempts' }).send({
      kind: 'pix',
      account: 'x',
    })
    assert.equal(often.statusCode, 429)
  })

  it('checks an account while it is typed, and returns texts for the script', async () => {
    const form = { kind: 'pix', account: 'x' }
    const checked = await appFor(askingView, { problems: { account: 'account' } }).send(
      form,
      '/payout/good/check',
    )
    assert.deepEqual(checked.json(), {
      problems: { account: 'Check the account: a digit is wrong or missing' },
    })
    const often = await appFor(askingView, undefined, { check: () => undefined }).send(
      form,
      '/payout/good/check',
    )
    assert.equal(often.statusCode, 429)
    assert.equal((await appFor(askingView).send(form, '/payout/wrong/check')).statusCode, 404)
  })

  it('asks for nothing once it has an account', async () => {
    for (const status of ['processing', 'succeeded', 'failed'] as const) {
      const app = appFor({ ...askingView, status, accountMasked: '…8909', message: 'Refused' })
      const { statusCode } = await app.send({ kind: 'pix', account: '1' })
      assert.equal(statusCode, 303)
      assert.deepEqual(app.entered, [])
      const { body } = await app.show()
      assert.doesNotMatch(body, /<form/)
      assert.match(body, status === 'failed' ? /Refused\./ : /ending in 8909/)
      assert.equal(body.includes('https://shop.example/back?a=1'), status !== 'processing')
    }
  })

  it("refuses another site's form", async () => {
    const app = appFor(askingView)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await app.send({ kind: 'pix', account: '1' }, '/payout/good', foreign)).statusCode, 403)
    assert.deepEqual(app.entered, [])
  })

  it('has the security headers on every response', async () => {
    const { app } = appFor(askingView)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const url of [
      '/payout/good',
      '/payout/wrong',
      '/payout/good/check',
      '/payout/good/logo',
      '/payout/x/y/z',
    ])
      for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'DELETE'] as const) {
        const answer = await app.inject({ method, url, headers })
        const what = `${method} ${url} → ${answer.statusCode}`
        assert.equal(answer.headers['cache-control'], 'no-store', what)
        assert.equal(answer.headers['referrer-policy'], 'no-referrer', what)
        assert.equal(answer.headers['x-content-type-options'], 'nosniff', what)
        const policy = String(answer.headers['content-security-policy'])
        assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'/, what)
        assert.doesNotMatch(policy, /unsafe|\*/, what)
      }
  })

  it('escapes text from others', async () => {
    const evil = `"'><script>alert(1)</script>`
    const written = {
      tradeNo: evil,
      merOrderNo: evil,
      beneficiary: evil,
      message: evil,
      accountMasked: `…${evil}`,
    }
    const merchant = { name: evil, accent: undefined, hasLogo: true }
    for (const status of ['asks-account', 'processing', 'succeeded', 'failed'] as const) {
      const payout = {
        ...askingView,
        ...written,
        merchant,
        status,
        returnUrl: `https://shop.example/${evil}`,
      }
      const { body } = await appFor(payout).show()
      assert.match(body, /&#60;script&#62;alert/)
      assert.doesNotMatch(body, /<script>/)
    }
    const problems = { problems: { account: 'account' } } as const
    const { body } = await appFor(askingView, problems).send({ kind: 'pix', account: evil })
    assert.match(body, /value="&#34;&#39;&#62;&#60;script/)
    assert.doesNotMatch(body, /<script>/)
  })

  it('shows a message and no stack trace after a failure, or for a body that is too large', async () => {
    const broken = await appFor(askingView).send({ kind: 'pix', account: 'break' })
    assert.equal(broken.statusCode, 500)
    assert.doesNotMatch(broken.body, /SECRET DETAIL/)
    const long = await appFor(askingView).send({ kind: 'pix', account: 'x'.repeat(20_000) })
    assert.equal(long.statusCode, 413)
  })
})
