// Valid requests to every endpoint and for every method, as inputs with marks.
import { cardBody, queryBody } from '../test/harness/client.ts'
import type { Input } from './input.ts'

type Fields = Readonly<Record<string, unknown>>

const merNo = '{{#merNo}}'
const account = { merNo: 0, baseUrl: '', key: '', site: '' }

const order = {
  merNo,
  merOrderNo: '{{new}}',
  currencyCode: 'USD',
  sourceAmount: '12.34',
  returnUrl: 'https://shop.example/back?cart=7',
  notifyUrl: '{{notifyUrl}}',
  ipAddress: '203.0.113.7',
  version: 'V3.0.0',
} as const

const payer = { userId: 'payer-7', email: 'payer@example.com' }
const yuan = { ...payer, currencyCode: 'CNY', sourceAmount: '88.00' }
const dong = {
  ...payer,
  currencyCode: 'VND',
  sourceAmount: '250000.00',
  productName: 'Lamp',
  vaBankId: 970436,
}
const products = [{ sku: 'A-1', productName: 'Alpaca scarf', price: '12.34', quantity: '1' }]
const device = {
  acceptHeader: '*/*',
  language: 'fr-CA',
  timezone: 'America/Lima',
  screenHeight: 900,
  javaEnabled: false,
}

/** The fields of payments by `paymentType`. A type may have several lines. */
export const methodFields: readonly (readonly [paymentType: string, fields: Fields])[] = [
  ['ALIPAY', { ...yuan, terminal: 'WEB' }],
  ['WECHAT', { ...yuan, terminal: 'WEB' }],
  ['WECHAT', { ...yuan, terminal: 'WAP' }],
  ['WECHAT', { ...yuan, terminal: 'MINI_APP', userId: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' }],
  ['UNIONPAY_H5', yuan],
  ['APPLE_PAY', { products, browser: { screenHeight: '900', userAgent: 'Mozilla/5.0', visitorId: 'v-1' } }],
  ['GOOGLE_PAY', payer],
  ['CASH_APP', payer],
  ['GCASH', { ...payer, currencyCode: 'PHP', sourceAmount: '999.50', osType: 'ANDROID', terminal: 'WAP' }],
  [
    'PIX',
    {
      ...payer,
      currencyCode: 'BRL',
      sourceAmount: '150.75',
      name: 'Maria Souza',
      socialSecurityNumber: '529.982.247-25',
    },
  ],
  ['SPEI', { currencyCode: 'MXN', sourceAmount: '1234.00' }],
  [
    'PER_TRANSFER',
    {
      currencyCode: 'PEN',
      sourceAmount: '80.00',
      customerIdentificationType: '00',
      customerIdentification: '45678912',
    },
  ],
  ['SEPA', { ...payer, currencyCode: 'EUR', sourceAmount: '45.90', userAgent: 'Mozilla/5.0' }],
  ['VN_BANK', { ...dong, paymentMethodStr: 'qrcode' }],
  ['VN_BANK', { ...dong, paymentMethodStr: 'va' }],
  ['CRYPTO', { ...payer, coin: 'USDC', network: 'POLYGON', sourceAmount: '25.00' }],
]

const payee = { benFirstName: 'Test', benLastName: 'Payee' }
const home = {
  addressLine: 'Av. Arequipa 1000',
  city: 'Lima',
  countryCode: 'PE',
  beneficiaryType: 'individual',
}
const identity = { accountType: '01', customerIdentificationType: '00', customerIdentification: '45678912' }

const payouts: readonly Fields[] = [
  { withdrawType: '1', currencyCode: 'USD', cardNo: '4242424242424242', mobile: '+5115550100', ...payee },
  { withdrawType: '2', currencyCode: 'BRL', email: 'payee@shop.example', ...payee },
  { withdrawType: '3', currencyCode: 'EUR', cardNo: 'DE89370400440532013000', ...payee, ...home },
  { withdrawType: '4', currencyCode: 'BRL', cardNo: '12ABC34501DE35', ...payee },
  {
    withdrawType: '5',
    currencyCode: 'PEN',
    cardNo: '00219119184091600051',
    bankCode: '02',
    ...payee,
    ...identity,
  },
  { withdrawType: '6', currencyCode: 'MXN', cardNo: '032180000118359719', ...payee },
]

const card = cardBody(account, { ...order, ...device, protestNotifyUrl: '{{notifyUrl}}' })
const {
  cardNo: _no,
  cardExpireMonth: _month,
  cardExpireYear: _year,
  cardSecurityCode: _code,
  ...withoutCard
} = card

const cards = ['4242424242424242', '5555555555554444', '4000000000000002', '4000000000003220']
/** A card whose payments are charged back a second later, so nothing else may refer to these payments. */
export const disputed = '4000000000000259'

/** Returns the valid requests. A request comes first if others refer to its answer. */
export function seedRequests(): Input[] {
  return [
    ...cards.map((cardNo) => request('/payment', { ...card, cardNo })),
    ...methodFields.map(([type, fields]) => request('/payment', { ...order, ...fields }, type)),
    request('/cashier/checkStand', withoutCard),
    request('/cashier/checkStandPay', withoutCard),
    ...['CREDIT_CARD', 'ALIPAY', 'PIX', '5'].map((paymentMode) =>
      request('/cashier/checkStandPayment', {
        ...withoutCard,
        paymentMode,
        currencyCode: paymentMode === 'PIX' ? 'BRL' : 'USD',
      }),
    ),
    ...payouts.map((fields) => request('/payout', { ...order, sourceAmount: '1.00', ...fields })),
    ...afterwards(),
    request('/payment', { ...card, cardNo: disputed }),
  ]
}

function afterwards(): Input[] {
  const paid = { merNo, merOrderNo: '{{paid_merOrderNo}}', tradeNo: '{{paid_tradeNo}}' }
  const refund = {
    ...paid,
    amount: '0.01',
    notifyUrl: '{{notifyUrl}}',
    operationType: 'refund',
    version: 'V3.0.0',
    remark: 'late',
  }
  const refunded = {
    merOrderNo: '{{refund_merOrderNo}}',
    tradeNo: '{{refund_tradeNo}}',
    refundNo: '{{refund_refundNo}}',
  }
  return [
    request('/refund/apply', { ...refund, merRefundNo: '{{new}}' }),
    request('/order/query', queryBody(account, paid)),
    request('/order/query', queryBody(account, { merNo, ...refunded, queryType: 'refund' })),
    request('/balance/query', { merNo, version: 'V3.0.0', currency: 'USD' }),
    request('/balance/query', { merNo, version: 'V3.0.0' }),
    request('/order/queryOrderList', {
      merNo,
      tradeNos: ['{{paid_tradeNo}}'],
      version: 'V3.0.1',
      pageNum: 1,
      pageSize: 15,
    }),
    request('/order/queryOrderList', {
      merNo,
      merOrderNos: ['{{paid_merOrderNo}}', 'x'],
      pageNum: 1,
      pageSize: 500,
    }),
    request('/order/queryOrderList', {
      merNo,
      dateLimit: { from: '2026-11-01 00:00:00', to: '2026-11-30 23:59:59' },
      pageNum: 2,
      pageSize: 3,
    }),
    request('/order/queryAmount', {
      merNo,
      orderStatusList: ['5', '9'],
      sourceCurrencyList: ['USD', 'BRL'],
      settleCurrencyList: ['USD'],
      merOrderNoList: [],
      settlementStatusList: ['0', '1'],
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      version: 'V3.0.0',
    }),
    upload('.pdf', '%PDF-1.7 a statement of account'),
    request('/review/submit', {
      merNo,
      tradeNo: '{{review_tradeNo}}',
      version: 'V3.0.0',
      info: { payerName: 'Test Payer', payerBirthday: '1990-01-31' },
      files: [{ type: 'payerIdentityDocument', fileId: '{{file_id}}' }],
    }),
  ]
}

function request(path: string, body: Fields, paymentType = ''): Input {
  const head = headOf(path, 'application/json', paymentType === '' ? [] : [`paymentType: ${paymentType}`])
  return { head, body: JSON.stringify({ ...body, sign: '{{sign}}' }) }
}

const BOUNDARY = 'fuzz-boundary-7'

function upload(type: string, content: string): Input {
  const fields = { merNo: '{{merNo}}', type, sign: '{{sign}}' }
  const parts = Object.entries(fields).map(([name, value]) => {
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  })
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a${type}"\r\n\r\n${content}\r\n`
  const head = headOf('/file/upload', `multipart/form-data; boundary=${BOUNDARY}`)
  return { head, body: `${parts.join('')}${file}--${BOUNDARY}--\r\n` }
}

export function headOf(path: string, type: string, more: readonly string[] = [], verb = 'POST'): string {
  return [
    `${verb} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `content-type: ${type}`,
    'referer: https://{{site}}/cart',
    ...more,
    'content-length: {{length}}',
  ].join('\r\n')
}

export function pathOf({ head = '' }: Input): string {
  return /^\S+ ([^\s?]+)/.exec(head)?.[1] ?? ''
}
