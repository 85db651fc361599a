// The HTTP client for counterparties. Without a response, a channel must know one thing: whether the request may have
// arrived. Only a connection that was never made is `unsent`.
import type { ClientTls, HttpClient } from './http-call.ts'
import { proxyClient } from './proxy-client.ts'
import { rawClient } from './raw/raw-client.ts'

export type { HttpClient, HttpReply, HttpRequest, Unanswered } from './http-call.ts'

const MAX_RESPONSE_BYTES = 65_536

export type HttpClientOptions = {
  /** Our certificate, and authorities beside the usual ones; in PEM. */
  readonly tls?: ClientTls
  /** A longer response is an error. */
  readonly maxResponseBytes?: number
  /** Requests go through it, except those to this machine. */
  readonly proxy?: string
}

export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { tls, proxy, maxResponseBytes = MAX_RESPONSE_BYTES } = options
  return proxy === undefined
    ? rawClient({ tls, maxResponseBytes })
    : proxyClient({ tls, maxResponseBytes, proxy })
}

/** An escaped NUL. The database cannot store one, and no counterparty has a use for it. */
const NUL = '\\u0000'

/** Undefined when the text is not JSON: then the outcome is unknown, which is not a refusal. */
export function parseJson(text: string): unknown {
  if (text.includes(NUL)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
