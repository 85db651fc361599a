// What an operator reads about a connection to a counterparty that was not made, or ended: each cause has its own remedy.
import { refusesOurCertificate } from './certificate-alert.ts'
import { certificateFault, certificateFaults } from './certificate-fault.ts'

const EXPIRED_ALERT = /_ALERT_CERTIFICATE_EXPIRED/

const NO_WAY = 'no network leads to its address'
const NO_TLS = 'TLS failed: perhaps it speaks none at this port'

/** So begins what is the proxy's fault, and not the counterparty's. */
export const BY_PROXY = 'the proxy'

/** By the code that Node gives the error. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'no name server answers',
  // The first if something waits to be written, as a request does.
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
}

/** Nobody was there at all. */
export function isUnreached(code: string): boolean {
  return code in causes && causes[code] !== NO_TLS
}

export function whyBroken(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (refusesOurCertificate(error))
    return EXPIRED_ALERT.test(code)
      ? 'the counterparty says that our certificate has expired'
      : 'the counterparty refused our certificate'
  const fault = certificateFault(error)
  if (fault === 'untrusted') return `${certificateFaults[fault]}; "ca" may name its own`
  if (fault === 'expired')
    return `${certificateFaults[fault]}: the counterparty must renew it, if the clock here is right`
  return fault === undefined ? (causes[code] ?? 'the connection broke') : certificateFaults[fault]
}
