// Google Pay tokens (ECv2): verifies and decrypts a token. Google signs an intermediate key with one of its root keys,
// and signs the message with the intermediate key. The message's signature also covers the recipient.
import {
  createDecipheriv,
  createHmac,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import type { Fields } from '../../../platform/base/object.ts'
import {
  ANY_MERCHANT,
  BadToken,
  base64In,
  checkedCard,
  type OpenedToken,
  objectIn,
  parseFields,
  parseToken,
  publicKeyOfPoint,
  publicKeyOfSpki,
  textIn,
  timeIn,
  type VerifiedToken,
  verifyToken,
} from '../../toolkit/wallet-token.ts'

export type RootKey = { readonly key: KeyObject; readonly expiresAt: Date }

export type GooglePayKeys = {
  readonly rootKeys: readonly RootKey[]
  /** Our private keys. During a key rotation there are several keys. */
  readonly privateKeys: readonly KeyObject[]
  /** The recipient that the token must name: `gateway:…` or `merchant:…`. */
  readonly recipientId: string
}

const SENDER = 'Google'
const PROTOCOL = 'ECv2'
const KEY_BYTES = 32

export function openGooglePayToken(
  text: string,
  keys: GooglePayKeys,
  merNo: number,
  now: Date,
): Promise<VerifiedToken> {
  return verifyToken('Google Pay', async () => {
    const token = parseToken(text)
    if (token.protocolVersion !== PROTOCOL) throw new BadToken('The Google Pay token is of another protocol')
    const signingKey = intermediateKey(token, keys, now)
    const signedMessage = textIn(token, 'signedMessage')
    const signed = signedBytes(SENDER, keys.recipientId, PROTOCOL, signedMessage)
    if (!isSigned(signed, signingKey, base64In(token, 'signature')))
      throw new BadToken('The Google Pay token is not signed for us')
    const message = parseFields(decrypt(parseFields(signedMessage), keys.privateKeys))
    if (timeIn(message, 'messageExpiration') <= now) throw new BadToken('The Google Pay token has expired')
    return toOpened(message, merchantOf(message, keys.recipientId, merNo))
  })
}

/** Returns the intermediate key. Throws if the key has expired, or if no unexpired root key of Google has signed it. */
function intermediateKey(token: Fields, { rootKeys }: GooglePayKeys, now: Date): KeyObject {
  const { signedKey, signatures } = signaturesIn(objectIn(token, 'intermediateSigningKey'))
  const signed = signedBytes(SENDER, PROTOCOL, signedKey)
  const roots = rootKeys.filter(({ expiresAt }) => expiresAt > now)
  const isTrusted = roots.some(({ key }) => signatures.some((signature) => isSigned(signed, key, signature)))
  if (!isTrusted) throw new BadToken('The Google Pay token is not signed by Google')
  const fields = parseFields(signedKey)
  if (timeIn(fields, 'keyExpiration') <= now) throw new BadToken('The Google Pay token has expired')
  return publicKeyOfSpki(base64In(fields, 'keyValue'))
}

const MAX_SIGNATURES = 8

function signaturesIn(fields: Fields): { signedKey: string; signatures: Buffer[] } {
  const { signatures } = fields
  if (!Array.isArray(signatures) || signatures.length > MAX_SIGNATURES) throw new Error('no signatures')
  return {
    signedKey: textIn(fields, 'signedKey'),
    signatures: signatures.map((signature) => base64In({ signature }, 'signature')),
  }
}

/** Joins the parts as Google signs them: each part is preceded by its length as four bytes, little-endian. */
function signedBytes(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8')
      const length = Buffer.alloc(4)
      length.writeUInt32LE(bytes.length)
      return [length, bytes]
    }),
  )
}

function isSigned(bytes: Buffer, key: KeyObject, signature: Buffer): boolean {
  return verify('sha256', bytes, { key, dsaEncoding: 'der' }, signature)
}

/** Decrypts the message with one of our keys: the first one that produces the message's tag. */
function decrypt(message: Fields, privateKeys: readonly KeyObject[]): string {
  const point = base64In(message, 'ephemeralPublicKey')
  const encrypted = base64In(message, 'encryptedMessage')
  const tag = base64In(message, 'tag')
  const publicKey = publicKeyOfPoint(point)
  for (const privateKey of privateKeys) {
    const { cipherKey, macKey } = deriveKeys(point, diffieHellman({ privateKey, publicKey }))
    const expected = createHmac('sha256', macKey).update(encrypted).digest()
    if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) continue
    const decipher = createDecipheriv('aes-256-ctr', cipherKey, Buffer.alloc(16))
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
  }
  throw new BadToken('The Google Pay token was made for another key')
}

function deriveKeys(point: Buffer, shared: Buffer): { cipherKey: Buffer; macKey: Buffer } {
  const secret = Buffer.concat([point, shared])
  const salt = Buffer.alloc(KEY_BYTES)
  const derived = Buffer.from(hkdfSync('sha256', secret, salt, SENDER, 2 * KEY_BYTES))
  return { cipherKey: derived.subarray(0, KEY_BYTES), macKey: derived.subarray(KEY_BYTES) }
}

/**
 * Returns the token's merchant. A gateway gets tokens for many merchants, so a token for another merchant is refused. A
 * token that names no merchant is accepted only if the recipient is not a gateway.
 */
function merchantOf(message: Fields, recipientId: string, merNo: number): number {
  const { gatewayMerchantId } = message
  if (gatewayMerchantId === String(merNo)) return merNo
  if (gatewayMerchantId === undefined && !recipientId.startsWith('gateway:')) return ANY_MERCHANT
  throw new BadToken('The Google Pay token was made for another merchant')
}

function toOpened(message: Fields, merNo: number): OpenedToken {
  const details = objectIn(message, 'paymentMethodDetails')
  if (message.paymentMethod !== 'CARD') throw new BadToken('The Google Pay token contains no card')
  const card = checkedCard({
    number: textIn(details, 'pan'),
    expiryMonth: String(details.expirationMonth).padStart(2, '0'),
    expiryYear: String(details.expirationYear),
    ...proofIn(details),
  })
  return { kind: 'opened', tokenId: textIn(message, 'messageId'), merNo, card }
}

function proofIn(details: Fields): { cryptogram?: string; eci?: string } {
  if (details.authMethod === 'PAN_ONLY') return {}
  if (details.authMethod !== 'CRYPTOGRAM_3DS')
    throw new BadToken('The Google Pay token is of an unknown kind')
  const { eciIndicator: eci } = details
  return { cryptogram: textIn(details, 'cryptogram'), ...(typeof eci === 'string' && eci !== '' && { eci }) }
}
