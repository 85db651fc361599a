import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import { money } from '../pages/amount.ts'
import { escapeHtml, html } from '../pages/page.ts'
import type { CheckoutOrder } from './pay-page.ts'
import { registerCheckout } from './routes.ts'

const waiting: CheckoutOrder = {
  merchantName: 'Lamp shop',
  tradeNo: 'T1',
  merOrderNo: 'lamp-7',
  amount: '24.00',
  currency: 'EUR',
  status: 'awaiting-payer',
  message: '',
  action: { kind: 'challenge', acsUrl: 'https://bank.example:8443/acs?x=1', creq: 'eyJhIjoxfQ' },
  returnUrl: 'https://shop.example/back?a=1&b=2',
}
const paid: CheckoutOrder = { ...waiting, status: 'succeeded', action: undefined }

/** An app around one order, whose link is `good`. */
function appFor(order: CheckoutOrder, sandbox = true) {
  const brought: unknown[] = []
  const app = fastify()
  registerCheckout(app, {
    sandbox,
    open: async (token) => (token === 'good' ? order : undefined),
    async complete(token, answer) {
      if (answer.cres === 'break') throw new Error('SECRET DETAIL')
      brought.push(answer)
      return token === 'good' ? order : undefined
    },
  })
  const show = async (url = '/pay/good') => app.inject({ method: 'GET', url })
  const bring = async (payload: string, url = '/pay/good/complete', type = 'x-www-form-urlencoded') =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': `application/${type}` } })
  return { show, bring, brought }
}

describe('the payment page', () => {
  it('sends a challenged payer to the bank, by a form that needs no script', async () => {
    const { statusCode, body, headers } = await appFor(waiting).show()
    assert.equal(statusCode, 200)
    assert.match(
      body,
      /<form method="post" action="https:\/\/bank\.example:8443\/acs\?x=1" data-auto-submit>/,
    )
    assert.match(body, /<input type="hidden" name="creq" value="eyJhIjoxfQ">/)
    assert.match(body, /Continue to your bank<\/button>/)
    assert.match(body, /Lamp shop/)
    assert.match(body, /€24\.00/)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /form-action 'self' https:\/\/bank\.example:8443;/)
  })

  it('is kept by no cache, framed by nobody, and runs nothing but its own files', async () => {
    for (const url of ['/pay/good', '/pay/wrong']) {
      const { headers, body } = await appFor(waiting).show(url)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|\*/)
      assert.doesNotMatch(body, /<script>|<style| style=| on[a-z]+="/)
    }
  })

  it('finds its style and script at the addresses that it names', async () => {
    const { show } = appFor(waiting)
    const { body } = await show()
    const names = [...body.matchAll(/(?:href|src)="(\.\.[^"]+)"/g)].map((match) => match[1] ?? '')
    assert.equal(names.length, 2)
    for (const name of names) {
      const asset = await show(new URL(name, 'http://host/pay/good').pathname)
      assert.equal(asset.statusCode, 200)
      assert.match(String(asset.headers['content-type']), /^text\/(css|javascript)/)
    }
  })

  it('waits for the bank, says that leaving is safe, and looks again by itself', async () => {
    const orders = [
      { ...waiting, status: 'processing' as const },
      { ...waiting, action: undefined },
    ]
    for (const order of orders) {
      const { body } = await appFor(order).show()
      assert.match(body, /<meta http-equiv="refresh" content="3">/)
      assert.match(body, /safe to leave/)
      assert.doesNotMatch(body, /<form/)
    }
  })

  it('tells success with order number, amount and the way back', async () => {
    const { body } = await appFor(paid).show()
    assert.match(body, /Your payment went through/)
    assert.match(body, /lamp-7/)
    assert.match(
      body,
      /href="https:\/\/shop\.example\/back\?a=1&#38;b=2" rel="noreferrer" data-auto-return="5"/,
    )
    assert.doesNotMatch(body, /http-equiv="refresh"/)
  })

  it("tells failure with the reason in the payer's words", async () => {
    const { body } = await appFor({ ...paid, status: 'failed', message: 'Insufficient funds' }).show()
    assert.match(body, /did not go through/)
    assert.match(body, /<p>Insufficient funds\.<\/p>/)
  })

  it('says in the sandbox, and only there, that no money moves', async () => {
    assert.match((await appFor(paid).show()).body, /Sandbox: no money moves/)
    assert.doesNotMatch((await appFor(paid, false).show()).body, /Sandbox/)
  })

  it('answers a wrong link with 404 and a page', async () => {
    const { statusCode, body } = await appFor(waiting).show('/pay/wrong')
    assert.equal(statusCode, 404)
    assert.match(body, /does not exist/)
  })

  it('shows what merchants and payers wrote as text, never as markup', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`
    const statuses = ['awaiting-payer', 'processing', 'succeeded', 'failed'] as const
    for (const status of statuses) {
      const { body } = await appFor({
        merchantName: evil,
        tradeNo: evil,
        merOrderNo: evil,
        amount: evil,
        currency: evil,
        status,
        message: evil,
        action: { kind: 'challenge', acsUrl: `https://bank.example/${evil}`, creq: evil },
        returnUrl: `https://shop.example/?${evil}`,
      }).show()
      assert.doesNotMatch(body, /<script>|<img|onerror='/)
      assert.match(body, /&#60;script&#62;alert\(1\)/)
    }
  })

  it('leads back to nothing but a web address', async () => {
    for (const returnUrl of ['javascript:alert(1)', 'data:text/html,x', '', 'shop.example'])
      assert.doesNotMatch((await appFor({ ...paid, returnUrl }).show()).body, /<a /)
  })
})

describe("the bank's answer", () => {
  it('is handed on, then the payer sees the payment page', async () => {
    const { bring, brought } = appFor(paid)
    const { statusCode, headers } = await bring('cres=eyJ9&threeDSSessionData=a%20b')
    assert.equal(statusCode, 303)
    const target = new URL(String(headers.location), 'http://host/pay/good/complete')
    assert.equal(target.pathname, '/pay/good')
    assert.deepEqual(brought, [{ cres: 'eyJ9', threeDSSessionData: 'a b' }])
  })

  it('may be empty: then nothing is handed on but the fact', async () => {
    const { bring, brought } = appFor(paid)
    assert.equal((await bring('')).statusCode, 303)
    assert.deepEqual(brought, [{}])
  })

  it('with a wrong link is 404', async () => {
    const { statusCode, body } = await appFor(paid).bring('cres=x', '/pay/wrong/complete')
    assert.equal(statusCode, 404)
    assert.match(body, /href="\.\.\/\.\.\/assets\/pay\.css"/)
  })

  it('of more than 16 KiB, or not a form, is refused with a page', async () => {
    const { bring, brought } = appFor(paid)
    assert.equal((await bring(`cres=${'x'.repeat(16_384)}`)).statusCode, 413)
    assert.equal((await bring('<cres/>', '/pay/good/complete', 'xml')).statusCode, 415)
    assert.deepEqual(brought, [])
  })

  it('that breaks us shows a page without the reason', async () => {
    const { statusCode, body } = await appFor(paid).bring('cres=break')
    assert.equal(statusCode, 500)
    assert.match(body, /went wrong on our side/)
    assert.doesNotMatch(body, /SECRET/)
  })
})

describe('text and money on pages', () => {
  it('escapes by itself, once, and leaves its own markup alone', () => {
    const inner = html`<b>${'<&'}</b>`
    assert.equal(
      html`<p title="${`"'`}">${inner}${[inner]}${undefined}</p>`.html,
      ['<p title="&#34;&#39;"><b>&#60;&#38;</b><b>&#60;&#38;</b></p>'].join(''),
    )
    assert.equal(escapeHtml('a<b'), 'a&#60;b')
  })

  it('shows money with the decimals of its currency', () => {
    assert.equal(money('1234567.80', 'USD'), '$1,234,567.80')
    assert.equal(money('500.00', 'JPY'), '¥500')
    assert.equal(money('1.500', 'IQD'), 'IQD\u00a01.500')
    assert.equal(money('1.000000', 'USDT'), '1.000000 USDT')
  })
})
