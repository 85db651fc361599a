// The texts that an operator reads about a failed connection to a counterparty. There is one text per cause, because
// each cause has its own remedy.

import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { hasCode } from '../../base/thrown.ts'

const EXPIRED_ALERT = /_ALERT_CERTIFICATE_EXPIRED/

const NO_WAY = 'there is no route to its address'
const NO_TLS = 'TLS failed: perhaps the port does not use TLS'

/** The beginning of each text that blames the proxy. Other texts blame the counterparty. */
export const BY_PROXY = 'the proxy'

/** A fault of the proxy, which forwarded nothing of the request. */
export class ProxyFault extends Error {
  constructor(
    what: 'did not accept our credentials' | 'refused to connect to it' | `cannot be reached: ${string}`,
  ) {
    super(`${BY_PROXY} ${what}`)
  }
}

/** The texts by Node's error code. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  ENOTFOUND: 'its host name cannot be resolved',
  EAI_AGAIN: 'no DNS server answers',
  // If TLS fails while bytes of a request wait to be written, Node reports EPROTO. Otherwise Node reports the code in
  // the next line.
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
}

/** Returns the cause of a failed connection in words. Undefined for an error with any other cause. */
export function causeOf(error: Error): string | undefined {
  return 'code' in error ? causes[String(error.code)] : undefined
}

export function whyBroken(error: Error): string {
  if (error instanceof ProxyFault) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (refusesOurCertificate(error))
    return EXPIRED_ALERT.test(code)
      ? 'the counterparty says that our certificate has expired'
      : 'the counterparty refused our certificate'
  const fault = certificateFault(error)
  if (fault === 'untrusted') return `${certificateFaults[fault]}; "ca" may name its own`
  if (fault === 'expired')
    return `${certificateFaults[fault]}: the counterparty must renew it, if the clock here is right`
  return fault === undefined ? (causeOf(error) ?? 'the connection broke') : certificateFaults[fault]
}

// The reasons why we do not accept a server's certificate, with Node's error codes.

export type CertificateFault = 'expired' | 'early' | 'foreign' | 'untrusted'

const codes: Readonly<Record<CertificateFault, readonly string[]>> = {
  expired: ['CERT_HAS_EXPIRED'],
  early: ['CERT_NOT_YET_VALID'],
  foreign: ['ERR_TLS_CERT_ALTNAME_INVALID'],
  untrusted: [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
}

export const certificateFaults: Readonly<Record<CertificateFault, string>> = {
  expired: 'its certificate has expired',
  early: 'its certificate is not valid yet',
  foreign: 'its certificate is for another host',
  untrusted: 'no authority that is trusted here has signed its certificate',
}

export function certificateFault(error: unknown): CertificateFault | undefined {
  return (['expired', 'early', 'foreign', 'untrusted'] as const).find((one) => hasCode(error, ...codes[one]))
}

// Alerts of a server about our certificate. A TLS 1.3 client may send data as soon as it has sent its certificate. If
// the server refuses the certificate, or requires a certificate and gets none, the server sends an alert before it
// reads the data. In TLS 1.2 this alert is part of the handshake. A later alert comes from a renegotiation, which the
// server starts after it has read the request.

const ALERT = /_ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)/

/**
 * True if the server checks our certificate before it reads the first request. The caller must ask while the connection
 * is open: a closed connection has no TLS version.
 */
export function alertsBeforeReading(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.getProtocol() === 'TLSv1.3'
}

/** True if the server refuses our certificate. A TLS 1.3 server does so before it reads the first request. */
export function refusesOurCertificate(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && ALERT.test(error.code)
}
