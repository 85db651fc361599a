// Adyen's interfaces over HTTP: JSON with an API key. Every POST has an idempotency key of ours, so it is safe to repeat.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fields, isObject } from '../../base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpReply,
  parseJson,
  type Unanswered,
} from '../../http/client/http-client.ts'

export type AdyenReply =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body: Fields
      /** Adyen says that the same request may succeed a moment later. */
      readonly isTransient: boolean
    }
  | Unanswered

export type AdyenApi = {
  post(path: string, body: Fields, call: AdyenCall): Promise<AdyenReply>
  /** Sends it again under the same key, within the deadline, as long as it is open what was done. */
  postUntilKnown(path: string, body: Fields, call: AdyenCall): Promise<AdyenReply>
  get(path: string, signal: AbortSignal): Promise<AdyenReply>
}

/** `key`: one operation is one key, whatever the request says. */
export type AdyenCall = { readonly key: string; readonly signal: AbortSignal }

export type AdyenApiOptions = {
  readonly url: string
  readonly apiKey: string
  readonly http?: HttpClientOptions
}

/** A call under the same key is in progress, or the store of keys is down. */
const OPEN_CODES: readonly unknown[] = ['704', '703']
const WAITS_MS = [100, 500]

export function createAdyenApi({ url, apiKey, http }: AdyenApiOptions): AdyenApi {
  const client = createHttpClient(http)
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }

  async function post(path: string, body: Fields, { key, signal }: AdyenCall): Promise<AdyenReply> {
    return read(
      await client({
        method: 'POST',
        url: new URL(`${url}${path}`),
        headers: { ...headers, 'idempotency-key': key },
        body: JSON.stringify(body),
        signal,
      }),
    )
  }

  return {
    post,
    async postUntilKnown(path, body, call) {
      let reply = await post(path, body, call)
      // Never sent: another channel may try.
      if (reply.kind === 'unsent') return reply
      for (const waitMs of WAITS_MS) {
        if (!isOpen(reply)) return reply
        await sleep(waitMs, undefined, { signal: call.signal }).catch(() => undefined)
        if (call.signal.aborted) return reply
        const again = await post(path, body, call)
        // The first one may have arrived, so only an answer about the payment itself ends the doubt.
        reply = isOnlyAboutUs(again) ? { kind: 'silent', why: 'the first request was not answered' } : again
      }
      return reply
    },
    async get(path, signal) {
      return read(await client({ method: 'GET', url: new URL(`${url}${path}`), headers, signal }))
    },
  }
}

function read(reply: HttpReply): AdyenReply {
  if (reply.kind !== 'answer') return reply
  const { status, headers, text } = reply
  const body = parseJson(text)
  if (!isObject(body) && status < 300)
    return { kind: 'silent', why: `Adyen's response (${status}) is not a JSON object` }
  const isTransient = headers['transient-error'] === 'true'
  return { kind: 'answer', status, body: isObject(body) ? body : {}, isTransient }
}

function isOpen(reply: AdyenReply): boolean {
  return reply.kind !== 'answer' || reply.isTransient || OPEN_CODES.includes(reply.body.errorCode)
}

function isOnlyAboutUs(reply: AdyenReply): boolean {
  return reply.kind === 'unsent' || isUnauthorised(reply)
}

/** Our key is wrong, or may not do this: nothing was done. */
export function isUnauthorised(reply: AdyenReply): boolean {
  return isError(reply, [401, 403])
}

/** Adyen did not process the request, and never will. */
export function isRefusal(reply: AdyenReply): boolean {
  return isError(reply, [400, 422]) && !isOpen(reply)
}

/** Adyen's own errors have a code. One without may be of a proxy on the way, after Adyen has acted: it decides nothing. */
function isError(reply: AdyenReply, statuses: readonly number[]): boolean {
  const isOne = reply.kind === 'answer' && statuses.includes(reply.status)
  return isOne && typeof reply.body.errorCode === 'string'
}

/** Why a response decides nothing. */
export function whyOpen(reply: AdyenReply): string {
  if (reply.kind !== 'answer') return reply.why
  if (isUnauthorised(reply)) return `Adyen did not accept the API key (${reply.status})`
  const { errorCode } = reply.body
  const code = typeof errorCode === 'string' ? `, error ${errorCode.slice(0, 10)}` : ''
  return `Adyen responded ${reply.status}${code}`
}
