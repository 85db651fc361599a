import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { aPlan, aShop, openPayments } from '../../../../test/builders/payments.ts'
import { type ScriptedChannel, scriptedChannel } from '../../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { buildFrame, type JsonBody, signed } from '../../../../test/harness/merchant-frame.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { findPayment } from '../../../money/order-queries/find-payment.ts'
import { readWholeDetails } from '../../../money/order-queries/read-details.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { createCashierHandler, createPaymentHandler } from './payment.ts'

let setup: ReturnType<typeof openPayments>
let app: FastifyInstance
let pix: ScriptedChannel
let curious: ScriptedChannel
let count = 0

const limit = 1_000_000n
const merchant = aShop({
  currencies: new Map(['BRL', 'EUR', 'VND', 'PEN', 'USD'].map((currency) => [currency, currency])),
  limits: { single: limit, daily: limit * 10n, monthly: limit * 10n },
  feePlans: new Map([['', aPlan()]]),
})
/** A merchant with one enabled method. */
const walletShop: Merchant = { ...merchant, merNo: 10_000_002, methods: new Set(['google_pay']) }

const database = useDatabase({
  async before({ db }) {
    pix = scriptedChannel('pix', 'pix')
    const vietnam = scriptedChannel('vn', 'vn_bank')
    const asks = [...vietnam.traits.asks, { name: 'name', maxLength: 200 }]
    curious = { ...scriptedChannel('curious', 'vn_bank'), traits: { ...vietnam.traits, asks } }
    const wallet = scriptedChannel('wallet', 'google_pay')
    const withoutSheet = { ...wallet, traits: { ...wallet.traits, needsToken: true } }
    const channels = [pix, scriptedChannel('per_transfer', 'per_transfer'), vietnam, curious, withoutSheet]
    setup = openPayments(db, channels)
    const deps = { ...setup.deps, pageUrl: (tradeNo: string) => `https://pay.example/pay/${tradeNo}.<token>` }
    const cashier = createCashierHandler(deps)
    const frame = await buildFrame({
      merchants: [merchant, walletShop],
      handlers: {
        '/payment': createPaymentHandler(deps),
        '/cashier/checkStand': cashier,
        '/cashier/checkStandPay': cashier,
        '/cashier/checkStandPayment': cashier,
      },
    })
    app = frame.app
  },
  after: () => app.close(),
})

function anOrder(changes: JsonBody = {}): JsonBody {
  return {
    merNo: merchant.merNo,
    merOrderNo: `CASHIER-${++count}`,
    currencyCode: 'BRL',
    sourceAmount: '10.00',
    returnUrl: 'https://shop.example/back',
    ipAddress: '192.0.2.10',
    productInfoList: [{ sku: 'S-1', productName: 'Lamp', price: '10.00', quantity: '1' }],
    ...changes,
  }
}

function post(url: string, body: JsonBody, headers: Record<string, string> = {}) {
  const given = { 'content-type': 'application/json', referer: 'https://shop.example/cart', ...headers }
  return app.inject({ method: 'POST', url, payload: JSON.stringify(signed(body)), headers: given })
}

describe('/cashier/checkStandPay', () => {
  it('accepts an order without an attempt, and returns its payUrl', async () => {
    const body = anOrder({ language: 'pt-BR' })
    const answer = (await post('/cashier/checkStandPay', body)).json()
    const { tradeNo } = answer.data
    assert.deepEqual(answer, {
      code: '00000',
      message: 'SUCCESS',
      data: {
        tradeNo,
        merOrderNo: body.merOrderNo,
        merorderNo: body.merOrderNo,
        payCode: 2,
        payUrl: `https://pay.example/pay/${tradeNo}.<token>`,
        message: 'Waiting for the payer',
      },
    })
    const order = await findPayment(database.db, { merNo: merchant.merNo, tradeNo })
    assert.deepEqual(
      {
        attempt: order?.attempt,
        maxAttempts: order?.maxAttempts,
        method: order?.method,
        hosted: order?.hosted?.method,
      },
      { attempt: undefined, maxAttempts: 5, method: undefined, hosted: undefined },
    )
    const { details } = await readWholeDetails(setup.deps, { merNo: merchant.merNo, tradeNo })
    assert.deepEqual(
      { language: details.language, productInfoList: details.productInfoList },
      { language: 'pt-BR', productInfoList: body.productInfoList },
    )
  })

  it('accepts a number once, and refuses an order that could not be paid', async () => {
    const body = anOrder()
    await post('/cashier/checkStandPay', body)
    assert.equal((await post('/cashier/checkStandPay', body)).json().code, '10003')
    setup.pass(2_000)
    assert.equal((await post('/cashier/checkStandPay', body)).json().code, '10009')
    const codes = await Promise.all(
      [
        anOrder({ currencyCode: 'USD' }),
        anOrder({ currencyCode: 'JPY', sourceAmount: '10.00' }),
        anOrder({ sourceAmount: '99999.00' }),
        anOrder({ productInfoList: [] }),
      ].map(async (wrong) => (await post('/cashier/checkStandPay', wrong)).json().code),
    )
    assert.deepEqual(codes, ['10011', '10019', '10023', '10002'])
  })
})

describe('/cashier/checkStandPayment', () => {
  const fixed = (changes: JsonBody) => anOrder({ userAgent: 'Mozilla/5.0', ...changes })
  const pay = async (changes: JsonBody) => (await post('/cashier/checkStandPayment', fixed(changes))).json()

  it('sets the method, by number or by name', async () => {
    for (const paymentMode of ['7', 'PIX']) {
      const { data } = await pay({ paymentMode })
      const order = await findPayment(database.db, { merNo: merchant.merNo, tradeNo: data.tradeNo })
      assert.deepEqual(
        { hosted: order?.hosted?.method, method: order?.method, attempts: order?.attempts },
        { hosted: 'pix', method: 'pix', attempts: 0 },
      )
    }
  })

  it('refuses a method that is unknown, not enabled, or not available in that currency', async () => {
    const codes = []
    for (const changes of [{}, { paymentMode: '6' }, { paymentMode: 'SPEI' }, { paymentMode: 'GCASH' }])
      codes.push((await pay(changes)).code)
    codes.push((await pay({ paymentMode: '7', currencyCode: 'EUR' })).code)
    assert.deepEqual(codes, ['10000', '10001', '10019', '10019', '10019'])
  })

  it("refuses a wallet whose channel has no payment sheet, and says that it needs the wallet's token", async () => {
    const { code, message } = await pay({ paymentMode: 'GOOGLE_PAY', currencyCode: 'USD' })
    assert.equal(code, '10011')
    assert.match(message, /no channel has a payment sheet: send the wallet's token$/)
  })

  it('says why no channel can serve an enabled method, and only refuses a method that is not enabled', async () => {
    const { merNo } = walletShop
    const enabled = await pay({ merNo, paymentMode: 'GOOGLE_PAY', currencyCode: 'USD' })
    assert.match(enabled.message, /no channel has a payment sheet: send the wallet's token$/)
    const other = await pay({ merNo, paymentMode: 'PIX' })
    assert.deepEqual(
      { code: other.code, message: other.message },
      { code: '10011', message: new Refusal('10011').message },
    )
  })

  it('accepts PER as PEN for PerTransfer', async () => {
    const { data } = await pay({ paymentMode: '19', currencyCode: 'PER' })
    const order = await findPayment(database.db, { merNo: merchant.merNo, tradeNo: data.tradeNo })
    assert.deepEqual(order?.money, { amount: 1000n, currency: 'PEN' })
    assert.equal(
      (await post('/cashier/checkStandPay', anOrder({ currencyCode: 'PER' }))).json().code,
      '10019',
    )
  })

  it('refuses an unknown bank, and asks the payer if none was sent', async () => {
    const dong = { paymentMode: 'VN_BANK', currencyCode: 'VND' }
    const wrong = await pay({ ...dong, paymentMethodStr: 'va', vaBankId: 1 })
    assert.equal(wrong.code, '10013')
    assert.equal((await pay(dong)).code, '00000')
  })

  it('stores personal numbers encrypted', async () => {
    const { data } = await pay({ paymentMode: '7', socialSecurityNumber: '52998224725' })
    const key = { merNo: merchant.merNo, tradeNo: data.tradeNo }
    const { details, personal } = await readWholeDetails(setup.deps, key)
    assert.deepEqual(
      { stored: details.socialSecurityNumber, sealed: personal.socialSecurityNumber },
      { stored: undefined, sealed: '52998224725' },
    )
  })
})

describe('/payment', () => {
  it('calls a channel that wants more of the payer than its method only if the merchant sent it', async () => {
    const bank = { productName: 'Lamp', paymentMethodStr: 'va', vaBankId: 970436 }
    const order = { currencyCode: 'VND', userId: 'U-1', email: 'payer@shop.example', ...bank }
    const payTwentyTimes = async (changes: JsonBody) => {
      for (const _time of Array(20))
        assert.equal(
          (await post('/payment', anOrder({ ...order, ...changes }), { paymenttype: 'VN_BANK' })).json().code,
          '00000',
        )
      return curious.started.length
    }
    assert.equal(await payTwentyTimes({}), 0)
    assert.ok((await payTwentyTimes({ billingFirstName: 'An' })) > 0)
  })
})

describe('/cashier/checkStand', () => {
  it('returns a page that only redirects to the payment', async () => {
    const answer = await post('/cashier/checkStand', anOrder())
    assert.deepEqual(
      { status: answer.statusCode, type: answer.headers['content-type'] },
      { status: 200, type: 'text/html; charset=utf-8' },
    )
    const target = /content="0;url=(https:\/\/pay\.example\/pay\/[^"]+)"/.exec(answer.body)?.[1]
    assert.match(target ?? '', /&#60;token&#62;$/, 'escaped')
    assert.ok(answer.body.includes(`<a href="${target}" target="_top">`))
    assert.doesNotMatch(answer.body, /<(script|form|iframe|img|link|style)/)
    assert.match(
      String(answer.headers['content-security-policy']),
      /default-src 'none'.*frame-ancestors 'none'/,
    )
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.ok(answer.headers['x-request-id'])
  })

  it('returns a refusal as a page too, with code and message', async () => {
    const answer = await post('/cashier/checkStand', anOrder({ currencyCode: 'JPY' }))
    assert.deepEqual(
      { status: answer.statusCode, type: answer.headers['content-type'] },
      { status: 200, type: 'text/html; charset=utf-8' },
    )
    assert.match(answer.body, /10019: /)
    assert.doesNotMatch(answer.body, /http-equiv="refresh"/)
    const unsigned = await app.inject({
      method: 'POST',
      url: '/cashier/checkStand',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    })
    assert.match(unsigned.body, /99996: /)
  })

  it("uses the order's language, also in refusals, or else the language of the request", async () => {
    const german = await post('/cashier/checkStand', anOrder({ language: 'de-AT' }), {
      'accept-language': 'fr',
    })
    assert.match(german.body, /<html lang="de" dir="ltr">[\s\S]*target="_top">Weiter zur Zahlung<\/a>/)
    const taiwanese = await post('/cashier/checkStand', anOrder({ language: 'zh-TW' }))
    assert.match(taiwanese.body, /<html lang="zh-Hant" dir="ltr">[\s\S]*>前往付款<\/a>/)
    const refused = await post('/cashier/checkStand', anOrder({ language: 'ar', currencyCode: 'JPY' }))
    assert.match(refused.body, /<html lang="ar" dir="rtl">[\s\S]*<p lang="en" dir="ltr">10019: /)
    const unsigned = { ...anOrder({ language: 'vi' }), sign: '0'.repeat(32) }
    const headers = { 'content-type': 'application/json', referer: 'https://shop.example/cart' }
    const payload = JSON.stringify(unsigned)
    const wrong = await app.inject({ method: 'POST', url: '/cashier/checkStand', payload, headers })
    assert.match(wrong.body, /<html lang="vi" dir="ltr">[\s\S]*10015: /)
    const byHeader = await post('/cashier/checkStand', anOrder(), { 'accept-language': 'es-MX,en;q=0.5' })
    assert.match(byHeader.body, /<html lang="es" dir="ltr">/)
    const odd = await post('/cashier/checkStand', anOrder({ language: 7 }))
    assert.match(odd.body, /<html lang="en" dir="ltr">[\s\S]*99996: /)
  })

  it('keeps the HTTP statuses', async () => {
    const payload = 'x'.repeat(1024 * 1024 + 1)
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/cashier/checkStand', payload, headers })
    assert.deepEqual(
      { status: answer.statusCode, type: answer.headers['content-type'] },
      { status: 413, type: 'text/html; charset=utf-8' },
    )
  })
})

describe('/payment by QR code or bank account', () => {
  const payer = {
    userId: 'u-1',
    email: 'payer@shop.example',
    name: 'Test Payer',
    socialSecurityNumber: '52998224725',
  }
  const pay = async () => (await post('/payment', anOrder(payer), { paymentType: 'PIX' })).json()

  it('returns what a merchant needs to show it on its own page', async () => {
    pix.says.start = () => ({
      kind: 'pending',
      channelRef: 'charge-1',
      action: { kind: 'qr', qrCode: '000201…', account: 'key@bank.example', reference: 'TX1' },
    })
    const { data } = await pay()
    const { qrCode, account, reference, expiresAt, payCode, payUrl } = data
    assert.deepEqual(
      { qrCode, account, reference, payCode },
      { qrCode: '000201…', account: 'key@bank.example', reference: 'TX1', payCode: 2 },
    )
    assert.ok(payUrl)
    assert.equal(Date.parse(expiresAt), setup.clock.now().getTime() + 30 * 60_000)
    assert.deepEqual(pix.started.at(-1)?.personal, { socialSecurityNumber: '52998224725' })
  })

  it('returns payee and bank for a transfer, and coin, network and amount for crypto', async () => {
    const transfer = { kind: 'transfer', account: 'DE1', accountKind: 'iban', payee: 'Shop' } as const
    const crypto = {
      kind: 'crypto',
      account: '0xA',
      coin: 'USDC',
      network: 'POLYGON',
      coinAmount: '10.25',
      qrCode: 'ethereum:0xA',
      confirmationsNeeded: 3,
    } as const
    const code = { kind: 'qr', qrCode: '000201…', account: '9624', payee: 'Shop' } as const
    for (const [action, shown] of [
      [code, { qrCode: '000201…', account: '9624' }],
      [
        { ...code, bank: 'Bank', bic: 'BFTVVNVX' },
        { qrCode: '000201…', account: '9624', payeeName: 'Shop', bankName: 'Bank', bic: 'BFTVVNVX' },
      ],
      [transfer, { account: 'DE1', payeeName: 'Shop' }],
      [
        { ...transfer, bank: 'Bank', bic: 'SBOXDEFFXXX', reference: 'RF1' },
        { account: 'DE1', reference: 'RF1', payeeName: 'Shop', bankName: 'Bank', bic: 'SBOXDEFFXXX' },
      ],
      [
        crypto,
        {
          qrCode: 'ethereum:0xA',
          account: '0xA',
          coin: 'USDC',
          network: 'POLYGON',
          coinAmount: '10.25',
        },
      ],
    ] as const) {
      pix.says.start = () => ({ kind: 'pending', channelRef: 'charge-1', action })
      const { tradeNo, merOrderNo, merorderNo, payCode, payUrl, expiresAt, message, ...rest } = (await pay())
        .data
      assert.ok(tradeNo && merOrderNo && merorderNo && payCode === 2 && payUrl && expiresAt && message)
      assert.deepEqual(rest, shown)
    }
  })

  it('returns the page if the channel has not responded: it shows the payer what to do later', async () => {
    pix.says.start = () => ({ kind: 'unknown', why: 'no answer' })
    const { data } = await pay()
    assert.deepEqual({ payCode: data.payCode, qrCode: data.qrCode }, { payCode: 2, qrCode: undefined })
    assert.ok(data.payUrl)
  })
})
