// The two ways to a counterparty (the card issuer, the payout bank): over HTTP, and inside this process. Both tell the one thing that the channel must
// know when no answer comes: whether the request may have arrived. Only a connection that was never made is `unsent`.
import http from 'node:http'
import https from 'node:https'
import { type Clock, systemClock } from '../../base/clock.ts'
import { signatureHeader, signRequest, timestampHeader } from './issuer-signature.ts'

export type IssuerOperation = 'authorise' | 'complete' | 'lookup' | 'void' | 'refund' | 'chargebacks'

export type IssuerReply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** Certain: the issuer never saw the request. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The issuer may have acted on it. */
  | { readonly kind: 'silent'; readonly why: string }

export type Transport<Operation extends string> = (
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<IssuerReply>

export type IssuerTransport = Transport<IssuerOperation>

/** An issuer in this process; undefined is the answer that never comes. */
export type LocalIssuer = {
  handle(
    request: { readonly operation: string; readonly body: unknown },
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: unknown } | undefined>
}

export function inProcessTransport<Operation extends string>(issuer: LocalIssuer): Transport<Operation> {
  return async (operation, body, signal) => {
    try {
      const answer = await issuer.handle({ operation, body }, signal)
      return answer === undefined
        ? { kind: 'silent', why: 'no answer in time' }
        : { kind: 'answer', ...answer }
    } catch {
      // Over HTTP this would be a 500: whether it was booked before it broke is not known.
      return { kind: 'silent', why: 'the issuer broke down' }
    }
  }
}

export type HttpTransportOptions = {
  readonly url: string
  readonly secret: string
  readonly clock?: Clock
}

const MAX_SOCKETS = 256
const MAX_ANSWER_BYTES = 65_536

export function httpTransport<Operation extends string>(options: HttpTransportOptions): Transport<Operation> {
  const client = options.url.startsWith('https:') ? https : http
  const agent = new client.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  return async (operation, body, signal) => {
    const text = JSON.stringify(body)
    const url = new URL(`${options.url}/v1/${operation}`)
    const send = () => post({ client, agent, url, text, signal, headers: headers(options, url, text) })
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error
      if (!error.stale) return { kind: error.unsent ? 'unsent' : 'silent', why: error.message }
      // The issuer had closed the kept connection just then. Every operation may be repeated, so it is, once; but
      // from here on the first one may have arrived.
      return send().catch((again: Error) => ({ kind: 'silent', why: again.message }))
    }
  }
}

function headers(options: HttpTransportOptions, url: URL, body: string): Record<string, string> {
  const { clock = systemClock } = options
  const timestamp = String(Math.floor(clock.now().getTime() / 1000))
  const parts = { method: 'POST', path: url.pathname, timestamp, body }
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    [timestampHeader]: timestamp,
    [signatureHeader]: signRequest(options.secret, parts),
  }
}

/** Never carries the request: its message goes to logs. */
class LostConnection extends Error {
  readonly unsent: boolean
  readonly stale: boolean
  constructor(error: Error, signal: AbortSignal, reused: boolean) {
    super(signal.aborted ? 'no answer in time' : 'the connection broke')
    const syscall = syscallOf(error)
    this.unsent = syscall === 'connect' || syscall === 'getaddrinfo'
    this.stale = reused && !signal.aborted
  }
}

/** Several addresses tried in vain come as one error around theirs. */
function syscallOf(error: Error): unknown {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error
  return inner instanceof Error && 'syscall' in inner ? inner.syscall : undefined
}

type Post = {
  readonly client: typeof http | typeof https
  readonly agent: http.Agent
  readonly url: URL
  readonly headers: Record<string, string>
  readonly text: string
  readonly signal: AbortSignal
}

function post({ client, agent, url, headers, text, signal }: Post): Promise<IssuerReply> {
  return new Promise((resolve, reject) => {
    const request = client.request(url, { method: 'POST', agent, headers, signal })
    const lost = (error: Error) => reject(new LostConnection(error, signal, request.reusedSocket))
    request.on('error', lost)
    request.on('response', (response) => {
      readAnswer(response).then(
        (body) => resolve({ kind: 'answer', status: response.statusCode ?? 0, body }),
        lost,
      )
    })
    request.end(text)
  })
}

/** Undefined when it is not JSON: the channel then knows nothing, which is not the same as a refusal. */
async function readAnswer(response: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
