// In TLS 1.3 a client may send as soon as it has sent its certificate. Only then does a server say that it refuses the
// certificate, or wanted one: before it reads anything that was sent behind it.

const ALERT = /_ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)/

/** Of the first request on a connection: the server did not read it. */
export function refusesOurCertificate(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && ALERT.test(error.code)
}
