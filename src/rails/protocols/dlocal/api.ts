// dLocal's APIs over HTTP: payments with signed requests, payouts with an access token.

import { createHmac } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import { isEqualSecret } from '../../../platform/base/secret.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  parseJson,
} from '../../../platform/http/client/http-client.ts'
import type { Callback } from '../../contract/channel.ts'
import { createTokenCalls } from '../../toolkit/access-token.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { isRefusal } from './wire.ts'

export type DlocalApi = {
  get(path: string, signal: AbortSignal): Promise<Reply>
  post(path: string, body: string, signal: AbortSignal): Promise<Reply>
}

type DlocalApiOptions = Signer & {
  readonly url: string
  readonly transKey: string
  readonly clock: Clock
  readonly http: HttpClientOptions
}

const VERSION = '2.1'

export function createDlocalApi(options: DlocalApiOptions): DlocalApi {
  const { url, login, transKey, clock, http } = options
  const client = createHttpClient(http)

  async function send(
    method: 'GET' | 'POST',
    path: string,
    body: string,
    signal: AbortSignal,
  ): Promise<Reply> {
    const date = clock.now().toISOString()
    const headers = {
      'x-date': date,
      'x-login': login,
      'x-trans-key': transKey,
      'x-version': VERSION,
      'content-type': 'application/json',
      authorization: signatureOf(options, date, body),
    }
    const reply = await client({ method, url: new URL(url + path), headers, body, signal })
    return reply.kind === 'answer' ? { ...reply, body: parseJson(reply.text) } : reply
  }

  return {
    get: (path, signal) => send('GET', path, '', signal),
    post: (path, body, signal) => send('POST', path, body, signal),
  }
}

// The signature of our requests and of dLocal's webhooks: an HMAC over login, time and body.

export type Signer = { readonly login: string; readonly secretKey: string }

export function signatureOf({ login, secretKey }: Signer, date: string, body: string): string {
  const signature = createHmac('sha256', secretKey).update(`${login}${date}${body}`).digest('hex')
  return `V2-HMAC-SHA256, Signature: ${signature}`
}

/**
 * True if dLocal sent the webhook. The age is not checked, because dLocal repeats webhooks for days, and a webhook only
 * triggers a query.
 */
export function isFromDlocal({ headers, body }: Callback, signer: Signer): boolean {
  const { 'x-date': date = '', 'x-login': login = signer.login, authorization = '' } = headers
  return login === signer.login && isEqualSecret(authorization, signatureOf(signer, date, body))
}

// Payouts. The access token lasts three minutes.

export type PayoutApi = (
  method: 'GET' | 'POST',
  path: string,
  body: string,
  signal: AbortSignal,
) => Promise<Reply>

type PayoutApiOptions = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly clock: Clock
  readonly http: HttpClientOptions
}

const PAYOUT_VERSION = '3.0'

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
        'x-version': PAYOUT_VERSION,
        'content-type': 'application/json',
      }
      const reply = await client({ method, url: new URL(url + path), headers, body, signal })
      return reply.kind === 'answer' ? { ...reply, body: parseJson(reply.text) } : reply
    }
    return withToken({ isQuestion: method === 'GET', signal, send })
  }
}
