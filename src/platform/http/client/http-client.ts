// The HTTP client for counterparties. The result is `unsent` only if the counterparty certainly did not read the
// request.
// See docs/decisions/0346-repeated-only-if-nothing-left.md.
import type { ClientTls, HttpClient } from './http-call.ts'
import { proxyClient } from './proxy-client.ts'
import { rawClient } from './raw/raw-client.ts'

export type { HttpClient, HttpReply, HttpRequest, Unanswered } from './http-call.ts'

const MAX_RESPONSE_BYTES = 65_536

export type HttpClientOptions = {
  /** Our certificate, and further certificate authorities, in PEM. */
  readonly tls?: ClientTls
  /** The maximum size of a response, in bytes. A longer response is an error. */
  readonly maxResponseBytes?: number
  /** The proxy for all requests, except those to this machine. */
  readonly proxy?: string
}

export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { tls, proxy, maxResponseBytes = MAX_RESPONSE_BYTES } = options
  return proxy === undefined ? rawClient(tls, maxResponseBytes) : proxyClient(tls, maxResponseBytes, proxy)
}

/** An escaped NUL character. The database cannot store NUL, and no counterparty needs it. */
const NUL = '\\u0000'

/**
 * Parses a response. Undefined if the text is malformed JSON or has an escaped NUL: the outcome is then unknown, and
 * not failed.
 */
export function parseJson(text: string): unknown {
  if (text.includes(NUL)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
