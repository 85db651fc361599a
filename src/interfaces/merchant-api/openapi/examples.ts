// An example request for every endpoint, method, kind of payout and query. A test sends each example to a sandbox, with
// a real merchant number, real order numbers and a valid signature.

import { type InterfacePayout, withdrawTypes } from '../../../money/payouts/payout.ts'
import { type Method, methodNames, methods, type Own } from '../../../rails/methods/methods.ts'
import type { EndpointPath } from '../endpoints.ts'
import type { Schema } from './schemas.ts'

export type Example = {
  readonly body: Schema
  readonly header?: string
}

type Examples = Readonly<Record<string, Example>>

/** The test replaces these invented values with real ones. */
const merNo = 10_000_001
const sign = '0'.repeat(32)
const placed = { merOrderNo: 'ORDER-1001', tradeNo: 'T0000000000000000000000000000001' }

const userAgent = 'Mozilla/5.0'
const payer = { userId: 'U-77', email: 'payer@example.com' }
const device = { osType: 'IOS', terminal: 'WAP' }
const identity = { customerIdentificationType: '00', customerIdentification: '45678912' }
const productInfoList = [{ sku: 'SCARF-1', productName: 'Scarf', price: '12.34', quantity: '1' }]

function order(currencyCode: string, sourceAmount = '12.34') {
  return {
    merNo,
    merOrderNo: placed.merOrderNo,
    currencyCode,
    sourceAmount,
    returnUrl: 'https://shop.example/thanks',
    notifyUrl: 'https://shop.example/notify',
    sign,
    version: 'V3.0.0',
  }
}

function payIn(currencyCode: string, sourceAmount?: string) {
  return { ...order(currencyCode, sourceAmount), ipAddress: '203.0.113.7' }
}

function person(who: 'billing' | 'shipping'): Schema {
  const fields = {
    FirstName: 'Example',
    LastName: 'Payer',
    Address1: '1 Example Street',
    City: 'Austin',
    State: 'TX',
    Country: 'US',
    ZipCode: '78701',
    Phone: '15125550100',
    Email: 'payer@example.com',
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${who}${name}`, value]))
}

const card = { cardNo: '4242424242424242', cardExpireMonth: '12', cardExpireYear: '2030' }
const browser = { screenHeight: '900', screenWidth: '1440', timeZoneOffset: '0', userAgent, visitorId: 'V-1' }
const bank = { productName: 'Scarf', paymentMethodStr: 'qrcode', vaBankId: 970_436 }

const payments: Own<Schema> = {
  card: {
    ...{ ...payIn('USD'), ...card, cardSecurityCode: '123' },
    ...{ ...person('billing'), ...person('shipping'), userAgent, productInfoList },
  },
  alipay: { ...payIn('CNY'), ...payer, ...device },
  wechat: { ...payIn('CNY'), ...payer, ...device },
  apple_pay: { ...payIn('USD'), ...payer, productInfoList, browser },
  gcash: { ...payIn('PHP'), ...payer, ...device },
  pix: { ...payIn('BRL'), ...payer, name: 'Example Payer', socialSecurityNumber: '52998224725' },
  spei: { ...payIn('MXN'), ...payer },
  per_transfer: { ...payIn('PEN'), ...payer, ...identity },
  sepa: { ...payIn('EUR'), ...payer, userAgent },
  vn_bank: { ...payIn('VND', '120000.00'), ...payer, ...bank },
  crypto: { ...payIn('USD'), ...payer, coin: 'USDT', network: 'ERC20' },
}

function paymentBy(method: Method): Schema {
  const [currency = 'USD'] = methods[method].currencies === 'any' ? [] : methods[method].currencies
  return payments[method] ?? { ...payIn(currency), ...payer }
}

/** Returns an example without the fields that the page asks the payer for. */
function orderOf(method: Method): Schema {
  const names = Object.keys(payIn(''))
  return Object.fromEntries(Object.entries(paymentBy(method)).filter(([name]) => names.includes(name)))
}

const payee = { benFirstName: 'Example', benLastName: 'Payee' }
const home = { addressLine: '1 Example Street', city: 'Berlin', countryCode: 'DE' }

const payouts: Readonly<Record<InterfacePayout, Schema>> = {
  card: { ...order('USD'), ...payee, cardNo: '4242424242424242', mobile: '+15125550100' },
  checkout: { ...order('BRL'), ...payee, email: 'payee@example.com' },
  bank_account: {
    ...{ ...order('EUR'), ...payee, ...home },
    ...{ cardNo: 'DE89370400440532013000', beneficiaryType: 'individual' },
  },
  pix: { ...order('BRL'), ...payee, cardNo: '12ABC34501DE35' },
  per_transfer: { ...order('PEN'), ...payee, cardNo: '00219119184091600051', accountType: '01', ...identity },
  spei: { ...order('MXN'), ...payee, cardNo: '032180000118359719' },
}

const checkout = { ...payIn('EUR'), productInfoList }
const query = { merNo, sign, version: 'V3.0.0' }
const orderQuery = { ...query, ...placed, operationType: 'query' }
const refund = { ...placed, merRefundNo: 'REFUND-1' }

export const examples: Readonly<Record<EndpointPath, Examples>> = {
  '/payment': Object.fromEntries(
    methodNames().map((method) => {
      const [header = ''] = methods[method].paymentTypes
      return [method, { body: paymentBy(method), header }]
    }),
  ),
  '/cashier/checkStand': { checkout: { body: checkout } },
  '/cashier/checkStandPay': { checkout: { body: checkout } },
  '/cashier/checkStandPayment': Object.fromEntries(
    methodNames().map((method) => {
      const { paymentTypes, paymentModes } = methods[method]
      const paymentMode = paymentTypes[0] || (paymentModes[0] ?? '')
      return [method, { body: { ...orderOf(method), paymentMode, userAgent, productInfoList } }]
    }),
  ),
  '/payout': Object.fromEntries(
    [...withdrawTypes].map(([withdrawType, kind]) => [kind, { body: { ...payouts[kind], withdrawType } }]),
  ),
  '/refund/apply': {
    part: { body: { ...query, ...refund, amount: '2.34', operationType: 'refund', remark: 'One item back' } },
  },
  '/order/query': {
    sales: { body: { ...orderQuery, queryType: 'sales' } },
    refund: { body: { ...orderQuery, ...refund, queryType: 'refund' } },
    chargeback: { body: { ...orderQuery, queryType: 'chargeback' } },
  },
  '/balance/query': {
    one: { body: { ...query, currency: 'USD' } },
    all: { body: query },
  },
  '/order/queryOrderList': {
    days: {
      body: {
        ...{ ...query, version: 'V3.0.1', pageNum: 1, pageSize: 15 },
        dateLimit: { from: '2026-11-01 00:00:00', to: '2026-11-30 23:59:59' },
      },
    },
    numbers: { body: { ...query, version: 'V3.0.1', merOrderNos: [placed.merOrderNo] } },
  },
  '/order/queryAmount': {
    month: { body: { ...query, orderStatusList: ['5'], startDate: '2026-11-01', endDate: '2026-11-30' } },
  },
  '/file/upload': { pdf: { body: { merNo, type: '.pdf', sign, file: '%PDF-1.7' } } },
  '/review/submit': {
    answer: {
      body: {
        ...{ ...query, tradeNo: placed.tradeNo, info: { payerName: 'Example Payer' } },
        files: [{ type: 'payerIdentityDocument', fileId: 'F0000000000000000000000000000001' }],
      },
    },
  },
}
