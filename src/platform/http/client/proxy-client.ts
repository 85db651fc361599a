// Sends requests through a proxy with Node's HTTP client, which opens the tunnel for https.
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { whyOf } from '../../base/thrown.ts'
import {
  alertsBeforeReading,
  BY_PROXY,
  isUnreached,
  refusesOurCertificate,
  whyBroken,
} from './connection-faults.ts'
import type { ClientTls, HttpClient, HttpReply, HttpRequest } from './http-call.ts'

const MAX_SOCKETS = 256
/**
 * The maximum number of pieces of a response, because each piece costs a turn of the event loop. If longer responses
 * are allowed, the maximum is one piece for every `PIECE_BYTES` bytes.
 */
const MAX_PIECES = 4_096
const PIECE_BYTES = 1_024
const MAX_INTERIM = 8
const PROXY_REFUSES = 407
const THIS_MACHINE = 'localhost,127.0.0.1,::1'

export function proxyClient(tls: ClientTls | undefined, maxResponseBytes: number, proxy: string): HttpClient {
  const kept = {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: THIS_MACHINE },
  }
  const agents = { 'http:': new http.Agent(kept), 'https:': new TunnelAgent({ ...kept, ...tls }) }
  return async (request) => {
    const isPlain = request.url.protocol === 'http:'
    const [client, agent] = isPlain ? [http, agents['http:']] : [https, agents['https:']]
    const send = () => exchange(request, client, agent, maxResponseBytes)
    const first = await send()
    if (first.kind !== 'stale') return first
    const second = await send()
    return second.kind === 'stale' ? { kind: 'unsent', why: second.why } : second
  }
}

/**
 * The result of one attempt. `stale`: the server had closed the reused connection before the request was written, so
 * nobody saw the request.
 */
type Attempt = HttpReply | { readonly kind: 'stale'; readonly why: string }

type TunnelOptions = http.ClientRequestArgs & { tunnelSignal?: AbortSignal | undefined }
type TunnelDone = (error: Error | null, stream: Duplex) => void

/**
 * Closes the connection to the proxy if the proxy refuses the tunnel, or if the request ends before the tunnel is open.
 * Node would leave the connection open.
 */
class TunnelAgent extends https.Agent {
  override createConnection(options: TunnelOptions, done: TunnelDone): Duplex | null | undefined {
    const { tunnelSignal: signal } = options
    // Node may use this object again for another request that waits for a connection. The signal is not for that
    // request.
    options.tunnelSignal = undefined
    const finish: TunnelDone = (error, stream) => {
      signal?.removeEventListener('abort', giveUp)
      if (error) connection?.destroy()
      done(error, stream)
    }
    const giveUp = () => {
      if (connection) finish(new Error('the request is over'), connection)
    }
    const connection = super.createConnection(options, finish)
    signal?.addEventListener('abort', giveUp, { once: true })
    // If no tunnel is needed, Node does not call `finish`, so the listener is removed here. Otherwise this signal could
    // close the connection while another request uses it.
    connection?.once('secureConnect', () => signal?.removeEventListener('abort', giveUp))
    if (signal?.aborted) process.nextTick(giveUp)
    return connection
  }
}

/**
 * Returns why the connection failed before it was ready. Until a connection is ready, we speak only to the proxy,
 * except for the TLS handshake inside the proxy's tunnel.
 */
function whyNotByProxy(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ERR_PROXY_TUNNEL') return `${BY_PROXY} refused to connect to it`
  return isUnreached(code) ? `${BY_PROXY} cannot be reached: ${whyBroken(error)}` : whyBroken(error)
}

function exchange(
  { method, url, headers, body = '', signal }: HttpRequest,
  client: typeof http | typeof https,
  agent: http.Agent,
  maxResponseBytes: number,
): Promise<Attempt> {
  return new Promise((resolve) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method, agent, headers: { ...headers, ...length }, tunnelSignal: signal }
    const request = requestOf(() => client.request(url, options))
    if (typeof request === 'string') {
      resolve({ kind: 'unsent', why: request })
      return
    }
    // No byte of the request is sent before the connection is ready, or if the write fails immediately. An alert about
    // our certificate may come before the server reads the request.
    let [isReady, isUnwritten, isAlertedFirst] = [false, false, false]
    // Node emits an event only for a complete head, but the number of received bytes shows whether a response began.
    let isAnswered = () => false
    const lost = (error: Error) => {
      signal.removeEventListener('abort', giveUp)
      const isLate = signal.aborted
      const isByProxy = !THIS_MACHINE.split(',').includes(url.hostname.replace(/[[\]]/g, ''))
      const isFirst = !request.reusedSocket && !isAnswered()
      const isUnsent = !isReady || (isFirst && isAlertedFirst && refusesOurCertificate(error))
      const isStale = request.reusedSocket && !isLate && isUnwritten
      // The reason is written to logs, so it never contains the request.
      const why = isByProxy && !isReady ? whyNotByProxy(error) : whyBroken(error)
      const kind = isStale ? 'stale' : isUnsent ? 'unsent' : 'silent'
      resolve({ kind, why: isLate ? 'no response in time' : why })
    }
    // Node reports nothing if a request is destroyed that still waits for a connection, so `lost` is called here.
    const giveUp = () => {
      request.destroy()
      lost(new Error('no response in time'))
    }
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    request.on('error', lost)
    request.on('socket', (socket) => {
      const readBefore = socket.bytesRead
      isAnswered = () => socket.bytesRead > readBefore
      whenReady(socket, client === https, () => {
        isReady = true
        isAlertedFirst = alertsBeforeReading(socket)
      })
      // Node writes the request right after this event. If that write fails immediately, the socket has an error in the
      // next tick.
      process.nextTick(() => {
        isUnwritten = socket.errored !== null
      })
    })
    let interim = 0
    request.on('information', () => {
      if (++interim > MAX_INTERIM) request.destroy(new Error('too many interim responses'))
    })
    request.on('response', (response) => {
      readText(response, maxResponseBytes).then((text) => {
        signal.removeEventListener('abort', giveUp)
        const { statusCode: status = 0, headers } = response
        // A request with an absolute URL goes to the proxy itself, and `proxy-authenticate` is for the next hop only.
        // Therefore this response 407 is from the proxy, which forwarded nothing.
        const isOfProxy = request.path.startsWith('http://') && headers['proxy-authenticate'] !== undefined
        if (status === PROXY_REFUSES && isOfProxy)
          resolve({ kind: 'unsent', why: `${BY_PROXY} did not accept our credentials` })
        else resolve({ kind: 'answer', status, headers, text })
      }, lost)
    })
    request.end(body)
  })
}

/** Creates the request. If creating it fails, returns the reason. No byte of the request was then sent. */
function requestOf(make: () => http.ClientRequest): http.ClientRequest | string {
  try {
    return make()
  } catch (error) {
    return whyOf(error)
  }
}

/**
 * Calls back when the connection is ready. A reused connection is ready at once, and an https connection after the TLS
 * handshake inside the proxy's tunnel.
 */
function whenReady(socket: Socket, isTls: boolean, ready: () => void): void {
  const isOpening = isTls ? isInHandshake(socket) : socket.connecting
  if (isOpening) socket.once(isTls ? 'secureConnect' : 'connect', ready)
  else ready()
}

function isInHandshake(socket: Socket): boolean {
  return 'secureConnecting' in socket && socket.secureConnecting === true
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
