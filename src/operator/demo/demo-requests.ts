// Signed requests of the demo merchant to a running sandbox, for commands, the home page and the documentation.
import { randomBytes } from 'node:crypto'
import type { FirstPayments } from '../../interfaces/checkout/home-page.ts'
import type { Trying } from '../../interfaces/docs/try-it/try-routes.ts'
import { md5StringToSign } from '../../interfaces/merchant-api/checks/signature.ts'
import { endpoints } from '../../interfaces/merchant-api/endpoints.ts'
import { securityCodeDigits } from '../../platform/base/card-number.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { md5 } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { type Demo, readDemo } from './demo-file.ts'

const TIMEOUT_MS = 60_000
export const GOOD_CARD = '4242424242424242'

type Wanted = {
  readonly card?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly merOrderNo?: string | undefined
  readonly notifyUrl?: string | undefined
}

type Body = Readonly<Record<string, unknown>>
type DemoMerchant = Pick<Demo, 'merNo' | 'key' | 'site'>

/** A request to `/payment`. */
export function cardPayment(demo: DemoMerchant, wanted: Wanted, now: Date): Body {
  const { card: cardNo = GOOD_CARD } = wanted
  const card = {
    cardNo,
    cardExpireMonth: '12',
    cardExpireYear: String(now.getUTCFullYear() + 2),
    cardSecurityCode: securityCodeDigits(cardNo) === 4 ? '1234' : '123',
  }
  return demoOrder('/payment', demo, wanted, { ...card, ...person('billing'), ...person('shipping') }, now)
}

/** A request that makes an order. `fields` are the fields of the method, or of the kind of payout. */
export function demoOrder(
  path: '/payment' | '/payout',
  demo: DemoMerchant,
  wanted: Wanted,
  fields: Body,
  now: Date,
): Body {
  return signed(path, { ...order(demo, wanted, now), ...fields }, demo.key)
}

/** A request to `/refund/apply`, for an order of the demo merchant. */
export function demoRefund({ merNo, key }: DemoMerchant, fields: Body): Body {
  const body = { merNo, ...fields, operationType: 'refund', version: 'V3.0.0' }
  return signed('/refund/apply', body, key)
}

/** A request to `/cashier/checkStandPay`: the payer pays on our page. */
function checkoutOrder(demo: DemoMerchant, wanted: Wanted, now: Date): Body {
  return signed('/cashier/checkStandPay', order(demo, wanted, now), demo.key)
}

type DemoPath = '/payment' | '/cashier/checkStandPay' | '/payout' | '/refund/apply'

function signed(path: DemoPath, body: Body, key: string): Body {
  return { ...body, sign: md5(md5StringToSign(endpoints[path].signed, body) + key) }
}

function order({ merNo, site }: DemoMerchant, wanted: Wanted, now: Date): Body {
  const amount = wanted.amount ?? '10.00'
  return {
    merNo,
    merOrderNo: wanted.merOrderNo ?? `DEMO-${now.getTime()}-${randomBytes(4).toString('hex')}`,
    currencyCode: wanted.currency ?? 'USD',
    sourceAmount: amount,
    returnUrl: `http://${site}/thanks`,
    notifyUrl: wanted.notifyUrl ?? '',
    ...(wanted.notifyUrl !== undefined && { protestNotifyUrl: wanted.notifyUrl }),
    userAgent: 'tollgate pay',
    ipAddress: '127.0.0.1',
    productInfoList: [{ sku: 'DEMO-1', productName: 'Demo item', price: amount, quantity: '1' }],
    version: 'V3.0.0',
  }
}

function person(who: 'billing' | 'shipping'): Record<string, string> {
  const fields = {
    FirstName: 'Demo',
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

export type Answer = { readonly code?: unknown; readonly message?: unknown; readonly data?: Answered }
type Answered = {
  readonly tradeNo?: unknown
  readonly merOrderNo?: unknown
  readonly payCode?: unknown
  readonly payUrl?: unknown
}

export async function sendDemo(
  baseUrl: string,
  path: DemoPath,
  body: Body,
  site: string,
  paymentType = '',
): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      referer: `http://${site}/`,
      ...(paymentType !== '' && { paymentType }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    throw new OperatorRefusal(
      `no gateway answers at ${baseUrl}${cause}: start it with "npm start", or give --url`,
    )
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (typeof answer === 'object' && answer !== null) return answer
  throw new OperatorRefusal(`the server at ${baseUrl} is not a gateway (HTTP ${response.status})`)
}

// The home page and the documentation send these requests over HTTP to their own process.

type Deps = {
  readonly dataDir: string
  readonly baseUrl: string
  /** The address at which this process serves. */
  readonly selfUrl: string
  readonly clock: Clock
}

export function firstPayments({ dataDir, baseUrl, selfUrl, clock }: Deps): FirstPayments {
  return {
    merchant: () => readDemo(dataDir),
    async pay(by) {
      const demo = await readDemo(dataDir)
      if (demo === undefined) return undefined
      const path = by === 'card' ? '/payment' : '/cashier/checkStandPay'
      const make = by === 'card' ? cardPayment : checkoutOrder
      const request = make(demo, {}, clock.now())
      const answer = await sendDemo(selfUrl, path, request, demo.site)
      const payUrl = String(answer.data?.payUrl ?? '')
      return {
        path,
        request,
        signedText: md5StringToSign(endpoints[path].signed, request),
        answer,
        payPath: payUrl.startsWith(`${baseUrl}/`) ? payUrl.slice(baseUrl.length + 1) : undefined,
      }
    },
  }
}

export function tries({ dataDir, selfUrl }: { readonly dataDir: string; readonly selfUrl: string }): Trying {
  return {
    merchant: () => readDemo(dataDir),
    async send(path, { body, headers, file }) {
      const response = await fetch(selfUrl + path, {
        method: 'POST',
        headers: { ...headers, ...(file === undefined && { 'content-type': 'application/json' }) },
        body: file === undefined ? JSON.stringify(body) : multipart(body, file),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return { status: response.status, text: await response.text() }
    },
  }
}

function multipart(fields: Readonly<Record<string, unknown>>, file: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob([file]), 'file')
  return form
}
