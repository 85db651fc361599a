// Sends a logged request to this gateway again, in sandbox only. The body gets a new order or refund number and a new
// signature. Masked values are replaced by test values, or removed if there is no test value. The request is signed
// with the merchant's key.
import { randomBytes } from 'node:crypto'
import { type Merchant, signingKey } from '../../../money/merchants/merchant.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { isObject } from '../../../platform/base/object.ts'
import { md5 } from '../../../platform/base/secret.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { WholeRequest } from '../../../platform/request-log/entry.ts'
import { md5StringToSign } from '../../merchant-api/checks/signature.ts'
import { type Endpoint, endpoints, isEndpoint } from '../../merchant-api/endpoints.ts'
import type { Body } from '../../merchant-api/fields/read-fields.ts'
import { MASK } from '../../merchant-api/log-request.ts'

export type AgainDeps = {
  readonly mode: 'sandbox' | 'live'
  readonly clock: Clock
  readonly selfUrl: string
}

export type RunAgain = {
  readonly requestId: string
  readonly status: number
  readonly code: string
  readonly answer: string
}

const TIMEOUT_MS = 30_000
const NUMBER_LENGTH = 32

/** Returns the reason why the request cannot be sent again. Undefined if it can. */
export function whyNotAgain({ mode }: Pick<AgainDeps, 'mode'>, request: WholeRequest): string | undefined {
  if (mode !== 'sandbox') return 'Requests can be run again only in sandbox.'
  const body = bodyOf(request)
  if (!isEndpoint(request.endpoint) || endpoints[request.endpoint].body !== 'json' || body === undefined)
    return 'The log does not hold the whole body of this request.'
  if (endpoints[request.endpoint].does === 'payout' && body.cardNo === MASK && body.withdrawType !== '1')
    return "The log does not store a beneficiary's account. Send the payout from your own program."
  return undefined
}

function bodyOf({ body }: WholeRequest): Body | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

export async function runAgain(
  deps: AgainDeps,
  merchant: Merchant,
  request: WholeRequest,
): Promise<RunAgain> {
  const why = whyNotAgain(deps, request)
  const { endpoint: path } = request
  const sent = bodyOf(request)
  if (why !== undefined || sent === undefined || !isEndpoint(path)) throw new Problem('refused', why ?? '')
  const key = signingKey(merchant)
  if (key === undefined || merchant.requireRsa)
    throw new Problem('refused', 'This merchant signs with RSA, and only you have the private key.')
  const endpoint: Endpoint = endpoints[path]
  const body = renewed(filled(sent, deps.clock.now()), endpoint)
  const sign = md5(md5StringToSign(endpoint.signed, body) + key.key)
  return await send(deps, merchant, request, { ...body, sign })
}

/** Replaces masked values by test values. A masked value without a test value is removed. */
function filled(body: Body, now: Date): Body {
  const values: Readonly<Record<string, string>> = {
    cardNo: '4242424242424242',
    cardExpireMonth: '12',
    cardExpireYear: String(now.getUTCFullYear() + 2),
    cardSecurityCode: '123',
    socialSecurityNumber: '52998224725',
    customerIdentification: '12345678',
  }
  const entries = Object.entries(body).flatMap(([name, value]) => {
    if (value !== MASK) return [[name, value] as const]
    return values[name] === undefined ? [] : [[name, values[name]] as const]
  })
  return Object.fromEntries(entries)
}

/** Gives the order or refund number a new ending, because each number can be used only once. */
function renewed(body: Body, { does }: Endpoint): Body {
  const names =
    does === 'pay' || does === 'payout' ? ['merOrderNo'] : does === 'refund' ? ['merRefundNo'] : []
  const changed = names.flatMap((name) => {
    const value = body[name]
    return typeof value === 'string' && value !== '' ? [[name, withNewEnd(value)] as const] : []
  })
  return { ...body, ...Object.fromEntries(changed) }
}

function withNewEnd(number: string): string {
  const end = `-${randomBytes(3).toString('hex')}`
  return number.slice(0, NUMBER_LENGTH - end.length) + end
}

async function send(
  { selfUrl }: AgainDeps,
  { websites: [site = 'localhost'] }: Merchant,
  { endpoint, referer, paymentType }: WholeRequest,
  body: Body,
): Promise<RunAgain> {
  const response = await fetch(selfUrl + endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tollgate back office',
      referer: referer === '' ? `https://${site.replace(/^\*\./, 'www.')}/` : referer,
      ...(paymentType !== '' && { paymentType }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const answer = await response.text()
  const code = /"code":"(\d{5})"/.exec(answer)?.[1] ?? ''
  return { requestId: response.headers.get('x-request-id') ?? '', status: response.status, code, answer }
}
