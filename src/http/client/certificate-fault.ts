// Why we do not accept the certificate of a server, by the code that Node gives the error.
import { hasCode } from '../../base/error-code.ts'

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
