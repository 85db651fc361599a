// The RSA signature of one body must not be valid for another body. The strings are built here in the way of a
// merchant's program.
import assert from 'node:assert/strict'
import { createSign } from 'node:crypto'
import { describe, it } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import {
  aCardPayment,
  aMerchant,
  buildFrame,
  type JsonBody,
} from '../../../../test/harness/merchant-frame.ts'

const merchantKeys = rsaPair('merchant')
const rsa = (text: string) => createSign('sha256').update(text).sign(merchantKeys.privateKey, 'base64')
const merchants = [aMerchant({ rsaKey: merchantKeys.publicKey })]
const sandbox = await buildFrame({ merchants })
const live = await buildFrame({ mode: 'live', merchants })

/** Joins the fields of a body. The keys of nested objects must already be sorted. */
function joined(body: JsonBody, write: (text: string) => string): string {
  return Object.keys(body)
    .filter((name) => body[name] !== '')
    .sort()
    .map((name) => `${name}=${write(textOf(body[name]))}`)
    .join('&')
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const plain = (body: JsonBody) => joined(body, (text) => text)
const escaped = (body: JsonBody) =>
  `escaped&${joined(body, (text) => text.replaceAll('%', '%25').replaceAll('&', '%26'))}`

const productInfoList = [{ price: '900.00', productName: 'Lamp', quantity: '1', sku: 'S-1' }]
const checkout = {
  merNo: 100001,
  merOrderNo: 'A1',
  currencyCode: 'USD',
  sourceAmount: '900.00',
  returnUrl: 'https://shop.example/back',
  ipAddress: '192.0.2.10',
  productInfoList,
}

type Forged = {
  readonly name: string
  /** The body that the merchant's server signed, with values that the payer chose. */
  readonly honest: JsonBody
  /** Writes the string in the form that the merchant signed. If missing, the plain form is used. */
  readonly as?: (body: JsonBody) => string
  readonly path: string
  readonly forged: JsonBody
}

// These bodies have no products, because JSON inside of JSON would be escaped.
const { currencyCode, productInfoList: _, ...honestBehindInfo } = checkout
const behindInfo = { ...honestBehindInfo, sourceAmount: '0.01' }
const swapped = { ...checkout, sourceAmount: '0.01' }
const forgeries: readonly Forged[] = [
  {
    name: 'another amount from a URL',
    honest: { ...checkout, returnUrl: 'https://shop.example/?x=1&sourceAmount=0.01&userId=' },
    path: '/cashier/checkStandPay',
    forged: { ...swapped, returnUrl: 'https://shop.example/?x=1', userId: '&sourceAmount=900.00' },
  },
  {
    name: 'an amount hidden in the value of a field that sorts behind it',
    honest: { ...checkout, shippingAddress1: 'A&sourceAmount=0.01&timezone=' },
    path: '/cashier/checkStandPay',
    forged: { ...swapped, shippingAddress1: 'A', timezone: '&sourceAmount=900.00' },
  },
  {
    name: 'a payout from a checkout',
    honest: {
      ...checkout,
      acceptHeader: '*/*&benFirstName=A&benLastName=B',
      billingAddress1: 'x&cardNo=k1',
      userId: 'u&withdrawType=4',
    },
    path: '/payout',
    forged: {
      ...checkout,
      acceptHeader: '*/*',
      benFirstName: 'A',
      benLastName: 'B',
      billingAddress1: 'x',
      cardNo: 'k1',
      userId: 'u',
      withdrawType: '4',
    },
  },
  {
    name: 'a payout whose fields are split off a name',
    honest: { ...checkout, userId: 'u&withdrawType=4', benFirstName: 'A', benLastName: 'B&cardNo=k1' },
    path: '/payout',
    forged: {
      ...checkout,
      benFirstName: 'A',
      benLastName: 'B',
      cardNo: 'k1',
      userId: 'u',
      withdrawType: '4',
    },
  },
  {
    name: 'a refund of another order',
    honest: { merNo: 100001, merOrderNo: 'A1', amount: '5.00', remark: 'x&tradeNo=T2&zz=', tradeNo: 'T1' },
    path: '/refund/apply',
    forged: {
      merNo: 100001,
      merOrderNo: 'A1',
      amount: '5.00',
      remark: 'x',
      tradeNo: 'T2',
      zz: '&tradeNo=T1',
    },
  },
  {
    name: 'another order number by merging fields',
    honest: { merNo: 100001, merOrderNo: 'A', merP: '1', queryType: 'sales' },
    path: '/order/query',
    forged: { merNo: 100001, merOrderNo: 'A&merP=1', queryType: 'sales' },
  },
  {
    name: 'another amount from nested text',
    honest: { currencyCode, ...honestBehindInfo, info: { note: `x&${plain(behindInfo)}&t=` } },
    path: '/cashier/checkStandPay',
    forged: { currencyCode, info: '{"note":"x', ...behindInfo, t: `"}&${plain(honestBehindInfo)}` },
  },
  {
    name: 'a name that holds a whole field',
    honest: { ...checkout, userId: 'x', zz: '1' },
    path: '/cashier/checkStandPay',
    forged: { ...checkout, 'userId=x&zz': '1' },
  },
  {
    name: 'an escaped value sent as it was escaped',
    honest: { ...checkout, returnUrl: 'https://shop.example/?a=1&currencyCode=EUR' },
    as: escaped,
    path: '/cashier/checkStandPay',
    forged: { ...checkout, returnUrl: 'https://shop.example/?a=1%26currencyCode=EUR' },
  },
  {
    name: 'a raw %26 read as an ampersand',
    honest: { ...checkout, returnUrl: 'https://shop.example/?a=1%26currencyCode=EUR' },
    as: escaped,
    path: '/cashier/checkStandPay',
    forged: { ...checkout, returnUrl: 'https://shop.example/?a=1&currencyCode=EUR' },
  },
  {
    name: 'an escaped string read as a plain one, its opening as a field',
    honest: { ...checkout, returnUrl: 'https://shop.example/?a=1&b=2' },
    as: escaped,
    path: '/cashier/checkStandPay',
    forged: { ...checkout, escaped: '', returnUrl: 'https://shop.example/?a=1%26b=2' },
  },
  {
    name: 'a plain string that looks escaped, read as one',
    honest: { ...checkout, aaa: 'escaped&', returnUrl: 'https://shop.example/?a=1%26b=2' },
    path: '/cashier/checkStandPay',
    forged: { ...checkout, aaa: 'escaped&', returnUrl: 'https://shop.example/?a=1&b=2' },
  },
  {
    name: 'an empty name in front',
    honest: { ...checkout, returnUrl: 'https://shop.example/?a=1&b=2' },
    as: escaped,
    path: '/cashier/checkStandPay',
    forged: { ...checkout, '': 'x', 'escaped&': 'y' },
  },
]

describe('a signature of one body is refused for another', () => {
  for (const { name, honest, as = plain, path, forged } of forgeries)
    it(name, async () => {
      for (const frame of [sandbox, live]) {
        const before = frame.reached.length
        const { body } = await frame.post(path, { ...forged, sign: rsa(as(honest)) })
        assert.equal(body.code, '10015', body.message)
        assert.equal(frame.reached.length, before)
      }
    })

  it('and most of these pairs have the same plain string', () => {
    const alike = forgeries.filter(({ honest, forged }) => plain(honest) === plain(forged))
    assert.deepEqual(
      alike.map(({ name }) => name),
      forgeries.slice(0, 8).map(({ name }) => name),
    )
  })
})

describe('honest bodies with "&" in their values are accepted', () => {
  const ordinary: readonly JsonBody[] = [
    { billingFirstName: 'Tom & Jerry' },
    { billingLastName: 'A&B=C' },
    { billingAddress1: '5 High St. & 2nd Av., flat=3 & up', shippingAddress1: '&' },
    { returnUrl: 'https://shop.example/back?a=1&b=2&c=%26' },
    { notifyUrl: 'https://shop.example/notify?shop=5&token=x&lang=en' },
    { notifyUrl: 'https://shop.example/notify?a=1&sign=x&sing=y' },
    {
      notifyUrl: 'https://shop.example/notify?shop=5&order_id=7',
      returnUrl: 'https://shop.example/?a=1&session=2',
    },
    { productInfoList: [{ price: '1.00', productName: 'Salt & pepper', quantity: '1', sku: '&b=' }] },
    { escaped: 'escaped&', userId: '100% & more' },
  ]
  for (const changes of ordinary)
    it(`in either form: ${JSON.stringify(changes)}`, async () => {
      const body = aCardPayment({ productInfoList, ...changes })
      for (const text of [plain(body), escaped(body)]) {
        const answer = await live.post('/payment', { ...body, sign: rsa(text) })
        assert.equal(answer.body.code, '00000', answer.body.message)
      }
    })

  const misreadable: readonly (readonly [field: string, changes: JsonBody])[] = [
    ['returnUrl', { returnUrl: 'https://shop.example/back?a=1&currencyCode=USD' }],
    ['notifyUrl', { notifyUrl: 'https://shop.example/notify?x=1&productInfo=1' }],
    ['billingAddress1', { billingAddress1: 'Mill Lane&paymentType=CRYPTO' }],
    [
      'productInfoList',
      { productInfoList: [{ price: '1', productName: '&merNo=1', quantity: '1', sku: 'S' }] },
    ],
  ]
  for (const [field, changes] of misreadable)
    it(`only in the escaped form, and 10015 says so: ${JSON.stringify(changes)}`, async () => {
      const body = aCardPayment({ productInfoList, ...changes })
      for (const frame of [sandbox, live]) {
        const taken = await frame.post('/payment', { ...body, sign: rsa(escaped(body)) })
        assert.equal(taken.body.code, '00000', taken.body.message)
        const { code, message } = (await frame.post('/payment', { ...body, sign: rsa(plain(body)) })).body
        assert.equal(code, '10015')
        assert.match(message, new RegExp(`: ${field} contains .*escaped form`))
        assert.equal(message.includes(escaped(body)), frame === sandbox, 'sandbox shows what to sign')
      }
    })
})

it('numbers of orders, refunds and accounts must not contain "&" under RSA, in either form', async () => {
  const query = { merNo: 100001, merOrderNo: 'A1', queryType: 'refund' }
  for (const [path, body] of [
    ['/order/query', { ...query, merOrderNo: 'A&1' }],
    ['/order/query', { ...query, tradeNo: 'T&1' }],
    ['/order/query', { ...query, refundNo: 'R&1' }],
    ['/order/query', { ...query, merRefundNo: 'R&1' }],
    ['/order/queryOrderList', { merNo: 100001, merOrderNos: ['A', 'B&1'] }],
    ['/order/queryOrderList', { merNo: 100001, tradeNos: ['T&1'] }],
    ['/payment', aCardPayment({ cardNo: '4&' })],
  ] as const)
    for (const form of [plain, escaped]) {
      const { code, message } = (await live.post(path, { ...body, sign: rsa(form(body)) })).body
      assert.equal(code, '10015')
      assert.match(
        message,
        /(merOrderNo|tradeNo|refundNo|merRefundNo|merOrderNos|tradeNos|cardNo) must not contain/,
      )
    }
})

it('field names under RSA must be 1 to 64 letters, digits and underscores', async () => {
  for (const [name, code] of [
    ['x'.repeat(64), '00000'],
    ['A_9', '00000'],
    ['x'.repeat(65), '10015'],
    ['a-b', '10015'],
    ['ä', '10015'],
    ['', '10015'],
  ] as const) {
    const body = { merNo: 100001, [name]: '1' }
    for (const form of [plain, escaped]) {
      const answer = await live.post('/balance/query', { ...body, sign: rsa(form(body)) })
      assert.equal(answer.body.code, code, `${name}: ${answer.body.message}`)
    }
  }
})
