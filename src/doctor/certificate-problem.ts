// A gateway whose certificate is not accepted runs, and nobody can use it: to start it again would not help.
import {
  type CertificateFault,
  certificateFault,
  certificateFaults,
} from '../http/client/certificate-fault.ts'

const remedies: Readonly<Record<CertificateFault, string>> = {
  expired: 'renew the certificate at the proxy, and let the proxy load it',
  early: 'synchronise the clock of this machine by NTP, or replace the certificate at the proxy',
  foreign: 'give the proxy a certificate for the host of TOLLGATE_BASE_URL, or correct the setting',
  untrusted:
    'let the proxy send its certificate with the whole chain; for an authority of your own, set NODE_EXTRA_CA_CERTS to its file',
}

/** What is wrong with the certificate of our public address, if that made fetch fail. */
export function certificateProblem(
  error: unknown,
): { readonly found: string; readonly todo: string } | undefined {
  const fault = error instanceof Error ? certificateFault(error.cause) : undefined
  return fault && { found: certificateFaults[fault], todo: remedies[fault] }
}
