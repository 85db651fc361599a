// Sends requests in our own protocol of signed JSON, to bridges of card issuers and banks.
import { type Clock, systemClock } from '../../platform/base/clock.ts'
import { memoize } from '../../platform/base/memoize.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  parseJson,
  type Unanswered,
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

/** The size of the cache of addresses. No counterparty has more operations. */
const OPERATIONS = 32

export type HttpTransportOptions = {
  readonly url: string
  readonly secret: string
  readonly clock?: Clock
  readonly http?: HttpClientOptions
}

export function httpTransport<Operation extends string>(options: HttpTransportOptions): Transport<Operation> {
  const { url: base, secret, clock = systemClock, http } = options
  const client = createHttpClient(http)
  const urlOf = memoize(OPERATIONS, (operation) => URL.parse(`${base}/v1/${operation}`))
  return async (operation, content, signal) => {
    const body = JSON.stringify(content)
    const url = urlOf(operation)
    if (url === null) return { kind: 'unsent', why: 'its address is malformed' }
    const timestamp = String(Math.floor(clock.now().getTime() / 1000))
    const headers = {
      'content-type': 'application/json',
      [timestampHeader]: timestamp,
      [signatureHeader]: signRequest(secret, { method: 'POST', path: url.pathname, timestamp, body }),
    }
    const reply = await client({ method: 'POST', url, body, signal, headers })
    return reply.kind === 'answer'
      ? { kind: 'answer', status: reply.status, body: parseJson(reply.text) }
      : reply
  }
}
