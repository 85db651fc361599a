// The inputs of docs/vectors.json: requests and notifications that programs in other languages got wrong, or may get
// wrong.
import type { EndpointPath } from '../../src/interfaces/merchant-api/endpoints.ts'
import type { Fields, NotificationEvent } from '../../src/money/notifications/notification.ts'

type Body = Readonly<Record<string, unknown>>

export type RequestInput = { readonly name: string; readonly path: EndpointPath; readonly body: Body }

const order = { merNo: 10_000_001, merOrderNo: 'order-1', currencyCode: 'USD', sourceAmount: '12.34' }
const paid = { merNo: 10_000_001, merOrderNo: 'order-1', tradeNo: 'T0000000000000000000000000000001' }

export const md5Inputs: readonly RequestInput[] = [
  { name: 'a payment', path: '/payment', body: order },
  {
    name: 'fields in another order, and fields that are not signed',
    path: '/payment',
    body: {
      version: 'V3.0.0',
      sourceAmount: '12.34',
      currencyCode: 'USD',
      ...paid,
      email: 'payer@example.com',
    },
  },
  { name: 'a merchant number as text', path: '/payment', body: { ...order, merNo: '10000001' } },
  {
    name: 'an order number in other scripts',
    path: '/payment',
    body: { ...order, merOrderNo: 'Größe 東京 😀' },
  },
  { name: 'spaces at both ends count', path: '/payment', body: { ...order, merOrderNo: ' order 1 ' } },
  { name: 'signs that forms escape', path: '/payment', body: { ...order, merOrderNo: 'a&b=c%20d+e' } },
  { name: 'a page of the gateway', path: '/cashier/checkStand', body: order },
  { name: 'a page with an address', path: '/cashier/checkStandPay', body: order },
  {
    name: 'a page for one method',
    path: '/cashier/checkStandPayment',
    body: { ...order, paymentMode: 'PIX' },
  },
  { name: 'a payout', path: '/payout', body: { ...order, withdrawType: '4', currencyCode: 'BRL' } },
  { name: 'a query', path: '/order/query', body: { ...paid, queryType: 'sales' } },
  { name: 'a query without the trade number', path: '/order/query', body: { ...paid, tradeNo: '' } },
  { name: 'a query with null as the trade number', path: '/order/query', body: { ...paid, tradeNo: null } },
  { name: 'a refund', path: '/refund/apply', body: { ...paid, amount: '2.00' } },
  {
    name: 'a refund with its own number',
    path: '/refund/apply',
    body: { ...paid, amount: '2.00', merRefundNo: 'refund-1' },
  },
  {
    name: 'a balance',
    path: '/balance/query',
    body: { merNo: 10_000_001, version: 'V3.0.0', currency: 'USD' },
  },
  { name: 'a balance without a version', path: '/balance/query', body: { merNo: 10_000_001 } },
  { name: 'a list of orders', path: '/order/queryOrderList', body: { merNo: 10_000_001, tradeNos: ['T1'] } },
  { name: 'totals', path: '/order/queryAmount', body: { merNo: 10_000_001, startDate: '2026-11-01' } },
  { name: 'a file', path: '/file/upload', body: { merNo: 10_000_001, type: '.pdf' } },
  {
    name: 'the answer to a review',
    path: '/review/submit',
    body: { ...paid, info: { payerName: 'Example Payer' } },
  },
]

export const rsaInputs: readonly RequestInput[] = [
  { name: 'RSA: a payment', path: '/payment', body: order },
  {
    name: 'RSA: names in ASCII order, capitals first',
    path: '/payment',
    body: { ...order, merorderNo: 'b', merOrderNo: 'a', Zulu: '1', alpha: '2', a_b: '3', a1: '4', a: '5' },
  },
  {
    name: 'RSA: without sign, null and empty texts, but with empty lists and objects',
    path: '/payment',
    body: { ...order, sign: 'x', email: '', userId: null, productInfoList: [], browser: {} },
  },
  {
    name: 'RSA: numbers and booleans as in JSON',
    path: '/payment',
    body: {
      ...order,
      ...{ screenWidth: 0, screenHeight: -1, screenColorDepth: Number.MAX_SAFE_INTEGER },
      ...{ javaEnabled: false, javascriptEnabled: true },
    },
  },
  {
    name: 'RSA: keys sorted at every level, lists as they are',
    path: '/payment',
    body: {
      ...order,
      productInfoList: [
        { sku: 'B', quantity: '2', productName: 'Second', price: '1.00' },
        { more: { z: null, a: [3, true, {}] }, sku: 'A' },
      ],
    },
  },
  {
    name: 'RSA: other scripts are not escaped, in JSON neither',
    path: '/payment',
    body: { ...order, billingCity: 'Łódź 東京 😀', productInfoList: [{ productName: 'Größe <M> é/è' }] },
  },
  {
    name: 'RSA: quotes and backslashes inside JSON',
    path: '/payment',
    body: { ...order, productInfoList: [{ productName: 'a "b" \\c \\u0041 \\\\d' }] },
  },
  {
    name: 'RSA: line separators inside JSON',
    path: '/payment',
    body: { ...order, productInfoList: [{ productName: 'one\u2028two\u2029three \\u2028' }] },
  },
  { name: 'RSA: spaces count', path: '/payment', body: { ...order, billingCity: ' New  York ' } },
  {
    name: 'RSA: % and & in values are escaped',
    path: '/payment',
    body: { ...order, returnUrl: 'https://shop.example/thanks?a=1&b=%20', billingCity: '100 % & more' },
  },
  {
    name: 'RSA: a text that could be read as another field',
    path: '/payment',
    body: { ...order, billingFirstName: 'Example&sourceAmount=0.01' },
  },
  {
    name: 'RSA: a payout',
    path: '/payout',
    body: { ...order, withdrawType: '6', cardNo: '032180000118359719', benFirstName: 'Example' },
  },
  {
    name: 'RSA: a list of numbers',
    path: '/order/queryOrderList',
    body: { merNo: 10_000_001, tradeNos: ['T2', 'T1'] },
  },
  {
    name: 'RSA: dates in an object',
    path: '/order/queryOrderList',
    body: { merNo: 10_000_001, dateLimit: { to: '2026-11-16 23:59:59', from: '2026-11-16 00:00:00' } },
  },
]

export type NotificationInput = {
  readonly name: string
  readonly event: NotificationEvent
  readonly fields: Fields
}

const numbers = { tradeNo: paid.tradeNo, merOrderNo: 'order-1' }

export const notificationInputs: readonly NotificationInput[] = [
  { name: 'a payment succeeded', event: 'payment', fields: { ...numbers, code: '0', message: 'Success' } },
  {
    name: 'a payment failed, with signs that forms escape',
    event: 'payment',
    fields: { ...numbers, merOrderNo: 'a&b=c%20d+e f', code: '1', message: 'Declined: 100 % "sure" = maybe' },
  },
  {
    name: 'a transfer of a payer in another script, and an empty message',
    event: 'payment',
    fields: {
      ...numbers,
      code: '0',
      message: '',
      receiveAmount: '12.34',
      counterpartyAccountName: 'Łódź 東京 😀',
    },
  },
  { name: 'a payout failed', event: 'payout', fields: { ...numbers, code: '1', message: 'Account closed' } },
  { name: 'information is asked', event: 'review', fields: { ...numbers, code: '3', message: 'Who paid?' } },
  {
    name: 'a refund succeeded: its state is a number',
    event: 'refund',
    fields: {
      ...{ ...numbers, refundNo: 'R1', state: 0, message: 'Success' },
      ...{ refundAmount: '2.00', refundCurrency: 'USD' },
    },
  },
  {
    name: 'a chargeback was opened',
    event: 'chargeback',
    fields: {
      ...{ ...numbers, code: '1', message: 'Größe "M" \\ / <b>', reason: '4853' },
      ...{ currency: 'USD', amount: '12.34' },
    },
  },
]
