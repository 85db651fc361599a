// Stripe's API over HTTP. Stripe carries out only the first request with an idempotency key, and repeats the first
// response for later requests with this key.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fields } from '../../../platform/base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  parseJson,
} from '../../../platform/http/client/http-client.ts'
import type { Unknown } from '../../contract/channel.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { type FormFields, toForm } from './form.ts'
import { listIn, whyUnknown } from './wire.ts'

export type StripeApi = {
  get(path: string, query: FormFields, signal: AbortSignal): Promise<Reply>
  post(path: string, request: StripePost, signal: AbortSignal): Promise<Reply>
}

type StripePost = {
  readonly form: FormFields
  /** The idempotency key. Undefined if repeating the request has no further effect. */
  readonly key?: string
}

type StripeApiOptions = {
  readonly url: string
  readonly secretKey: string
  readonly http: HttpClientOptions
}

/** The API version of every request. Responses depend on the version, so the account's default must not apply. */
const VERSION = '2026-07-29.dahlia'
/** The limit is enough for a page with a hundred objects. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
/** The pauses before retries, which are made while another request with the same key is in progress. */
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
      // The other request, which was in progress, may succeed even if this request was never sent.
      if (reply.kind !== 'answer') return isInProgress ? { ...reply, kind: 'silent' } : reply
      isInProgress = reply.status === IN_PROGRESS
      const isOver = waitMs === undefined || reply.status !== IN_PROGRESS || !(await wait(waitMs, signal))
      if (isOver) return { ...reply, body: parseJson(reply.text) }
    }
    return { kind: 'silent', why: 'no response in time' }
  }

  return { get, post }
}

/** Waits. Returns false if the deadline comes first. */
function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false)
}

// The lists of Stripe's API: the newest object comes first, and a page has at most a hundred objects.

const PAGE = '100'
const MAX_PAGES = 20

/**
 * Returns the whole list. Returns `unknown` if any page is missing, because a part of a list does not prove that an
 * object is absent.
 */
export async function listPages(
  api: Pick<StripeApi, 'get'>,
  path: string,
  query: FormFields,
  signal: AbortSignal,
  maxPages = MAX_PAGES,
): Promise<readonly Fields[] | Unknown> {
  const all: Fields[] = []
  for (let page = 0; page < maxPages; page++) {
    const last = all.at(-1)?.id
    const after = typeof last === 'string' ? { starting_after: last } : {}
    const reply = await api.get(path, { ...query, limit: PAGE, ...after }, signal)
    const read = listIn(reply)
    if (read === undefined) return whyUnknown(reply)
    all.push(...read.list)
    if (!read.hasMore) return all
  }
  return unknown(`Stripe's list has more than ${all.length} objects: look in Stripe's dashboard`)
}

export function createdFrom(since: Date): FormFields {
  return { created: { gte: String(Math.max(Math.floor(since.getTime() / 1000), 0)) } }
}
