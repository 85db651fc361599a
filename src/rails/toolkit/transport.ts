// Sends requests of our own protocol of signed JSON.
import { type Clock, systemClock } from '../../platform/base/clock.ts'
import { memoize } from '../../platform/base/memoize.ts'
import type { Unanswered } from '../../platform/http/client/http-call.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  parseJson,
} from '../../platform/http/client/http-client.ts'
import { signatureHeader, signRequest, timestampHeader } from './signature.ts'

export type IssuerOperation = 'authorise' | 'complete' | 'lookup' | 'void' | 'refund' | 'chargebacks'

export type Reply = { readonly kind: 'answer'; readonly status: number; readonly body: unknown } | Unanswered

export type Transport<Operation extends string> = (
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<Reply>

export type IssuerTransport = Transport<IssuerOperation>

/** Bounds the cache of addresses; no counterparty has more operations. */
const OPERATIONS = 32

export type HttpTransportOptions = {
  readonly url: string
  readonly secret: string
  readonly clock?: Clock
  readonly http?: HttpClientOptions
}

export function httpTransport<Operation extends string>(options: HttpTransportOptions): Transport<Operation> {
  const client = createHttpClient(options.http)
  const urlOf = memoize(OPERATIONS, (operation) => URL.parse(`${options.url}/v1/${operation}`))
  return async (operation, body, signal) => {
    const text = JSON.stringify(body)
    const url = urlOf(operation)
    if (url === null) return { kind: 'unsent', why: 'its address is malformed' }
    const reply = await client({
      method: 'POST',
      url,
      body: text,
      signal,
      headers: headers(options, url, text),
    })
    return reply.kind === 'answer'
      ? { kind: 'answer', status: reply.status, body: parseJson(reply.text) }
      : reply
  }
}

function headers(options: HttpTransportOptions, url: URL, body: string): Record<string, string> {
  const { clock = systemClock } = options
  const timestamp = String(Math.floor(clock.now().getTime() / 1000))
  const parts = { method: 'POST', path: url.pathname, timestamp, body }
  return {
    'content-type': 'application/json',
    [timestampHeader]: timestamp,
    [signatureHeader]: signRequest(options.secret, parts),
  }
}
