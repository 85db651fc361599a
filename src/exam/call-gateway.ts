// The exam's calls to the gateway: over HTTP and signed with the merchant's key, as a shop's.
import { isObject } from '../base/object.ts'
import { md5 } from '../base/secret.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { md5StringToSign } from '../merchant-api/checks/signature.ts'
import { type Endpoint, type EndpointPath, endpoints } from '../merchant-api/endpoints.ts'
import { type Merchant, signingKey } from '../merchants/merchant.ts'
import { NotPossible } from './not-possible.ts'

const TIMEOUT_MS = 60_000

export type Body = Readonly<Record<string, unknown>>

/** Returns `data`. */
export async function callGateway(
  gatewayUrl: string,
  merchant: Merchant,
  path: EndpointPath,
  body: Body,
  paymentType = '',
): Promise<Body> {
  const endpoint: Endpoint = endpoints[path]
  const key = signingKey(merchant)
  if (key === undefined || merchant.requireRsa)
    throw new OperatorRefusal('This merchant accepts only RSA signatures. Switch that off during the exam.')
  const sign = md5(md5StringToSign(endpoint.signed, body) + key.key)
  const [site = 'localhost'] = merchant.websites
  const response = await fetchGateway(gatewayUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tollgate exam',
      referer: `https://${site.replace(/^\*\./, 'www.')}/`,
      ...(paymentType !== '' && { paymentType }),
    },
    body: JSON.stringify({ ...body, sign }),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!isObject(answer)) throw new OperatorRefusal(`The server at ${gatewayUrl} is not a gateway.`)
  if (answer.code !== '00000' || !isObject(answer.data))
    throw new NotPossible(`The gateway refused ${path}: ${answer.code} ${answer.message}`)
  return answer.data
}

/** Posts a form to a page of the payer: ours, or the sandbox bank's. */
export async function postForm(url: string, form: Readonly<Record<string, string>>): Promise<void> {
  const body = new URLSearchParams(form)
  const response = await fetchGateway(url, { method: 'POST', body, redirect: 'manual' })
  await response.body?.cancel()
  if (response.status >= 400) throw new NotPossible(`The page ${url} answered ${response.status}.`)
}

async function fetchGateway(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    throw new OperatorRefusal(
      `No gateway answers at ${new URL(url).origin}${cause}. Start it, or give --url.`,
    )
  }
}
