// Verifies the signature of an Apple Pay token: a detached CMS signature by a leaf certificate. The root certificate
// comes from the settings. The leaf and an intermediate certificate come from the token. Both must have Apple's
// extensions for this purpose, the root must have issued the intermediate, and the intermediate the leaf.
import { X509Certificate } from 'node:crypto'
import { Constructed, GeneralizedTime, Sequence, UTCTime } from 'asn1js'
import { Certificate, ContentInfo, SignedData, type SignerInfo } from 'pkijs'
import { BadToken } from '../../toolkit/wallet-token.ts'

export const LEAF_MARK = '1.2.840.113635.100.6.29'
export const INTERMEDIATE_MARK = '1.2.840.113635.100.6.2.14'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const SIGNING_TIME = '1.2.840.113549.1.9.5'
const SHA256 = '2.16.840.1.101.3.4.2.1'
const MAX_AGE_MS = 300_000
const MAX_CERTIFICATES = 6

/** Throws if Apple did not sign these bytes, or if the signing time is more than MAX_AGE_MS away from `now`. */
export async function checkSignature(
  signature: Buffer,
  signed: Buffer,
  root: X509Certificate,
  now: Date,
): Promise<void> {
  const { cms, signer, certificates } = readCms(signature)
  const result = await cms.verify({
    signer: 0,
    data: bufferOf(signed),
    checkChain: false,
    extendedMode: true,
  })
  const leaf = certificates.find(({ parsed }) => parsed === result.signerCertificate)
  if (result.signatureVerified !== true || !leaf) throw new BadToken('The Apple Pay token is not valid')
  checkChain(leaf, certificates, root, now)
  checkAge(signer, now)
}

/** A certificate in the token: `x509` has the original bytes, which the issuer signed; `parsed` has the extensions. */
type Candidate = { readonly parsed: Certificate; readonly x509: X509Certificate }

function readCms(signature: Buffer): { cms: SignedData; signer: SignerInfo; certificates: Candidate[] } {
  const info = ContentInfo.fromBER(bufferOf(signature))
  if (info.contentType !== SIGNED_DATA) throw new Error('not signed data')
  const cms = new SignedData({ schema: info.content })
  // If the signature had embedded content, the library would verify that content instead of the token's bytes.
  if (cms.encapContentInfo.eContent !== undefined) throw new Error('the signature is not detached')
  const [signer, ...others] = cms.signerInfos
  if (signer === undefined || others.length > 0) throw new Error('not exactly one signer')
  // Signed attributes are required, because the signing time is one of them.
  if (signer.signedAttrs === undefined || signer.digestAlgorithm.algorithmId !== SHA256)
    throw new Error('unsupported signature')
  return { cms, signer, certificates: candidatesIn(cms, info.content) }
}

function candidatesIn(cms: SignedData, content: unknown): Candidate[] {
  const { certificates = [] } = cms
  const raw = rawCertificates(content)
  if (raw.length !== certificates.length || raw.length > MAX_CERTIFICATES) throw new Error('no certificates')
  return certificates.flatMap((parsed, at) =>
    parsed instanceof Certificate ? { parsed, x509: new X509Certificate(raw[at] ?? Buffer.alloc(0)) } : [],
  )
}

const CONTEXT_SPECIFIC = 3

/**
 * Returns the original bytes of the certificates. The issuers signed these bytes, and the library would re-encode them.
 */
function rawCertificates(content: unknown): Buffer[] {
  const parts = content instanceof Sequence ? content.valueBlock.value : []
  const set = parts.find(({ idBlock }) => idBlock.tagClass === CONTEXT_SPECIFIC && idBlock.tagNumber === 0)
  const list = set instanceof Constructed ? set.valueBlock.value : []
  return list.map((certificate) => Buffer.from(certificate.valueBeforeDecodeView))
}

function checkChain(
  leaf: Candidate,
  candidates: readonly Candidate[],
  root: X509Certificate,
  now: Date,
): void {
  const isChain = (intermediate: Candidate) =>
    hasMark(intermediate, INTERMEDIATE_MARK) &&
    isIssuedBy(leaf.x509, intermediate.x509) &&
    isIssuedBy(intermediate.x509, root) &&
    [leaf.x509, intermediate.x509, root].every((certificate) => isValidAt(certificate, now))
  if (!hasMark(leaf, LEAF_MARK) || !candidates.some(isChain))
    throw new BadToken('The Apple Pay token is not signed by Apple')
}

function hasMark({ parsed }: Candidate, mark: string): boolean {
  return parsed.extensions?.some(({ extnID }) => extnID === mark) === true
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValidAt(certificate: X509Certificate, now: Date): boolean {
  return certificate.validFromDate <= now && now <= certificate.validToDate
}

/** Throws if the signing time is more than MAX_AGE_MS before or after `now`, because an old token may be a replay. */
function checkAge(signer: SignerInfo, now: Date): void {
  const attribute = signer.signedAttrs?.attributes.find(({ type }) => type === SIGNING_TIME)
  const value: unknown = attribute?.values[0]
  // In the library, GeneralizedTime extends UTCTime, so `toDate` exists for both formats of a signing time.
  if (!(value instanceof UTCTime || value instanceof GeneralizedTime)) throw new Error('no signing time')
  const ageMs = Math.abs(now.getTime() - value.toDate().getTime())
  if (!(ageMs <= MAX_AGE_MS)) throw new BadToken('The Apple Pay token has expired')
}

/** Copies the bytes to a new ArrayBuffer. Node's buffers may share one ArrayBuffer, and the library reads all of it. */
function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
