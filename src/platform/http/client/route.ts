// The route to an origin: a connection to its host, a connection to a proxy that forwards plain requests, or TLS inside
// a proxy's tunnel. Certificates are always verified.
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls'
import type { HttpProxy } from './request-head.ts'

type OnRead = { readonly buffer: Buffer; readonly callback: (bytes: number, buffer: Uint8Array) => boolean }

export type Route = {
  /** Opens the connection to the host or to the proxy. A plain connection reads into the buffer of `onread`. */
  readonly connect: (onread?: OnRead) => Socket
  /** The event after which the connection can be written to. */
  readonly ready: 'connect' | 'secureConnect'
  /** True if the connection leads to a proxy. */
  readonly isProxied?: boolean
  /** The proxy that reads and forwards each request. */
  readonly forwarder?: HttpProxy
  /** The tunnel that the proxy must open before the first request. */
  readonly tunnel?: Tunnel
}

export type Tunnel = {
  /** The request to the proxy that opens the tunnel. */
  readonly request: string
  /** Starts the TLS handshake with the host inside the tunnel. */
  readonly secure: (tunnel: Socket) => TLSSocket
}

export type ClientTls = { readonly cert?: string; readonly key?: string; readonly ca?: string }

export type RouteOptions = {
  /** Resolves names. Not called for IP addresses. */
  readonly lookup: LookupFunction
  /** Our certificate, and the authorities that may sign the certificate of the host. */
  readonly tls?: ClientTls | undefined
  readonly proxy?: HttpProxy | undefined
}

/** The hosts that are reached without the proxy. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

export function routeOf(url: URL, { lookup, tls, proxy }: RouteOptions): Route {
  if (proxy === undefined || THIS_MACHINE.includes(url.hostname)) return connectionTo(url, lookup, tls)
  // The settings of TLS are about the host: the proxy gets no certificate of ours, and needs one of a public authority.
  if (url.protocol === 'http:')
    return { ...connectionTo(proxy.url, lookup), isProxied: true, forwarder: proxy }
  const { connect, ready } = connectionTo(proxy.url, lookup)
  const authority = `${url.hostname}:${portOf(url)}`
  const request = `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${proxy.authorization}\r\n`
  const secureContext = createSecureContext(tls)
  const secure = (socket: Socket) =>
    connectTls({ socket, ...identityOf(url), secureContext, rejectUnauthorized: true })
  return { connect, ready, isProxied: true, tunnel: { request, secure } }
}

function connectionTo(url: URL, lookup: LookupFunction, tls?: ClientTls): Route {
  const options = { ...identityOf(url), port: portOf(url), noDelay: true, lookup }
  if (url.protocol === 'http:')
    return { connect: (onread) => connectPlain({ ...options, ...(onread && { onread }) }), ready: 'connect' }
  const connect = () => connectTls({ ...options, ...tls, rejectUnauthorized: true })
  return { connect, ready: 'secureConnect' }
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** Returns the host, and its name if it is a name. The host's certificate must be for this host. */
function identityOf({ hostname }: URL): { readonly host: string; readonly servername?: string } {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? { host, servername: host } : { host }
}
