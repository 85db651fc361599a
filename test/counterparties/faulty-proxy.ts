// A proxy between an adapter and its counterparty that loses requests, loses responses or changes them, over real HTTP
// on loopback. So no counterparty needs test values for faults.
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'

export type ProxyAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type ProxyRequest = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: http.IncomingHttpHeaders
}

/**
 * A fault of the connection. `forward` passes the request on. The caller gets the answer, waits in vain, or loses the
 * connection.
 */
export type Fault = (
  forward: () => Promise<ProxyAnswer>,
  request: ProxyRequest,
) => Promise<ProxyAnswer | 'silence' | 'break'>

/** A fault in which the request does not arrive, and the caller waits until it gives up. */
export const loseRequest: Fault = async () => 'silence'

/**
 * A fault in which the counterparty acts on the request, and the connection breaks before the caller gets the response.
 */
export const loseAnswer: Fault = async (forward) => {
  await forward()
  return 'break'
}

/** Makes a fault in which the request does not arrive, and an intermediary responds. */
export function respond(status: number, body = '<html>gateway error</html>'): Fault {
  return async () => ({ status, headers: { 'content-type': 'text/html' }, body })
}

/** Makes a fault in which the counterparty acts on the request, and its response is changed. */
export function change(alter: (answer: ProxyAnswer) => ProxyAnswer): Fault {
  return async (forward) => alter(await forward())
}

export type FaultyProxy = {
  /** The counterparty's address through the proxy, with the same path. */
  readonly url: string
  /** Sets the fault of later requests whose path matches. With an undefined fault, all requests pass. */
  meet(fault: Fault | undefined, matches?: (path: string) => boolean): void
  /** Returns the serial numbers of the callers' certificates, one for each request. */
  certificates(): readonly string[]
  close(): Promise<void>
}

/** Opens a proxy. With `tls`, the proxy is reached by https, as localhost. */
export async function openFaultyProxy(target: string, tls?: https.ServerOptions): Promise<FaultyProxy> {
  const origin = new URL(target)
  let fault: Fault | undefined
  let isMeant: (path: string) => boolean = () => true
  const certificates: string[] = []
  const serve: http.RequestListener = async (request, response) => {
    if (request.socket instanceof TLSSocket)
      certificates.push(request.socket.getPeerCertificate().serialNumber)
    const body = await buffer(request)
    const forward = () => pass(origin, request, body)
    const path = request.url ?? '/'
    const isFaulty = fault !== undefined && isMeant(path)
    const met = { method: request.method ?? 'GET', path, body: String(body), headers: request.headers }
    const answering = isFaulty && fault !== undefined ? fault(forward, met) : forward()
    const answer = await answering.catch(() => 'break' as const)
    if (answer === 'silence') return
    if (answer === 'break') return void response.destroy()
    const { 'transfer-encoding': _chunked, 'content-length': _length, ...headers } = answer.headers
    response.writeHead(answer.status, headers).end(answer.body)
  }
  const server = tls === undefined ? http.createServer(serve) : https.createServer(tls, serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return {
    url: `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${address.port}${origin.pathname.replace(/\/$/, '')}`,
    meet(next, matches = () => true) {
      fault = next
      isMeant = matches
    },
    certificates: () => certificates,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function pass(origin: URL, request: http.IncomingMessage, body: Buffer): Promise<ProxyAnswer> {
  const url = new URL(request.url ?? '/', origin)
  const headers = { ...request.headers, host: origin.host }
  const sent = http.request(url, { method: request.method ?? 'GET', headers, agent: false })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, body: String(await buffer(response)) }
}
