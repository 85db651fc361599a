// dLocal's payouts API over HTTP. Its access token lasts three minutes; it is fetched on demand and renewed when dLocal
// refuses it.
import type { Clock } from '../../base/clock.ts'
import { isObject } from '../../base/object.ts'
import { createHttpClient, type HttpClientOptions, parseJson } from '../../http/client/http-client.ts'
import type { Reply } from '../transport.ts'

export type PayoutApi = (
  method: 'GET' | 'POST',
  path: string,
  body: string,
  signal: AbortSignal,
) => Promise<Reply>

export type PayoutApiOptions = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly clock: Clock
  readonly http: HttpClientOptions
}

type Token = { readonly text: string; readonly until: number }

const VERSION = '3.0'
/** A token is not used in its last seconds: it could expire in transit. */
const SPARE_S = 10

export function createPayoutApi(options: PayoutApiOptions): PayoutApi {
  const { url, clientId, clientSecret, clock, http } = options
  const client = createHttpClient(http)
  let token: Token | undefined

  async function fetchToken(signal: AbortSignal): Promise<Token | Reply> {
    const content = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const reply = await client({
      method: 'POST',
      url: new URL(`${url}/oauth/token`),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
      signal,
    })
    // Without a token no call was made, so this is certainly unsent.
    if (reply.kind !== 'answer') return { kind: 'unsent', why: reply.why }
    const body = parseJson(reply.text)
    if ([400, 401, 403].includes(reply.status))
      return { kind: 'answer', status: 401, body: { code: 'oauth' } }
    const { access_token: text, expires_in: lifeS } = isObject(body) ? body : {}
    if (reply.status !== 200 || typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
      return { kind: 'unsent', why: `no access token: dLocal responded ${reply.status}` }
    const seconds = typeof lifeS === 'number' ? lifeS : 0
    return { text, until: clock.now().getTime() + (seconds - SPARE_S) * 1000 }
  }

  async function freshToken(signal: AbortSignal): Promise<Token | Reply> {
    if (token !== undefined && clock.now().getTime() < token.until) return token
    const fetched = await fetchToken(signal)
    if ('text' in fetched) token = fetched
    return fetched
  }

  return async (method, path, body, signal) => {
    const send = async ({ text }: Token): Promise<Reply> => {
      const headers = {
        authorization: `Bearer ${text}`,
        'x-date': clock.now().toISOString(),
        'x-version': VERSION,
        'content-type': 'application/json',
      }
      const reply = await client({ method, url: new URL(url + path), headers, body, signal })
      return reply.kind === 'answer' ? { ...reply, body: parseJson(reply.text) } : reply
    }
    const first = await freshToken(signal)
    if ('kind' in first) return first
    const reply = await send(first)
    if (reply.kind !== 'answer' || reply.status !== 401) return reply
    if (token === first) token = undefined
    const second = await freshToken(signal)
    return 'kind' in second ? second : send(second)
  }
}
