// The HTTP client for counterparties. Without a response, a channel must know one thing: whether the request may have
// arrived. Only a connection that was never made is `unsent`.
import http from 'node:http'
import https from 'node:https'

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export type HttpReply =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: http.IncomingHttpHeaders
      readonly text: string
    }
  | Unanswered

export type Unanswered =
  /** The counterparty certainly never saw the request. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The counterparty may have acted on the request. */
  | { readonly kind: 'silent'; readonly why: string }

export type HttpClient = (request: HttpRequest) => Promise<HttpReply>

const MAX_SOCKETS = 256
const MAX_RESPONSE_BYTES = 65_536
/** A chunked body may arrive byte by byte, and each piece costs a turn of the event loop. Networks deliver long ones like this. */
const MAX_PIECES = 4_096
const PIECE_BYTES = 1_024
const MAX_INTERIM = 8

export type HttpClientOptions = {
  /** Our certificate, and authorities beside the usual ones; in PEM. */
  readonly tls?: ClientTls
  /** A longer response is an error. */
  readonly maxResponseBytes?: number
  /** Requests go through it, except those to this machine. */
  readonly proxy?: string
}

const THIS_MACHINE = 'localhost,127.0.0.1,::1'

export type ClientTls = { readonly cert?: string; readonly key?: string; readonly ca?: string }

export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { tls, proxy, maxResponseBytes = MAX_RESPONSE_BYTES } = options
  const kept = {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    ...(proxy && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: THIS_MACHINE } }),
  }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent({ ...kept, ...tls }) }
  return async (request) => {
    const isPlain = request.url.protocol === 'http:'
    const [client, agent] = isPlain ? [http, agents['http:']] : [https, agents['https:']]
    const send = () => exchange(request, client, agent, maxResponseBytes)
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error
      if (!error.stale) return { kind: error.unsent ? 'unsent' : 'silent', why: error.message }
      // The server had closed the kept connection before the request was written: nobody saw it, so it is sent once more.
      return send().catch(asReply)
    }
  }
}

function asReply(error: unknown): HttpReply {
  if (!(error instanceof LostConnection)) throw error
  return { kind: error.unsent || error.stale ? 'unsent' : 'silent', why: error.message }
}

/** Its message goes to logs, so it never contains the request. */
class LostConnection extends Error {
  readonly unsent: boolean
  readonly stale: boolean
  constructor(error: Error, signal: AbortSignal, reused: boolean) {
    super(signal.aborted ? 'no response in time' : 'the connection broke')
    const syscall = syscallOf(error)
    this.unsent = syscall === 'connect' || syscall === 'getaddrinfo'
    // A failed write leaves the request incomplete, and no server acts on that.
    this.stale = reused && !signal.aborted && syscall === 'write'
  }
}

/** Node wraps the failures of several addresses in one error. */
function syscallOf(error: Error): unknown {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error
  return inner instanceof Error && 'syscall' in inner ? inner.syscall : undefined
}

function exchange(
  { method, url, headers, body = '', signal }: HttpRequest,
  client: typeof http | typeof https,
  agent: http.Agent,
  maxResponseBytes: number,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = client.request(url, { method, agent, headers: { ...headers, ...length }, signal })
    const lost = (error: Error) => reject(new LostConnection(error, signal, request.reusedSocket))
    request.on('error', lost)
    let interim = 0
    request.on('information', () => {
      if (++interim > MAX_INTERIM) request.destroy(new Error('too many interim responses'))
    })
    request.on('response', (response) => {
      readText(response, maxResponseBytes).then(
        (text) =>
          resolve({ kind: 'answer', status: response.statusCode ?? 0, headers: response.headers, text }),
        lost,
      )
    })
    request.end(body)
  })
}

async function readText(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const maxPieces = Math.max(MAX_PIECES, maxBytes / PIECE_BYTES)
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > maxBytes || chunks.length >= maxPieces) throw new Error('the response is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
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
