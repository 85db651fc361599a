// Creates Google Pay tokens as Google would, with the test's own keys. Tests can make each part of a token wrong.
import {
  createCipheriv,
  createHmac,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto'

const P256 = { namedCurve: 'prime256v1' }

export function makeGoogleKeys() {
  const [root, intermediate, ours] = [keyPair(), keyPair(), keyPair()]
  return { root, intermediate, ours }
}

export type GoogleKeys = ReturnType<typeof makeGoogleKeys>

export function keyPair(): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync('ec', P256)
}

export type GoogleWish = {
  readonly recipientId?: string
  readonly keyExpiration?: string
  /** The replacements for parts of the decrypted message. */
  readonly message?: Readonly<Record<string, unknown>>
  readonly details?: Readonly<Record<string, unknown>>
}

const IN_AN_HOUR_MS = 3_600_000

export function makeGoogleToken(keys: GoogleKeys, now: Date, wish: GoogleWish = {}): string {
  const expiration = String(now.getTime() + IN_AN_HOUR_MS)
  const message = {
    messageExpiration: expiration,
    messageId: `AH2${Math.random()}`,
    paymentMethod: 'CARD',
    gatewayMerchantId: '10001',
    paymentMethodDetails: {
      pan: '4242424242424242',
      expirationMonth: 4,
      expirationYear: 2039,
      authMethod: 'CRYPTOGRAM_3DS',
      cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
      eciIndicator: '05',
      ...wish.details,
    },
    ...wish.message,
  }
  const signedMessage = encrypt(JSON.stringify(message), keys.ours.publicKey)
  const keyValue = spki(keys.intermediate.publicKey)
  const signedKey = JSON.stringify({ keyValue, keyExpiration: wish.keyExpiration ?? expiration })
  const recipient = wish.recipientId ?? 'gateway:tollgate'
  return JSON.stringify({
    protocolVersion: 'ECv2',
    signature: signed(keys.intermediate.privateKey, ['Google', recipient, 'ECv2', signedMessage]),
    intermediateSigningKey: {
      signedKey,
      signatures: [signed(keys.root.privateKey, ['Google', 'ECv2', signedKey])],
    },
    signedMessage,
  })
}

function encrypt(plain: string, recipient: KeyObject): string {
  const { privateKey, publicKey } = keyPair()
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const secret = Buffer.concat([point, diffieHellman({ privateKey, publicKey: recipient })])
  const derived = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), 'Google', 64))
  const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return JSON.stringify({
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', derived.subarray(32)).update(encrypted).digest('base64'),
  })
}

function signed(privateKey: KeyObject, parts: readonly string[]): string {
  const bytes = parts.map((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(part))
    return Buffer.concat([length, Buffer.from(part)])
  })
  return sign('sha256', Buffer.concat(bytes), privateKey).toString('base64')
}

export function spki(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}
