// In TLS 1.3 a client may send as soon as it has sent its certificate. Only then does a server say that it refuses the
// certificate, or wanted one: before it reads anything that was sent behind it. In TLS 1.2 that is part of the handshake, and
// such an alert after it comes from a second one, for which the server has read the request.
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

const ALERT = /_ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)/

/** Asked when a connection is ready: one that has ended has no version any more. */
export function alertsBeforeReading(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.getProtocol() === 'TLSv1.3'
}

/** Of the first request on a connection of TLS 1.3: the server did not read it. */
export function refusesOurCertificate(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && ALERT.test(error.code)
}
