// Encrypts stored secrets with the master key, compares secrets, and computes keyed hashes.
// See docs/decisions/0021-secrets-at-rest.md.
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Compares two secrets. The duration of the comparison does not reveal at which byte the secrets differ. */
export function isEqualSecret(one: string | Buffer, other: string | Buffer): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The MD5 hash in upper case, as signatures of the merchant API contain it. */
export function md5(text: string): string {
  return hash('md5', text, 'hex').toUpperCase()
}

/**
 * Encrypts stored secrets with AES-256-GCM. Encryption, fingerprints and MACs use different keys, derived from the
 * master key. The context is authenticated too, so a value that was moved to another row cannot be decrypted.
 */
export type Vault = {
  /** Encrypts. `context` names the owner and the purpose. Decrypting requires the same context. */
  seal(plain: string | Buffer, context: string): Buffer
  open(sealed: Buffer, context: string): string
  openBytes(sealed: Buffer, context: string): Buffer
  /** A keyed hash of a card number or account. Equal numbers have equal hashes. */
  fingerprint(value: string): string
  /** The MAC of a text that we give out and later verify, such as a link. */
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

const HASH_BYTES = 32
/** The block size of SHA-256. */
const BLOCK_BYTES = 64
/** The most UTF-8 bytes for one UTF-16 code unit. */
const BYTES_PER_CHARACTER = 3
const scratch = Buffer.alloc(16 * 1024)

/**
 * Computes HMAC-SHA256 from two plain hashes (RFC 2104). A payment needs four HMACs, and Node's HMAC takes twice the
 * time.
 */
export function hmacBy(
  key: Buffer,
  encoding: 'base64' | 'base64url' = 'base64url',
): (text: string) => string {
  const innerKey = paddedKey(key, 0x36)
  const outer = Buffer.concat([paddedKey(key, 0x5c), Buffer.alloc(HASH_BYTES)])
  return (text) => {
    const most = BLOCK_BYTES + text.length * BYTES_PER_CHARACTER
    const inner = most <= scratch.length ? scratch : Buffer.allocUnsafe(most)
    inner.set(innerKey)
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES)
    outer.write(hash('sha256', inner.subarray(0, end), 'latin1'), BLOCK_BYTES, 'latin1')
    return hash('sha256', outer, encoding)
  }
}

function paddedKey(key: Buffer, padding: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key)
  return block.map((byte) => byte ^ padding) as Buffer
}
