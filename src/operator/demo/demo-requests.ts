// Signed requests of the demo merchant to a running sandbox.
import { randomBytes } from 'node:crypto'
import { md5 } from '../base/secret.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { md5StringToSign } from '../merchant-api/checks/signature.ts'
import { endpoints } from '../merchant-api/endpoints.ts'
import type { Demo } from './demo-file.ts'

const TIMEOUT_MS = 60_000
export const GOOD_CARD = '4242424242424242'

/** Missing values get a default. */
export type Wanted = {
  readonly card?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly merOrderNo?: string | undefined
  readonly notifyUrl?: string | undefined
}

export type Body = Readonly<Record<string, unknown>>
type DemoMerchant = Pick<Demo, 'merNo' | 'key' | 'site'>

/** A card payment, for `/payment`. */
export function cardPayment(demo: DemoMerchant, wanted: Wanted, now: Date): Body {
  const card = {
    cardNo: wanted.card ?? GOOD_CARD,
    cardExpireMonth: '12',
    cardExpireYear: String(now.getUTCFullYear() + 2),
    cardSecurityCode: '123',
  }
  return signed(
    { ...order(demo, wanted, now), ...card, ...person('billing'), ...person('shipping') },
    demo.key,
  )
}

/** An order that the payer pays on our page, for `/cashier/checkStandPay`. */
export function checkoutOrder(demo: DemoMerchant, wanted: Wanted, now: Date): Body {
  return signed(order(demo, wanted, now), demo.key)
}

/** Both endpoints sign the same fields. */
function signed(body: Body, key: string): Body {
  return { ...body, sign: md5(md5StringToSign(endpoints['/payment'].signed, body) + key) }
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
type Answered = { readonly tradeNo?: unknown; readonly payCode?: unknown; readonly payUrl?: unknown }

export async function sendDemo(
  baseUrl: string,
  path: '/payment' | '/cashier/checkStandPay',
  body: Body,
  site: string,
): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: `http://${site}/` },
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
