// Adyen's APIs over HTTP: JSON with an API key. Every POST has an idempotency key, so a POST can be retried safely
// while Adyen keeps the key.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpReply,
  parseJson,
  type Unanswered,
} from '../../../platform/http/client/http-client.ts'

export type AdyenReply =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body: Fields
      /** True if Adyen says that the same request may succeed later. */
      readonly isTransient: boolean
    }
  | Unanswered

export type AdyenApi = {
  post(path: string, body: Fields, call: AdyenCall): Promise<AdyenReply>
  /**
   * Posts a request. While the outcome is not known, retries the request with the same idempotency key, at most twice.
   */
  postUntilKnown(path: string, body: Fields, call: AdyenCall): Promise<AdyenReply>
  get(path: string, signal: AbortSignal): Promise<AdyenReply>
}

/** `key` is the idempotency key. All requests of one operation have the same key, even if their bodies differ. */
type AdyenCall = { readonly key: string; readonly signal: AbortSignal }

type AdyenApiOptions = {
  readonly url: string
  readonly apiKey: string
  readonly http?: HttpClientOptions
}

/**
 * Adyen's error codes that leave the outcome open: 704 (another request with the same key is in progress) and 703
 * (Adyen's store of idempotency keys is down).
 */
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
      // An unsent request has certainly failed. The request is not retried here, so that the payment can go to another
      // channel.
      if (reply.kind === 'unsent') return reply
      for (const waitMs of WAITS_MS) {
        if (!isOpen(reply)) return reply
        await sleep(waitMs, undefined, { signal: call.signal }).catch(() => undefined)
        if (call.signal.aborted) return reply
        const again = await post(path, body, call)
        // The first request may have reached Adyen. So a retry that could not be sent, or whose API key was refused,
        // decides nothing.
        reply =
          again.kind === 'unsent' || isUnauthorised(again)
            ? { kind: 'silent', why: 'the first request was not answered' }
            : again
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

/** True if our API key is wrong or lacks a permission. In that case Adyen did nothing. */
export function isUnauthorised(reply: AdyenReply): boolean {
  return isError(reply, [401, 403])
}

/** True if Adyen refused the request and will never process it. */
export function isRefusal(reply: AdyenReply): boolean {
  return isError(reply, [400, 422]) && !isOpen(reply)
}

/**
 * True for an error of Adyen with one of these statuses. Adyen's own errors have a code. An error without a code may
 * come from a proxy after Adyen has processed the request, so it proves nothing.
 */
function isError(reply: AdyenReply, statuses: readonly number[]): boolean {
  const isOne = reply.kind === 'answer' && statuses.includes(reply.status)
  return isOne && typeof reply.body.errorCode === 'string'
}

export function whyOpen(reply: AdyenReply): string {
  if (reply.kind !== 'answer') return reply.why
  if (isUnauthorised(reply)) return `Adyen did not accept the API key (${reply.status})`
  const { errorCode } = reply.body
  const code = typeof errorCode === 'string' ? `, error ${errorCode.slice(0, 10)}` : ''
  return `Adyen responded ${reply.status}${code}`
}
