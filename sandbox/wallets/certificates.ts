// The sandbox's Apple certificates: root, intermediate and leaf, with Apple's extensions.
import { randomBytes, sign } from 'node:crypto'
import { BitString, Integer, Null, Utf8String } from 'asn1js'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  PublicKeyInfo,
} from 'pkijs'
import { bufferOf, privateKeyIn, spkiOf } from './keys.ts'

export const ECDSA_SHA256 = '1.2.840.10045.4.3.2'
const LEAF_MARK = '1.2.840.113635.100.6.29'
const INTERMEDIATE_MARK = '1.2.840.113635.100.6.2.14'
const COMMON_NAME = '2.5.4.3'
const BASIC_CONSTRAINTS = '2.5.29.19'

export type AppleKeys = {
  readonly root: string
  readonly intermediate: string
  readonly leaf: string
  readonly merchant: string
}

export type Chain = {
  readonly root: Certificate
  readonly intermediate: Certificate
  readonly leaf: Certificate
}

/**
 * Creates the chain, at each start, from stored keys. The root is in the gateway's settings, and the other certificates
 * are in each token.
 */
export function makeChain(keys: AppleKeys): Chain {
  const names = { root: 'Sandbox Root CA', intermediate: 'Sandbox Wallet CA', leaf: 'Sandbox Wallet' }
  const root = make({ name: names.root, issuer: names.root, key: keys.root, by: keys.root, isCa: true })
  const intermediate = make({
    name: names.intermediate,
    issuer: names.root,
    key: keys.intermediate,
    by: keys.root,
    isCa: true,
    mark: INTERMEDIATE_MARK,
  })
  const { leaf: name, intermediate: issuer } = names
  const leaf = make({ name, issuer, key: keys.leaf, by: keys.intermediate, isCa: false, mark: LEAF_MARK })
  return { root, intermediate, leaf }
}

type CertificateOptions = {
  readonly name: string
  readonly issuer: string
  readonly key: string
  readonly by: string
  readonly isCa: boolean
  readonly mark?: string
}

function make({ name, issuer, key, by, isCa, mark }: CertificateOptions): Certificate {
  const algorithm = new AlgorithmIdentifier({ algorithmId: ECDSA_SHA256 })
  const serial = randomBytes(16)
  // A leading 1 bit would make the serial number negative, and leading zeros would make it too short.
  serial[0] = 1
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: bufferOf(serial) }),
    signature: algorithm,
    signatureAlgorithm: algorithm,
    subjectPublicKeyInfo: PublicKeyInfo.fromBER(bufferOf(spkiOf(key))),
    extensions: extensionsOf(isCa, mark),
  })
  certificate.issuer.typesAndValues.push(commonName(issuer))
  certificate.subject.typesAndValues.push(commonName(name))
  certificate.notBefore.value = new Date(Date.UTC(2020, 0))
  certificate.notAfter.value = new Date(Date.UTC(2049, 0))
  const signed = certificate.encodeTBS()
  certificate.tbsView = new Uint8Array(signed.toBER())
  const signature = sign('sha256', certificate.tbsView, privateKeyIn(by))
  certificate.signatureValue = new BitString({ valueHex: bufferOf(signature) })
  return certificate
}

function extensionsOf(isCa: boolean, mark: string | undefined): Extension[] {
  const constraints = new BasicConstraints({ cA: isCa }).toSchema().toBER()
  const basic = new Extension({ extnID: BASIC_CONSTRAINTS, critical: true, extnValue: constraints })
  if (mark === undefined) return [basic]
  return [basic, new Extension({ extnID: mark, extnValue: new Null().toBER() })]
}

function commonName(value: string): AttributeTypeAndValue {
  return new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value }) })
}

export function derOf(certificate: Certificate): Buffer {
  return Buffer.from(certificate.toSchema(true).toBER())
}
