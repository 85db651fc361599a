// Creates Google Pay tokens (ECv2) for one recipient and its public key.
import {
  createCipheriv,
  createHmac,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { deviceCard, makeCryptogram } from './device-card.ts'
import { privateKeyIn, publicKeyOf, spkiOf } from './keys.ts'

export type GoogleKeys = { readonly root: string; readonly intermediate: string; readonly merchant: string }

export const recipientId = 'gateway:tollgate-sandbox'
const TOKEN_MS = 3_600_000
/** The root key expires in the year 2100. */
const ROOT_EXPIRATION = String(Date.UTC(2100, 0))

export function googleRootKeys({ root }: GoogleKeys) {
  const keyValue = spkiOf(root).toString('base64')
  return { keys: [{ keyValue, protocolVersion: 'ECv2', keyExpiration: ROOT_EXPIRATION }] }
}

export function mintGoogleToken(keys: GoogleKeys, merNo: string, now: Date): string {
  const expiration = String(now.getTime() + TOKEN_MS)
  const signedMessage = encrypt(messageFor(merNo, expiration), publicKeyOf(keys.merchant))
  const keyValue = spkiOf(keys.intermediate).toString('base64')
  const signedKey = JSON.stringify({ keyValue, keyExpiration: expiration })
  return JSON.stringify({
    protocolVersion: 'ECv2',
    signature: signed(keys.intermediate, ['Google', recipientId, 'ECv2', signedMessage]),
    intermediateSigningKey: { signedKey, signatures: [signed(keys.root, ['Google', 'ECv2', signedKey])] },
    signedMessage,
  })
}

function messageFor(gatewayMerchantId: string, messageExpiration: string): string {
  return JSON.stringify({
    messageExpiration,
    messageId: randomUUID(),
    gatewayMerchantId,
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      pan: deviceCard.number,
      expirationMonth: deviceCard.month,
      expirationYear: deviceCard.year,
      authMethod: 'CRYPTOGRAM_3DS',
      cryptogram: makeCryptogram(),
      eciIndicator: '05',
    },
  })
}

function encrypt(message: string, recipient: KeyObject): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const point = pointOf(publicKey)
  const secret = Buffer.concat([point, diffieHellman({ privateKey, publicKey: recipient })])
  const derived = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), 'Google', 64))
  const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(message, 'utf8'), cipher.final()])
  return JSON.stringify({
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', derived.subarray(32)).update(encrypted).digest('base64'),
  })
}

function pointOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function signed(privateKey: string, parts: readonly string[]): string {
  const bytes = parts.flatMap((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(part))
    return [length, Buffer.from(part)]
  })
  return sign('sha256', Buffer.concat(bytes), privateKeyIn(privateKey)).toString('base64')
}
