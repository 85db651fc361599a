// Requests to counterparties through a proxy, by Node's HTTP client, which opens the tunnel for https.
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { whyOf } from '../../base/why.ts'
import { alertsBeforeReading, refusesOurCertificate } from './certificate-alert.ts'
import type { ClientTls, HttpClient, HttpReply, HttpRequest } from './http-call.ts'
import { BY_PROXY, isUnreached, whyBroken } from './why-broken.ts'

const MAX_SOCKETS = 256
/** A chunked body may arrive byte by byte, and each piece costs a turn of the event loop. Networks deliver long ones like this. */
const MAX_PIECES = 4_096
const PIECE_BYTES = 1_024
const MAX_INTERIM = 8
const PROXY_REFUSES = 407
const THIS_MACHINE = 'localhost,127.0.0.1,::1'

export type ProxyClientOptions = {
  readonly tls: ClientTls | undefined
  readonly maxResponseBytes: number
  readonly proxy: string
}

export function proxyClient({ tls, maxResponseBytes, proxy }: ProxyClientOptions): HttpClient {
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

type TunnelOptions = http.ClientRequestArgs & { tunnelSignal?: AbortSignal | undefined }
type TunnelDone = (error: Error | null, stream: Duplex) => void

/** Node leaves the connection to the proxy open if the proxy refuses the tunnel, or if the request ends before it is there. */
class TunnelAgent extends https.Agent {
  override createConnection(options: TunnelOptions, done: TunnelDone): Duplex | null | undefined {
    const { tunnelSignal: signal } = options
    // Node uses the options again for a request that waits for the place of this one.
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
    // Not told for one that needs no tunnel: others may use it when this signal aborts.
    connection?.once('secureConnect', () => signal?.removeEventListener('abort', giveUp))
    if (signal?.aborted) process.nextTick(giveUp)
    return connection
  }
}

/** Its message goes to logs, so it never contains the request. */
class LostConnection extends Error {
  readonly unsent: boolean
  readonly stale: boolean
  constructor(error: Error, circumstances: Circumstances) {
    const { isLate, isReady, isReused, isUnwritten, isAnswered, isAlertedFirst } = circumstances
    const isOfProxy = circumstances.isByProxy && !isReady
    super(isLate ? 'no response in time' : isOfProxy ? whyNotByProxy(error) : whyBroken(error))
    const isFirst = !isReused && !isAnswered
    this.unsent = !isReady || (isFirst && isAlertedFirst && refusesOurCertificate(error))
    this.stale = isReused && !isLate && isUnwritten
  }
}

/** Before the connection is ready, the proxy is whom we speak to, except for TLS inside its tunnel. */
function whyNotByProxy(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ERR_PROXY_TUNNEL') return `${BY_PROXY} refused to connect to it`
  return isUnreached(code) ? `${BY_PROXY} cannot be reached: ${whyBroken(error)}` : whyBroken(error)
}

type Circumstances = {
  readonly isByProxy: boolean
  readonly isLate: boolean
  /** False: the connection was not open yet, so nothing of the request has left. */
  readonly isReady: boolean
  readonly isReused: boolean
  /** The write failed at once, so nothing of the request has left. */
  readonly isUnwritten: boolean
  /** A byte of a response has come. */
  readonly isAnswered: boolean
  /** An alert about our certificate comes before the request is read. */
  readonly isAlertedFirst: boolean
}

function exchange(
  { method, url, headers, body = '', signal }: HttpRequest,
  client: typeof http | typeof https,
  agent: http.Agent,
  maxResponseBytes: number,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method, agent, headers: { ...headers, ...length }, tunnelSignal: signal }
    const request = requestOf(() => client.request(url, options))
    if (typeof request === 'string') {
      resolve({ kind: 'unsent', why: request })
      return
    }
    let [isReady, isUnwritten, isAlertedFirst] = [false, false, false]
    // Not by Node's events, which come with a whole head.
    let isAnswered = () => false
    const lost = (error: Error) => {
      signal.removeEventListener('abort', giveUp)
      const { reusedSocket: isReused } = request
      const circumstances = {
        isByProxy: !THIS_MACHINE.split(',').includes(url.hostname.replace(/[[\]]/g, '')),
        isLate: signal.aborted,
        isReady,
        isReused,
        isUnwritten,
        isAnswered: isAnswered(),
        isAlertedFirst,
      }
      reject(new LostConnection(error, circumstances))
    }
    // Node tells a request of its end only once it has a connection, for which it may have to wait.
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
      // Node writes the request right after this event.
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
        // The request named its whole address, so this is from the proxy, which passed nothing on. A counterparty's own 407 has no
        // such header, which is for the next hop only.
        const isOfProxy = request.path.startsWith('http://') && headers['proxy-authenticate'] !== undefined
        if (status === PROXY_REFUSES && isOfProxy)
          resolve({ kind: 'unsent', why: `${BY_PROXY} did not accept our credentials` })
        else resolve({ kind: 'answer', status, headers, text })
      }, lost)
    })
    request.end(body)
  })
}

/** Why not, if it cannot be written: then nothing of it leaves. */
function requestOf(make: () => http.ClientRequest): http.ClientRequest | string {
  try {
    return make()
  } catch (error) {
    return whyOf(error)
  }
}

/** A kept connection is ready at once. For https this is that to the counterparty, inside the proxy's tunnel. */
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
