import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, buildFrame, type JsonBody, signed } from '../../../test/harness/merchant-frame.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import { endpoints, isEndpoint } from './endpoints.ts'

const frame = await buildFrame()

test('Apple Pay accepts products, and requires them and the browser', async () => {
  const products = [{ ...Object(aCardPayment().productInfoList)[0], productUrl: 'https://shop.example/lamp' }]
  const browser = { screenHeight: '900', userAgent: 'Mozilla/5.0', visitorId: 'v' }
  const base = pick(aCardPayment(), 'merNo merOrderNo currencyCode sourceAmount returnUrl ipAddress')
  const send = async (changes: JsonBody) =>
    (await frame.post('/payment', signed({ ...base, ...changes }), { paymenttype: 'APPLE_PAY' })).body.code
  assert.equal(await send({ products, browser }), '00000')
  assert.equal(await send({ browser }), '10002')
  assert.equal(await send({ products }), '10002')
  assert.equal(await send({ products, browser: { screenHeight: 900 } }), '99996')
  assert.equal(await send({ products: [{ ...products[0], productUrl: 'x' }], browser }), '99997')
})

test('each method requires its own fields, and all other payment fields may be empty', async () => {
  const base = pick(aCardPayment(), 'merNo merOrderNo currencyCode sourceAmount returnUrl ipAddress')
  const asks: Record<string, JsonBody> = {
    ALIPAY: {},
    WECHAT: {},
    UNIONPAY_H5: {},
    UNIONPAY: {},
    GOOGLE_PAY: {},
    CASH_APP: {},
    SPEI: {},
    GCASH: { userId: 'u', email: 'a@b', osType: 'IOS', terminal: 'APP' },
    PIX: { userId: 'u', email: 'a@b', name: 'Test', socialSecurityNumber: '52998224725' },
    PER_TRANSFER: { customerIdentificationType: '00', customerIdentification: '41552384' },
    SEPA: { userId: 'u', email: 'a@b', userAgent: 'x' },
    CRYPTO: { coin: 'USDT', network: 'ERC20' },
  }
  for (const [paymenttype, own] of Object.entries(asks)) {
    const send = async (body: JsonBody) => (await frame.post('/payment', signed(body), { paymenttype })).body
    const whole = await send({ ...base, ...own })
    assert.equal(whole.code, '00000', `${paymenttype}: ${whole.message}`)
    for (const name of Object.keys(own)) {
      const without = await send({ ...base, ...own, [name]: '' })
      assert.equal(without.code, '10002', `${paymenttype} without ${name}`)
      assert.ok(without.message.endsWith(name))
    }
    assert.equal((await send({ ...base, ...own, billingCity: 'x'.repeat(101) })).code, '99997', paymenttype)
  }
})

test('Vietnam Pay responds 400 to bad input and 404 to an unknown bank, and signs its response', async () => {
  const own = { userId: 'u', email: 'a@b', productName: 'Lamp', paymentMethodStr: 'va', vaBankId: 7 }
  const base = pick(aCardPayment(), 'merNo merOrderNo returnUrl ipAddress')
  const body = { ...base, currencyCode: 'VND', sourceAmount: '20000.00', ...own }
  const vietnam = await buildFrame({
    handlers: {
      '/payment': async ({ fields }) => {
        if (fields.vaBankId !== 7) throw new Refusal('10013')
        return { data: { payCode: 2 } }
      },
    },
  })
  const send = (changes: JsonBody | string) =>
    vietnam.post('/payment', typeof changes === 'string' ? changes : signed({ ...body, ...changes }), {
      paymenttype: 'VN_BANK',
    })
  const good = await send({})
  assert.deepEqual({ status: good.status, code: good.body.code }, { status: 200, code: '00000' })
  assert.ok(good.body.sign)
  for (const [changes, status, code, begins] of [
    [{ email: '' }, 400, '10002', 'Invalid input'],
    [{ vaBankId: '7' }, 400, '99996', 'Invalid input'],
    [{ paymentMethodStr: 'cash' }, 400, '99997', 'Invalid input'],
    ['{', 400, '99996', 'Invalid input'],
    [{ vaBankId: 8 }, 404, '10013', 'Record not found'],
    [{ merNo: 5 }, 200, '10004', 'Merchant number'],
  ] as const) {
    const answer = await send(changes)
    assert.deepEqual({ status: answer.status, code: answer.body.code }, { status, code })
    assert.ok(answer.body.message.startsWith(begins), answer.body.message)
  }
})

test('the cashier accepts a payment without a card, and ignores card fields', async () => {
  const { post, reached } = await buildFrame()
  const slim = pick(
    aCardPayment(),
    'merNo merOrderNo currencyCode sourceAmount returnUrl ipAddress productInfoList',
  )
  assert.equal((await post('/cashier/checkStandPay', signed(slim))).body.code, '00000')
  assert.equal(
    (await post('/cashier/checkStandPay', signed(aCardPayment({ cardNo: 'junk' })))).body.code,
    '00000',
  )
  assert.equal(
    (await post('/cashier/checkStandPay', signed({ ...slim, productInfoList: '' }))).body.code,
    '10002',
  )
  assert.ok(reached.every(({ fields }) => fields.cardNo === undefined))
})

test('paymentMode is the type, name or number of a method', async () => {
  const { post, reached } = await buildFrame()
  const body = pick(
    aCardPayment(),
    'merNo merOrderNo currencyCode sourceAmount returnUrl ipAddress productInfoList userAgent',
  )
  const send = async (paymentMode: unknown) =>
    (await post('/cashier/checkStandPayment', signed({ ...body, paymentMode }))).body.code
  for (const mode of ['CREDIT_CARD', '0', '1', '2', 'UNIONPAY', '19', 'VN_BANK'])
    assert.equal(await send(mode), '00000', mode)
  assert.deepEqual(
    reached.map(({ method }) => method),
    ['card', 'card', 'card', 'alipay', 'unionpay', 'per_transfer', 'vn_bank'],
  )
  assert.deepEqual(
    [await send(''), await send('6'), await send('card'), await send(2)],
    ['10000', '10001', '10001', '99996'],
  )
})

test('a missing or unknown choice is refused with the list of valid ones', async () => {
  const message = async (path: string, body: JsonBody, headers: Record<string, string> = {}) => {
    const answer = await frame.post(path, signed({ ...aCardPayment(), ...body }), headers)
    return answer.body.message
  }
  const types =
    'ALIPAY, WECHAT, UNIONPAY_H5, UNIONPAY, APPLE_PAY, GOOGLE_PAY, CASH_APP, GCASH, PIX, SPEI, PER_TRANSFER, SEPA, VN_BANK, CRYPTO'
  assert.equal(
    await message('/payment', {}, { paymenttype: 'BARTER' }),
    `Payment method does not exist: paymentType must be one of ${types}, or left out for card`,
  )
  const modes =
    'CREDIT_CARD, 0, 1, 2, ALIPAY, 4, WECHAT, 3, UNIONPAY_H5, UNIONPAY, APPLE_PAY, GOOGLE_PAY, CASH_APP, 8, GCASH, 7, PIX, 17, SPEI, 19, PER_TRANSFER, 9, SEPA, VN_BANK, 5, CRYPTO'
  assert.equal(
    await message('/cashier/checkStandPayment', { paymentMode: '' }),
    `Payment method is empty: paymentMode must be one of ${modes}`,
  )
  assert.equal(
    await message('/payout', { withdrawType: '7' }),
    'Payment method does not exist: withdrawType must be one of 1, 2, 3, 4, 5, 6',
  )
})

test('paymentType is matched exactly', async () => {
  for (const paymenttype of ['alipay', 'ALIPAY2', 'CREDIT_CARD', '__proto__', 'A'.repeat(200)])
    assert.equal(
      (await frame.post('/payment', signed(aCardPayment()), { paymenttype })).body.code,
      '10001',
      paymenttype,
    )
  assert.equal((await frame.post('/payment', signed(aCardPayment()), { paymenttype: '' })).body.code, '00000')
})

test('each kind of payout requires its own fields', async () => {
  const base = { merNo: 100001, merOrderNo: 'P', currencyCode: 'USD', sourceAmount: '1.00' }
  const payee = { benFirstName: 'A', benLastName: 'B' }
  const kinds: Record<string, JsonBody> = {
    '1': { cardNo: '4242424242424242', ...payee, mobile: '1-5125550100' },
    '2': { ...payee, email: 'a@b' },
    '3': {
      cardNo: 'x',
      ...payee,
      addressLine: 'x',
      city: 'x',
      countryCode: 'DE',
      beneficiaryType: 'individual',
    },
    '4': { cardNo: 'x', ...payee },
    '5': {
      cardNo: 'x',
      ...payee,
      accountType: '00',
      customerIdentificationType: '03',
      customerIdentification: '1',
    },
    '6': { cardNo: 'x', ...payee },
  }
  for (const [withdrawType, own] of Object.entries(kinds)) {
    const send = async (body: JsonBody) => (await frame.post('/payout', signed(body))).body
    const whole = await send({ ...base, withdrawType, ...own })
    assert.equal(whole.code, '00000', `${withdrawType}: ${whole.message}`)
    for (const name of Object.keys(own))
      assert.equal((await send({ ...base, withdrawType, ...own, [name]: null })).code, '10002', name)
  }
  assert.equal((await frame.post('/payout', signed({ ...base, withdrawType: '' }))).body.code, '10000')
  assert.equal((await frame.post('/payout', signed({ ...base, withdrawType: '7' }))).body.code, '10001')
})

test('queries and refunds check their fields', async () => {
  const query = { merNo: 100001, merOrderNo: 'A', queryType: 'sales' }
  const refund = { merNo: 100001, merOrderNo: 'A', tradeNo: 'T', amount: '1.00' }
  const cases: readonly [path: string, body: JsonBody, code: string][] = [
    ['/order/query', query, '00000'],
    ['/order/query', { ...query, queryType: '' }, '10002'],
    ['/order/query', { ...query, queryType: 'Sales' }, '99997'],
    ['/order/query', { ...query, operationType: 'query' }, '00000'],
    ['/order/query', { ...query, operationType: 'refund' }, '99997'],
    ['/order/query', { ...query, merOrderNo: '' }, '10002'],
    ['/refund/apply', refund, '00000'],
    ['/refund/apply', { ...refund, tradeNo: '' }, '10002'],
    ['/refund/apply', { ...refund, remark: 'x'.repeat(1001) }, '99997'],
    ['/order/queryOrderList', { merNo: 100001, merOrderNos: 'A' }, '99996'],
    ['/order/queryOrderList', { merNo: 100001, merOrderNos: [5] }, '99996'],
    ['/order/queryOrderList', { merNo: 100001, dateLimit: { from: '2026-01-01 00:00:00' } }, '10002'],
    [
      '/order/queryOrderList',
      { merNo: 100001, dateLimit: { from: '2026-02-30 00:00:00', to: 'x' } },
      '99997',
    ],
    ['/order/queryAmount', { merNo: 100001, orderStatusList: ['5', '6'], startDate: '2026-01-31' }, '00000'],
    ['/order/queryAmount', { merNo: 100001, orderStatusList: ['2'] }, '99997'],
    ['/order/queryAmount', { merNo: 100001, startDate: '2026-1-31' }, '99997'],
  ]
  for (const [path, body, code] of cases) {
    assert.ok(isEndpoint(path))
    const { signed: names } = endpoints[path]
    const answer = (await frame.post(path, signed(body, names))).body
    assert.equal(answer.code, code, `${path} ${JSON.stringify(body)}: ${answer.message}`)
  }
})

function pick(body: JsonBody, names: string): JsonBody {
  return Object.fromEntries(names.split(' ').map((name) => [name, body[name]]))
}
