// The central bank's Pix API over HTTP. All calls share an access token.
import type { Clock } from '../../../platform/base/clock.ts'
import { isObject } from '../../../platform/base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpReply,
  parseJson,
} from '../../../platform/http/client/http-client.ts'
import { createTokenCalls } from '../../toolkit/access-token.ts'
import type { Reply } from '../../toolkit/transport.ts'

type PixCall = {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type PixApi = (call: PixCall, signal: AbortSignal) => Promise<Reply>

type PixApiOptions = {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where the token request contains our credentials. RFC 6749 allows both places. */
  readonly credentialsIn: 'header' | 'form'
  /** The scopes of the token, separated by spaces. If unset, the bank chooses the scopes. */
  readonly scopes?: string | undefined
  readonly clock: Clock
  readonly http?: HttpClientOptions
}

/** Returns a function that creates the API at a base URL. All base URLs of a bank share the token. */
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

/**
 * Returns the parsed body. A bank may refuse a token by the header WWW-Authenticate and an empty body (RFC 6750). For
 * such a refusal, returns {}, so that it counts as the bank's own answer. A proxy's error page is not mistaken for it,
 * because the page has a body.
 */
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
