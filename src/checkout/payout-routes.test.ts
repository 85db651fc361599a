import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import type { PayoutView } from './payout-page.ts'
import { registerPayoutPage } from './payout-routes.ts'

const asking: PayoutView = {
  merchantName: 'Lamp shop',
  tradeNo: 'T1',
  merOrderNo: 'lamp-7',
  beneficiary: 'Test <Payee>',
  amount: '24.00',
  currency: 'BRL',
  status: 'asks-account',
  message: '',
  accountMasked: '',
  kinds: ['pix', 'bank_account', 'card'],
  returnUrl: 'https://shop.example/back?a=1',
}

/** An app around one payout, whose link is `good`. */
function appFor(payout: PayoutView, problems: Record<string, string> = {}) {
  const entered: unknown[] = []
  const app = fastify()
  registerPayoutPage(app, {
    sandbox: true,
    open: async (token) => (token === 'good' ? payout : undefined),
    async enter(token, kind, values) {
      if (values.account === 'break') throw new Error('SECRET DETAIL')
      entered.push([token, kind, values])
      return problems
    },
  })
  const show = (url = '/payout/good') => app.inject({ method: 'GET', url })
  const send = (form: Record<string, string>, url = '/payout/good') =>
    app.inject({
      method: 'POST',
      url,
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  return { show, send, entered }
}

describe('the payout page', () => {
  it('asks for the account that is usual in the currency, and offers the other ways', async () => {
    const { statusCode, body } = await appFor(asking).show()
    assert.equal(statusCode, 200)
    assert.match(body, /Lamp shop pays you/)
    assert.match(body, /R\$24\.00/)
    assert.match(body, /<label for="account">Pix key<\/label>/)
    assert.match(body, /href="\?kind=bank_account"/)
    assert.match(body, /Test &#60;Payee&#62;/)
    const bank = await appFor(asking).show('/payout/good?kind=bank_account')
    assert.match(bank.body, /IBAN or account number/)
    assert.match(bank.body, /<option value="PE">Peru<\/option>/)
  })

  it('offers no way that the currency does not have', async () => {
    const { body } = await appFor(asking).show('/payout/good?kind=spei')
    assert.match(body, /Pix key/)
    assert.doesNotMatch(body, /CLABE/)
  })

  it('hands on what was typed, and leads back to itself', async () => {
    const app = appFor(asking)
    const { statusCode, headers } = await app.send({ kind: 'pix', account: ' 12345678909 ' })
    assert.equal(statusCode, 303)
    assert.equal(headers.location, 'good')
    assert.deepEqual(app.entered, [['good', 'pix', { account: '12345678909' }]])
  })

  it('says what is missing before anything is handed on', async () => {
    const app = appFor(asking)
    const form = { kind: 'bank_account', account: 'DE89', city: 'Lima', countryCode: 'XX' }
    const { statusCode, body } = await app.send(form)
    assert.equal(statusCode, 422)
    assert.match(body, /id="addressLine-problem">Fill this in/)
    assert.match(body, /id="countryCode-problem">Choose one of the list/)
    assert.match(body, /name="city" value="Lima"/)
    assert.deepEqual(app.entered, [])
  })

  it('says what is wrong with an account, and never writes a card number back', async () => {
    const app = appFor(asking, { account: 'This is not a valid card number.' })
    const { statusCode, body } = await app.send({ kind: 'card', account: '4242 4242 4242 4241' })
    assert.equal(statusCode, 422)
    assert.match(body, /aria-invalid="true" aria-describedby="account-problem"/)
    assert.doesNotMatch(body, /4242/)
    assert.deepEqual(app.entered, [['good', 'card', { account: '4242424242424241' }]])
  })

  it('tells of a bank that cannot be reached as a whole', async () => {
    const { body } = await appFor(asking, { '': 'Try again.' }).send({ kind: 'pix', account: 'x' })
    assert.match(body, /role="alert">Try again\./)
  })

  it('wants nothing once it has an account', async () => {
    for (const status of ['processing', 'succeeded', 'failed'] as const) {
      const app = appFor({ ...asking, status, accountMasked: '…8909', message: 'Refused' })
      const { statusCode } = await app.send({ kind: 'pix', account: '1' })
      assert.equal(statusCode, 303)
      assert.deepEqual(app.entered, [])
      const { body } = await app.show()
      assert.doesNotMatch(body, /<form/)
      assert.match(body, status === 'failed' ? /Refused\./ : /ends in 8909/)
      assert.equal(body.includes('https://shop.example/back?a=1'), status !== 'processing')
    }
  })

  it('is kept by no cache, framed by nobody, and runs nothing but its own files', async () => {
    for (const url of ['/payout/good', '/payout/wrong']) {
      const { headers, statusCode } = await appFor(asking).show(url)
      assert.equal(statusCode, url.endsWith('good') ? 200 : 404)
      assert.equal(headers['cache-control'], 'no-store')
      assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'/)
    }
  })

  it('shows words and no stack trace when something breaks, or when it is sent too much', async () => {
    const broken = await appFor(asking).send({ kind: 'pix', account: 'break' })
    assert.equal(broken.statusCode, 500)
    assert.doesNotMatch(broken.body, /SECRET DETAIL/)
    const long = await appFor(asking).send({ kind: 'pix', account: 'x'.repeat(20_000) })
    assert.equal(long.statusCode, 413)
  })
})
