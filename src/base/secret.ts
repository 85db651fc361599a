// Encrypts stored secrets with the master key, compares secrets, and computes keyed hashes.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Compares in constant time: the duration does not show where the values differ. */
export function isEqualSecret(one: string | Buffer, other: string | Buffer): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** In upper-case hex, as the merchant interface signs. */
export function md5(text: string): string {
  return hash('md5', text, 'hex').toUpperCase()
}

/**
 * Encrypts stored secrets with AES-256-GCM. Each purpose has its own key, derived from the master key. The context is
 * authenticated too, so a value that was moved to another row does not decrypt.
 */
export type Vault = {
  /** Encrypts. `context` names the owner and the purpose; decrypting needs the same one. */
  seal(plain: string | Buffer, context: string): Buffer
  open(sealed: Buffer, context: string): string
  openBytes(sealed: Buffer, context: string): Buffer
  /** A keyed hash: equal for equal values, useless without the master key. Used for card numbers. */
  fingerprint(value: string): string
  /** A MAC over text that we give out and later verify. Used for links. */
  mac(purpose: string, text: string): string
}

export function openVault(masterKey: Buffer): Vault {
  if (masterKey.length !== 32) throw new Error('the master key must be 32 bytes')
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `tollgate ${purpose}`, 32))
  const sealKey = derive('seal')
  const fingerprint = hmacBy(derive('fingerprint'))
  const mac = hmacBy(derive('mac'))
  const openBytes = (sealed: Buffer, context: string) => {
    const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES))
    const body = sealed.subarray(NONCE_BYTES, -TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()])
  }
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()])
    },
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    openBytes,
    fingerprint,
    mac: (purpose, text) => mac(`${purpose}:${text}`),
  }
}

/** HMAC-SHA256 with one key, which is imported once: every payment needs two. */
export function hmacBy(
  key: Buffer,
  encoding: 'base64' | 'base64url' = 'base64url',
): (text: string) => string {
  const secret = createSecretKey(key)
  return (text) => createHmac('sha256', secret).update(text).digest(encoding)
}
