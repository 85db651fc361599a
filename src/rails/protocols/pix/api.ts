// The central bank's Pix API over HTTP. All calls share an access token.
import type { Clock } from '../../base/clock.ts'
import { isObject } from '../../base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpReply,
  parseJson,
} from '../../http/client/http-client.ts'
import { createTokenCalls } from '../access-token.ts'
import type { Reply } from '../transport.ts'

export type PixCall = {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type PixApi = (call: PixCall, signal: AbortSignal) => Promise<Reply>

export type PixApiOptions = {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where the token request has our credentials: RFC 6749 allows both. */
  readonly credentialsIn: 'header' | 'form'
  /** What the token may be used for, separated by spaces; unset: whatever the bank allows us. */
  readonly scopes?: string | undefined
  readonly clock: Clock
  readonly http?: HttpClientOptions
}

/** The parts of a bank's API may lie below several addresses; they share the token. */
export function createPixApi(options: PixApiOptions): (url: string) => PixApi {
  const client = createHttpClient(options.http)
  const withToken = createTokenCalls({
    clock: options.clock,
    request: (signal) =>
      client({ method: 'POST', url: new URL(options.tokenUrl), ...tokenRequest(options), signal }),
    refusedBy: (status) =>
      status === 400 || status === 401 ? { kind: 'answer', status: 401, body: {} } : undefined,
    isOwn: (refusal) => refusal.kind === 'answer' && isObject(refusal.body),
  })

  async function send(url: string, call: PixCall, token: string, signal: AbortSignal): Promise<Reply> {
    const { method, path } = call
    const body = call.body === undefined ? '' : JSON.stringify(call.body)
    const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const headers = { ...call.headers, ...own }
    const reply = await client({ method, url: new URL(url + path), headers, body, signal })
    if (reply.kind !== 'answer') return reply
    return { kind: 'answer', status: reply.status, body: bodyOf(reply) }
  }

  return (url) => (call, signal) =>
    withToken({
      isQuestion: call.method === 'GET',
      signal,
      send: (token) => send(url, call, token, signal),
    })
}

/** A token may be refused by a header alone (RFC 6750); pages of something on the way have a text. */
function bodyOf({ status, headers, text }: Extract<HttpReply, { kind: 'answer' }>): unknown {
  const isChallenge = status === 401 && text === '' && headers['www-authenticate'] !== undefined
  return isChallenge ? {} : parseJson(text)
}

function tokenRequest({ clientId, clientSecret, credentialsIn, scopes }: PixApiOptions) {
  const isForm = credentialsIn === 'form'
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes !== undefined && { scope: scopes }),
    ...(isForm && { client_id: clientId, client_secret: clientSecret }),
  })
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(!isForm && { authorization: basic }),
    },
    body: form.toString(),
  }
}
