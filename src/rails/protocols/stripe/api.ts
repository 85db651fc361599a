// Stripe's API over HTTP. Requests that change something have an idempotency key: Stripe carries out the first one and
// repeats its response to all others.
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpClient, type HttpClientOptions, parseJson } from '../../http/client/http-client.ts'
import type { Reply } from '../transport.ts'
import { type FormFields, toForm } from './form.ts'

export type StripeApi = {
  get(path: string, query: FormFields, signal: AbortSignal): Promise<Reply>
  post(path: string, request: StripePost, signal: AbortSignal): Promise<Reply>
}

export type StripePost = {
  readonly form: FormFields
  /** Undefined: repeating it changes nothing. */
  readonly key?: string
}

export type StripeApiOptions = {
  readonly url: string
  readonly secretKey: string
  readonly http: HttpClientOptions
}

/** Responses change with the version, so an account's default must not choose it. */
const VERSION = '2026-07-29.dahlia'
/** Lists of a hundred objects are long. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
/** Waiting times while another request with the same key is in progress. */
const WAITS_MS = [100, 300, 900]
const IN_PROGRESS = 409

export function createStripeApi({ url, secretKey, http }: StripeApiOptions): StripeApi {
  const client = createHttpClient({ ...http, maxResponseBytes: MAX_RESPONSE_BYTES })
  const common = { authorization: `Bearer ${secretKey}`, 'stripe-version': VERSION }

  async function get(path: string, query: FormFields, signal: AbortSignal): Promise<Reply> {
    const reply = await client({
      method: 'GET',
      url: new URL(`${url}${path}?${toForm(query)}`),
      headers: common,
      signal,
    })
    return reply.kind === 'answer' ? { ...reply, body: parseJson(reply.text) } : reply
  }

  const post: StripeApi['post'] = async (path, { key, form }, signal) => {
    const headers = {
      ...common,
      'content-type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const request = {
      method: 'POST',
      url: new URL(`${url}${path}`),
      headers,
      body: toForm(form),
      signal,
    } as const
    let isInProgress = false
    for (const waitMs of [...WAITS_MS, undefined]) {
      const reply = await client(request)
      // The request that is in progress may succeed, even if this one was never sent.
      if (reply.kind !== 'answer') return isInProgress ? { ...reply, kind: 'silent' } : reply
      isInProgress = reply.status === IN_PROGRESS
      const isOver = waitMs === undefined || reply.status !== IN_PROGRESS || !(await wait(waitMs, signal))
      if (isOver) return { ...reply, body: parseJson(reply.text) }
    }
    return { kind: 'silent', why: 'no response in time' }
  }

  return { get, post }
}

/** False if the deadline came first. */
function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false)
}
