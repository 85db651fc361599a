// dLocal's payouts API over HTTP. Its access token lasts three minutes.
import type { Clock } from '../../base/clock.ts'
import { createHttpClient, type HttpClientOptions, parseJson } from '../../http/client/http-client.ts'
import { createTokenCalls } from '../access-token.ts'
import type { Reply } from '../transport.ts'
import { isRefusal } from './wire.ts'

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

const VERSION = '3.0'

export function createPayoutApi(options: PayoutApiOptions): PayoutApi {
  const { url, clientId, clientSecret, clock, http } = options
  const client = createHttpClient(http)
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const withToken = createTokenCalls({
    clock,
    request: (signal) =>
      client({
        method: 'POST',
        url: new URL(`${url}/oauth/token`),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(credentials),
        signal,
      }),
    refusedBy: (status) =>
      [400, 401, 403].includes(status) ? { kind: 'answer', status: 401, body: { code: 'oauth' } } : undefined,
    isOwn: (refusal) => isRefusal(refusal, [401]),
  })

  return (method, path, body, signal) => {
    const send = async (token: string): Promise<Reply> => {
      const headers = {
        authorization: `Bearer ${token}`,
        'x-date': clock.now().toISOString(),
        'x-version': VERSION,
        'content-type': 'application/json',
      }
      const reply = await client({ method, url: new URL(url + path), headers, body, signal })
      return reply.kind === 'answer' ? { ...reply, body: parseJson(reply.text) } : reply
    }
    return withToken({ isQuestion: method === 'GET', signal, send })
  }
}
