// A merchant's client for tests: full bodies, real signatures, real HTTP.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

export type Account = {
  readonly baseUrl: string
  readonly merNo: number
  readonly key: string
  readonly site: string
}

export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
  readonly sign: string | undefined
}

let count = 0

/** Returns a new order number. */
export function newNumber(): string {
  return `T${process.pid}-${Date.now().toString(36)}-${++count}`
}

function person(who: 'billing' | 'shipping'): Record<string, string> {
  const fields = {
    FirstName: 'Test',
    LastName: 'Payer',
    Address1: 'Av. Arequipa 1000',
    City: 'Lima',
    State: 'Lima',
    Country: 'PE',
    ZipCode: '15046',
    Phone: '+5115550100',
    Email: 'payer@shop.example',
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [who + name, value]))
}

/** Returns the full body of a card payment, unsigned. */
export function cardBody(account: Account, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    merNo: account.merNo,
    merOrderNo: newNumber(),
    currencyCode: 'USD',
    sourceAmount: '12.34',
    returnUrl: 'https://shop.example/back',
    notifyUrl: 'https://shop.example/notify',
    cardNo: '4242424242424242',
    cardExpireMonth: '12',
    cardExpireYear: '2030',
    cardSecurityCode: '123',
    ...person('billing'),
    ...person('shipping'),
    userAgent: 'Mozilla/5.0',
    ipAddress: '203.0.113.7',
    productInfoList: [{ sku: 'A-1', productName: 'Alpaca scarf', price: '12.34', quantity: '1' }],
    version: 'V3.0.0',
    ...changes,
  }
}

export function queryBody(account: Account, changes: Record<string, unknown>): Record<string, unknown> {
  return {
    merNo: account.merNo,
    tradeNo: '',
    operationType: 'query',
    version: 'V3.0.0',
    queryType: 'sales',
    ...changes,
  }
}

const orderSigned = ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount']
const signedFields: Readonly<Record<string, readonly string[]>> = {
  '/payment': orderSigned,
  '/payout': orderSigned,
  '/order/query': ['merNo', 'merOrderNo', 'tradeNo'],
  '/refund/apply': ['merNo', 'merOrderNo', 'amount', 'tradeNo'],
  '/balance/query': ['merNo', 'version'],
  '/order/queryOrderList': ['merNo'],
  '/order/queryAmount': ['merNo'],
  '/file/upload': ['type', 'merNo'],
  '/review/submit': ['merNo', 'tradeNo'],
}

export function signed(
  account: Account,
  path: string,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const text = (signedFields[path] ?? orderSigned).map((name) => String(body[name] ?? '')).join('')
  const sign = createHash('md5')
    .update(text + account.key)
    .digest('hex')
    .toUpperCase()
  return { ...body, sign }
}

/** Signs and sends the body. A `sign` that the body already has is kept. */
export async function call(
  account: Account,
  path: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(account.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: `https://${account.site}/cart`, ...headers },
    body: JSON.stringify('sign' in body ? body : signed(account, path, body)),
  })
  const answer = JSON.parse(await response.text())
  return { status: response.status, headers: response.headers, data: {}, ...answer }
}

export function pay(account: Account, changes: Record<string, unknown> = {}): Promise<Reply> {
  return call(account, '/payment', cardBody(account, changes))
}

export function query(account: Account, merOrderNo: unknown): Promise<Reply> {
  return call(account, '/order/query', queryBody(account, { merOrderNo }))
}

export function readDemoAccount(dataDir: string): Account {
  const file = `${dataDir}/demo.json`
  if (!existsSync(file)) throw new Error(`${file} is not there`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
