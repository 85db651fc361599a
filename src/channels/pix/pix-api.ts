// The central bank's Pix API over HTTP. All calls share an access token, which is fetched on demand and renewed when the bank
// refuses it.
import type { Clock } from '../../base/clock.ts'
import { isObject } from '../../base/object.ts'
import { createHttpClient, type HttpClientOptions, parseJson } from '../../http/client/http-client.ts'
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

type Token = { readonly text: string; readonly until: number }

/** A token is not used in its last seconds: it could expire in transit. */
const SPARE_S = 10

/** The parts of a bank's API may lie below several addresses; they share the token. */
export function createPixApi(options: PixApiOptions): (url: string) => PixApi {
  const { clock } = options
  const client = createHttpClient(options.http)
  let token: Token | undefined

  async function fetchToken(signal: AbortSignal): Promise<Token | Reply> {
    const url = new URL(options.tokenUrl)
    const reply = await client({ method: 'POST', url, ...tokenRequest(options), signal })
    // Without a token no call was made, so this is certainly unsent.
    if (reply.kind !== 'answer') return { kind: 'unsent', why: reply.why }
    if (reply.status === 400 || reply.status === 401) return { kind: 'answer', status: 401, body: {} }
    const body = parseJson(reply.text)
    const text = isObject(body) ? body.access_token : undefined
    if (reply.status !== 200 || typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
      return { kind: 'unsent', why: `no access token: the bank responded ${reply.status}` }
    const lifeS = isObject(body) && typeof body.expires_in === 'number' ? body.expires_in : 0
    return { text, until: clock.now().getTime() + (lifeS - SPARE_S) * 1000 }
  }

  async function send(url: string, call: PixCall, { text }: Token, signal: AbortSignal): Promise<Reply> {
    const { method, path } = call
    const body = call.body === undefined ? '' : JSON.stringify(call.body)
    const own = { authorization: `Bearer ${text}`, 'content-type': 'application/json' }
    const headers = { ...call.headers, ...own }
    const reply = await client({ method, url: new URL(url + path), headers, body, signal })
    return reply.kind === 'answer'
      ? { kind: 'answer', status: reply.status, body: parseJson(reply.text) }
      : reply
  }

  async function freshToken(signal: AbortSignal): Promise<Token | Reply> {
    if (token !== undefined && clock.now().getTime() < token.until) return token
    const fetched = await fetchToken(signal)
    if ('text' in fetched) token = fetched
    return fetched
  }

  return (url) => async (call, signal) => {
    const first = await freshToken(signal)
    if ('kind' in first) return first
    const reply = await send(url, call, first, signal)
    if (reply.kind !== 'answer' || reply.status !== 401) return reply
    if (token === first) token = undefined
    const second = await freshToken(signal)
    const again = 'kind' in second ? second : await send(url, call, second, signal)
    // A foreign page may be that of a proxy, after the bank has taken the call: then only a success is an answer to it.
    const isForeign = call.method !== 'GET' && !isObject(reply.body)
    const isSuccess = again.kind === 'answer' && again.status < 300
    return isForeign && !isSuccess ? reply : again
  }
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
