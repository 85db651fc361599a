// Signs a request with RSA: SHA256withRSA (PKCS#1 v1.5, base64) over every field that has a value, except `sign`. The
// SDK does this by itself if it is given a `privateKey`; here it is by hand, for programs without it.
import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

type Body = Readonly<Record<string, unknown>>

/** The escaped form: nothing that a payer types can be read as another field. */
export function rsaString(body: Body): string {
  const fields = Object.keys(body)
    .filter((name) => name !== 'sign' && body[name] !== undefined && body[name] !== null && body[name] !== '')
    .sort()
    .map((name) => `${name}=${textOf(body[name]).replaceAll('%', '%25').replaceAll('&', '%26')}`)
  return `escaped&${fields.join('&')}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : sortedJson(value)
}

/** Keys sorted at every level, no white space. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`).join(',')}}`
}

export function rsaSign(body: Body, privateKey: string): string {
  return sign('sha256', Buffer.from(rsaString(body)), privateKey).toString('base64')
}

if (import.meta.main) {
  const { TOLLGATE_MERNO, TOLLGATE_PRIVATE_KEY = '' } = process.env
  const payment = {
    merNo: Number(TOLLGATE_MERNO),
    merOrderNo: 'order-1',
    currencyCode: 'USD',
    sourceAmount: '12.34',
    returnUrl: 'https://shop.example/thanks?a=1&b=2',
    productInfoList: [{ sku: 'A-1', productName: 'Scarf', price: '12.34', quantity: '1' }],
  }
  console.log(rsaString(payment))
  // Send this as `sign`.
  console.log(rsaSign(payment, readFileSync(TOLLGATE_PRIVATE_KEY, 'utf8')))
}
