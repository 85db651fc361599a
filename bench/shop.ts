// The requests of merchants' shops: complete HTTP requests as bytes, signed in advance, so that sending one takes
// almost no processor time.
import { hash } from 'node:crypto'
import { type Account, cardBody, signed } from '../test/harness/client.ts'

export type Shop = Pick<Account, 'merNo' | 'key' | 'site'>

/** The source of requests of one run. Every `prefix` has its own order numbers. */
export type PaymentSource = {
  readonly shops: readonly Shop[]
  readonly notifyUrl: string
  readonly prefix: string
}

const NUMBER_DIGITS = 9
const CURRENCY = 'USD'
const AMOUNT = '12.34'
const NUMBER_MARK = '#'.repeat(4)
const SIGN_MARK = '@'.repeat(4)

/** Returns a function that makes the n-th payment, with the next shop and a new order number. */
export function paymentMaker(source: PaymentSource, path: string): (count: number) => Buffer {
  const forms = source.shops.map((shop) => formOf(shop, source))
  return (count) => {
    const form = forms[count % forms.length]
    if (form === undefined) throw new Error('there is no shop')
    const number = orderNumber(source.prefix, count)
    const sign = hash('md5', form.merNo + number + CURRENCY + AMOUNT + form.key).toUpperCase()
    return httpRequest(path, form.site, form.head + number + form.middle + sign + form.tail)
  }
}

export function orderNumber(prefix: string, count: number): string {
  return prefix + String(count).padStart(NUMBER_DIGITS, '0')
}

/** Returns a body, split where the order number and the signature are inserted. */
function formOf(shop: Shop, { notifyUrl }: PaymentSource) {
  const body = cardBody(
    { ...shop, baseUrl: '' },
    {
      merOrderNo: NUMBER_MARK,
      currencyCode: CURRENCY,
      sourceAmount: AMOUNT,
      notifyUrl,
      billingAddress2: 'Oficina 1201',
      shippingAddress2: 'Oficina 1201',
      sign: SIGN_MARK,
    },
  )
  const [head = '', rest = ''] = JSON.stringify(body).split(NUMBER_MARK)
  const [middle = '', tail = ''] = rest.split(SIGN_MARK)
  return { merNo: String(shop.merNo), key: shop.key, site: shop.site, head, middle, tail }
}

export function signedRequest(shop: Shop, path: string, body: Record<string, unknown>): Buffer {
  return httpRequest(path, shop.site, JSON.stringify(signed({ ...shop, baseUrl: '' }, path, body)))
}

export function httpRequest(path: string, site: string, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `referer: https://${site}/cart`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
