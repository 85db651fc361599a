// Creates Apple Pay tokens (EC_v1) for one merchant and its public key, signed by the leaf certificate.
import {
  createCipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { ObjectIdentifier, OctetString, UTCTime } from 'asn1js'
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'
import { currencyNumber } from '../../src/platform/base/currency.ts'
import { type AppleKeys, type Chain, ECDSA_SHA256 } from './certificates.ts'
import { deviceCard, makeCryptogram } from './device-card.ts'
import { bufferOf, privateKeyIn, publicKeyOf, spkiOf } from './keys.ts'

export const merchantId = 'merchant.tollgate.sandbox'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const DATA = '1.2.840.113549.1.7.1'
const SHA256 = '2.16.840.1.101.3.4.2.1'
const attributeTypes = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
}

export type ApplePayment = { readonly amount: string; readonly currency: string }

export function mintAppleToken(keys: AppleKeys, chain: Chain, payment: ApplePayment, now: Date): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const ephemeral = publicKey.export({ format: 'der', type: 'spki' })
  const shared = diffieHellman({ privateKey, publicKey: publicKeyOf(keys.merchant) })
  const data = encrypt(messageFor(payment), shared)
  const transactionId = randomBytes(32)
  const signature = signCms(Buffer.concat([ephemeral, data, transactionId]), keys, chain, now)
  return JSON.stringify({
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: signature.toString('base64'),
    header: {
      ephemeralPublicKey: ephemeral.toString('base64'),
      publicKeyHash: createHash('sha256').update(spkiOf(keys.merchant)).digest('base64'),
      transactionId: transactionId.toString('hex'),
    },
  })
}

function messageFor({ amount, currency }: ApplePayment): string {
  const { number, month, year } = deviceCard
  // The amount is a JSON number. Amounts in the sandbox are small enough for exact numbers.
  return JSON.stringify({
    applicationPrimaryAccountNumber: number,
    applicationExpirationDate: `${String(year).slice(2)}${month}31`,
    currencyCode: currencyNumber(currency),
    transactionAmount: JSON.parse(amount),
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: makeCryptogram(), eciIndicator: '7' },
  })
}

function encrypt(message: string, shared: Buffer): Buffer {
  const key = createHash('sha256')
    .update(Buffer.concat([Buffer.from([0, 0, 0, 1]), shared, Buffer.from('\x0did-aes256-GCMApple')]))
    .update(createHash('sha256').update(merchantId).digest())
    .digest()
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(message, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Returns a detached signature, which does not contain the signed bytes. */
function signCms(bytes: Buffer, keys: AppleKeys, { leaf, intermediate }: Chain, now: Date): Buffer {
  const digest = createHash('sha256').update(bytes).digest()
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: leaf.issuer, serialNumber: leaf.serialNumber }),
    digestAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256 }),
    signatureAlgorithm: new AlgorithmIdentifier({ algorithmId: ECDSA_SHA256 }),
    signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes: attributesOf(digest, now) }),
  })
  signer.signature = new OctetString({ valueHex: signatureOf(signer, privateKeyIn(keys.leaf)) })
  const cms = new SignedData({
    version: 1,
    digestAlgorithms: [signer.digestAlgorithm],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: DATA }),
    certificates: [leaf, intermediate],
    signerInfos: [signer],
  })
  const info = new ContentInfo({ contentType: SIGNED_DATA, content: cms.toSchema(true) })
  return Buffer.from(info.toSchema().toBER())
}

function attributesOf(digest: Buffer, now: Date): Attribute[] {
  const { contentType, messageDigest, signingTime } = attributeTypes
  return [
    new Attribute({ type: contentType, values: [new ObjectIdentifier({ value: DATA })] }),
    new Attribute({ type: signingTime, values: [new UTCTime({ valueDate: now })] }),
    new Attribute({ type: messageDigest, values: [new OctetString({ valueHex: bufferOf(digest) })] }),
  ]
}

const SET_OF = 0x31

/** Signs the attributes as a SET, although they are sent with an implicit tag. */
function signatureOf({ signedAttrs }: SignerInfo, key: KeyObject): ArrayBuffer {
  const attributes = Buffer.from(signedAttrs?.toSchema().toBER() ?? new ArrayBuffer(0))
  attributes[0] = SET_OF
  return bufferOf(sign('sha256', attributes, key))
}
