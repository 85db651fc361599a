// Creates Apple Pay tokens as a device would, with the test's own certificates. Tests can make each part of a token
// wrong.
import {
  createCipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { Integer, Null, ObjectIdentifier, OctetString, UTCTime, Utf8String } from 'asn1js'
import * as pkijs from 'pkijs'

const { subtle } = globalThis.crypto
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
export const LEAF_MARK = '1.2.840.113635.100.6.29'
export const INTERMEDIATE_MARK = '1.2.840.113635.100.6.2.14'

export type ChainWish = {
  readonly leafMark?: string
  readonly intermediateMark?: string
  readonly leafNotAfter?: Date
  readonly isCa?: boolean
}

export async function makeAppleChain(wish: ChainWish = {}) {
  const [rootKeys, intermediateKeys, leafKeys] = await Promise.all([makeKeys(), makeKeys(), makeKeys()])
  const names = { root: 'Test Root CA', intermediate: 'Test Intermediate CA', leaf: 'Test Leaf' }
  const { isCa = true, intermediateMark = INTERMEDIATE_MARK, leafMark = LEAF_MARK, leafNotAfter } = wish
  const root = await issue(names.root, rootKeys, { subject: names.root, keys: rootKeys, isCa: true })
  const intermediate = await issue(names.root, rootKeys, {
    subject: names.intermediate,
    keys: intermediateKeys,
    isCa,
    mark: intermediateMark,
  })
  const leaf = await issue(names.intermediate, intermediateKeys, {
    subject: names.leaf,
    keys: leafKeys,
    isCa: false,
    mark: leafMark,
    notAfter: leafNotAfter,
  })
  return { root: Buffer.from(root.toSchema().toBER()), intermediate, leaf, leafKey: leafKeys.privateKey }
}

export type AppleChain = Awaited<ReturnType<typeof makeAppleChain>>

type KeyPair = { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey }

function makeKeys(): Promise<KeyPair> {
  return subtle.generateKey(ECDSA, true, ['sign', 'verify'])
}

type Issue = {
  readonly subject: string
  readonly keys: KeyPair
  readonly isCa: boolean
  readonly mark?: string
  readonly notAfter?: Date | undefined
}

let serial = 1

async function issue(issuer: string, by: KeyPair, { subject, keys, isCa, mark, notAfter }: Issue) {
  const certificate = new pkijs.Certificate({ version: 2, serialNumber: new Integer({ value: serial++ }) })
  certificate.issuer.typesAndValues.push(commonName(issuer))
  certificate.subject.typesAndValues.push(commonName(subject))
  certificate.notBefore.value = new Date('2024-01-01')
  certificate.notAfter.value = notAfter ?? new Date('2034-01-01')
  const constraints = new pkijs.BasicConstraints({ cA: isCa }).toSchema().toBER()
  certificate.extensions = [
    new pkijs.Extension({ extnID: '2.5.29.19', critical: true, extnValue: constraints }),
    ...(mark === undefined ? [] : [new pkijs.Extension({ extnID: mark, extnValue: new Null().toBER() })]),
  ]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(by.privateKey, 'SHA-256')
  return certificate
}

function commonName(value: string): pkijs.AttributeTypeAndValue {
  return new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value }) })
}

export type AppleWish = {
  readonly merchantId?: string
  readonly signingTime?: Date
  /** The replacements for parts of the decrypted message. */
  readonly payment?: Readonly<Record<string, unknown>>
  readonly applicationData?: Buffer
  /** The bytes to embed in the signature, as if they had been signed. */
  readonly attached?: Buffer
}

export async function makeAppleToken(
  chain: AppleChain,
  ours: KeyObject,
  now: Date,
  wish: AppleWish = {},
): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const ephemeral = publicKey.export({ format: 'der', type: 'spki' })
  const shared = diffieHellman({ privateKey, publicKey: ours })
  const data = encrypt(JSON.stringify(paymentOf(wish)), shared, wish.merchantId ?? 'merchant.test.shop')
  const transactionId = randomBytes(32)
  const { applicationData = Buffer.alloc(0), signingTime = now } = wish
  const signed = Buffer.concat([ephemeral, data, transactionId, applicationData])
  const signature = await signCms(chain, wish.attached ?? signed, signingTime, wish.attached !== undefined)
  const spki = ours.export({ format: 'der', type: 'spki' })
  return JSON.stringify({
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: signature.toString('base64'),
    header: {
      ephemeralPublicKey: ephemeral.toString('base64'),
      publicKeyHash: createHash('sha256').update(spki).digest('base64'),
      transactionId: transactionId.toString('hex'),
      ...(wish.applicationData && { applicationData: applicationData.toString('hex') }),
    },
  })
}

function paymentOf({ payment }: AppleWish) {
  return {
    applicationPrimaryAccountNumber: '4242424242424242',
    applicationExpirationDate: '391231',
    currencyCode: '840',
    transactionAmount: 1250,
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eciIndicator: '7' },
    ...payment,
  }
}

function encrypt(plain: string, shared: Buffer, merchantId: string): Buffer {
  const info = Buffer.concat([
    Buffer.from('\x0did-aes256-GCM', 'latin1'),
    Buffer.from('Apple'),
    createHash('sha256').update(merchantId).digest(),
  ])
  const key = createHash('sha256')
    .update(Buffer.concat([Buffer.from('00000001', 'hex'), shared, info]))
    .digest()
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

async function signCms(chain: AppleChain, bytes: Buffer, at: Date, isAttached: boolean): Promise<Buffer> {
  const { leaf, intermediate } = chain
  const digest = new Uint8Array(createHash('sha256').update(bytes).digest())
  const attributes = [
    new pkijs.Attribute({ type: '1.2.840.113549.1.9.3', values: [new ObjectIdentifier({ value: DATA })] }),
    new pkijs.Attribute({ type: '1.2.840.113549.1.9.5', values: [new UTCTime({ valueDate: at })] }),
    new pkijs.Attribute({
      type: '1.2.840.113549.1.9.4',
      values: [new OctetString({ valueHex: digest.buffer })],
    }),
  ]
  const sid = new pkijs.IssuerAndSerialNumber({ issuer: leaf.issuer, serialNumber: leaf.serialNumber })
  const signedAttrs = new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes })
  const cms = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({
      eContentType: DATA,
      ...(isAttached && { eContent: new OctetString({ valueHex: new Uint8Array(bytes).buffer }) }),
    }),
    signerInfos: [new pkijs.SignerInfo({ version: 1, sid, signedAttrs })],
    certificates: [leaf, intermediate],
  })
  await cms.sign(chain.leafKey, 0, 'SHA-256', new Uint8Array(bytes).buffer)
  const info = new pkijs.ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: cms.toSchema(true) })
  return Buffer.from(info.toSchema().toBER())
}

const DATA = '1.2.840.113549.1.7.1'
