// Methods that cannot pay an order are neither offered nor started. The tests use real adapters, configured as in live:
// wallets without a hosted sheet, WeChat Pay and Alipay with an account for CNY only, and a second acquirer for CNY
// that requires the payer's city.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type CheckoutWithSandbox,
  openCheckoutWithSandbox,
} from '../../../test/harness/checkout-with-sandbox.ts'

let setup: CheckoutWithSandbox
before(async () => {
  const thorough = { name: 'thorough', currencies: ['CNY'], payerFields: ['billingCity'] }
  let acquirers = 0
  setup = await openCheckoutWithSandbox(
    ['card', 'card', 'wechat', 'alipay', 'apple_pay', 'google_pay'],
    (settings) => {
      const { walletUrl: _sheet, currencies: _currencies, name, method, ...rest } = settings
      return { name, method, ...rest, ...(method === 'card' && ++acquirers === 2 && thorough) }
    },
  )
})
after(() => setup.close())

const browser = { screenHeight: '1', screenWidth: '1', timeZoneOffset: '0', userAgent: 'x', visitorId: 'x' }

describe('a payment that no channel can serve', () => {
  const cases = [
    ['/payment', 'APPLE_PAY', { browser }, '10011', /send the wallet.s token/],
    ['/payment', 'GOOGLE_PAY', {}, '10011', /send the wallet.s token/],
    ['/payment', 'WECHAT', {}, '10019', /accepts USD: send CNY/],
    ['/payment', 'ALIPAY', {}, '10019', /accepts USD: send CNY/],
    ['/cashier/checkStandPayment', '', { paymentMode: 'APPLE_PAY' }, '10011', /send the wallet.s token/],
    ['/cashier/checkStandPayment', '', { paymentMode: 'WECHAT' }, '10019', /accepts USD: send CNY/],
  ] as const
  for (const [path, type, changes, code, message] of cases) {
    const what = type === '' ? JSON.stringify(changes) : type
    it(`is refused by ${path} before anything is stored: ${what}`, async () => {
      const before = await setup.rowsIn('orders')
      const answer = await setup.post(path, type, changes)
      assert.deepEqual(
        { code: answer.code, saysWhy: message.test(answer.message) },
        { code, saysWhy: true },
        answer.message,
      )
      assert.equal(await setup.rowsIn('orders'), before)
    })
  }

  it('is accepted with what it lacked: a token, or another currency', async () => {
    const token = await setup.post('/payment', 'APPLE_PAY', { browser, applePayToken: '{}' })
    assert.equal(token.code, '00000')
    assert.equal(token.data.payCode, 1)
    const yuan = await setup.post('/payment', 'WECHAT', { currencyCode: 'CNY' })
    assert.equal(yuan.data.payCode, 2)
  })
})

describe('our page', () => {
  const offeredTo = async (token: string) =>
    (await setup.checkout.open(token))?.choices.map(({ method }) => method)

  it('does not offer a wallet without a hosted sheet, or a method for other currencies only', async () => {
    assert.deepEqual(await offeredTo(await setup.hosted({ currencyCode: 'USD' })), ['card'])
    const inYuan = await offeredTo(await setup.hosted({ currencyCode: 'CNY' }))
    assert.deepEqual(inYuan, ['card', 'alipay', 'wechat'])
  })

  it('asks for a field that a channel requires only if that channel accepts the payment', async () => {
    const asksCity = async (currencyCode: string) => {
      const view = await setup.checkout.open(await setup.hosted({ currencyCode }))
      const card = view?.choices.find(({ method }) => method === 'card')
      return card?.asks.some(({ name }) => name === 'billingCity')
    }
    assert.equal(await asksCity('CNY'), true)
    assert.equal(await asksCity('USD'), false)
  })

  it('starts no attempt for a method that was not offered', async () => {
    const token = await setup.hosted({ currencyCode: 'USD' })
    const before = await setup.rowsIn('attempts')
    const payer = { address: '192.0.2.1', userAgent: 'Mozilla/5.0', accept: 'text/html' }
    for (const method of ['apple_pay', 'google_pay', 'wechat']) {
      const paid = await setup.checkout.pay(token, { method, attempt: '0' }, payer)
      assert.equal(paid?.kind, 'invalid')
    }
    assert.equal(await setup.rowsIn('attempts'), before)
  })
})
