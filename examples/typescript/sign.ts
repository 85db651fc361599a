// Signs a request with MD5: the values of a few fields and the merchant key, with nothing in between.
// The SDK does this by itself; here it is by hand, for programs without it.
import { createHash } from 'node:crypto'

const order = ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount']

/** The fields that each endpoint signs, in this order. */
const signed: Readonly<Record<string, readonly string[]>> = {
  '/payment': order,
  '/cashier/checkStand': order,
  '/cashier/checkStandPay': order,
  '/cashier/checkStandPayment': order,
  '/payout': order,
  '/order/query': ['merNo', 'merOrderNo', 'tradeNo'],
  '/refund/apply': ['merNo', 'merOrderNo', 'amount', 'tradeNo', 'merRefundNo'],
  '/balance/query': ['merNo', 'version'],
  '/order/queryOrderList': ['merNo'],
  '/order/queryAmount': ['merNo'],
  '/file/upload': ['type', 'merNo'],
  '/review/submit': ['merNo', 'tradeNo'],
}

type Body = Readonly<Record<string, unknown>>

/** Values exactly as they are sent; a field that is not sent counts as empty. */
export function md5String(path: string, body: Body): string {
  return (signed[path] ?? []).map((name) => String(body[name] ?? '')).join('')
}

export function md5Sign(path: string, body: Body, key: string | undefined): string {
  // Anybody can sign with an empty key, so a key that is missing or short is an error.
  if (key === undefined || key.length < 16) throw new Error('TOLLGATE_KEY is missing or too short')
  return createHash('md5')
    .update(md5String(path, body) + key)
    .digest('hex')
    .toUpperCase()
}

if (import.meta.main) {
  const { TOLLGATE_MERNO, TOLLGATE_KEY } = process.env
  const payment = {
    merNo: Number(TOLLGATE_MERNO),
    merOrderNo: 'order-1',
    currencyCode: 'USD',
    sourceAmount: '12.34',
  }
  console.log(`${md5String('/payment', payment)}<KEY>`)
  console.log(md5Sign('/payment', payment, TOLLGATE_KEY))
}
