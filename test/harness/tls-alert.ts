// An encrypted TLS alert as a server sends it. Node's own servers send no alert about a certificate once they have
// answered.
import { createCipheriv, createHmac } from 'node:crypto'

/** The only ciphers for which the records below are made. */
export const ALERT_CIPHER = 'TLS_AES_128_GCM_SHA256'
export const ALERT_CIPHER_12 = 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256'
export const CERTIFICATE_EXPIRED = 45
export const UNKNOWN_CA = 48
/** The number of tickets that OpenSSL sends after the handshake, each in a separate record. */
export const TICKETS = 2
const FATAL = 2
const [ALERT, HANDSHAKE, APPLICATION_DATA] = [21, 22, 23]
const SERVER_HELLO = 2
const RANDOM_BYTES = 32
const TAG_BYTES = 16

/**
 * Makes the record of an alert in TLS 1.3. `sent` is the number of records that the server has sent since the
 * handshake.
 */
export function alertRecord(secret: Buffer, sent: number, description: number): Buffer {
  const nonce = expand(secret, 'iv', 12)
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sent) >>> 0, 8)
  const content = Buffer.from([FATAL, description, ALERT])
  const head = Buffer.from([APPLICATION_DATA, 3, 3, 0, content.length + TAG_BYTES])
  const cipher = createCipheriv('aes-128-gcm', expand(secret, 'key', 16), nonce).setAAD(head)
  return Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** Computes HKDF-Expand-Label of RFC 8446, 7.1, for up to 32 bytes. */
function expand(secret: Buffer, label: string, bytes: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`)
  const info = Buffer.concat([Buffer.from([0, bytes, name.length]), name, Buffer.from([0, 1])])
  return createHmac('sha256', secret).update(info).digest().subarray(0, bytes)
}

export type Secrets12 = {
  readonly master: Buffer
  readonly clientRandom: Buffer
  readonly serverRandom: Buffer
}

/**
 * Makes the record of an alert in TLS 1.2 (RFC 5246 and 5288). `sent` is the number of records that the server has sent
 * since its part of the handshake ended.
 */
export function alertRecord12(secrets: Secrets12, sent: number, description: number): Buffer {
  const { master, clientRandom, serverRandom } = secrets
  const keys = expand12(master, Buffer.concat([Buffer.from('key expansion'), serverRandom, clientRandom]), 40)
  const [key, salt] = [keys.subarray(16, 32), keys.subarray(36, 40)]
  // The records are numbered from 0, and the number 0 was the server's last message of the handshake.
  const no = Buffer.alloc(8)
  no.writeUInt32BE(sent + 1, 4)
  const content = Buffer.from([FATAL, description])
  const cipher = createCipheriv('aes-128-gcm', key, Buffer.concat([salt, no]))
  cipher.setAAD(Buffer.concat([no, Buffer.from([ALERT, 3, 3, 0, content.length])]))
  const sealed = Buffer.concat([no, cipher.update(content), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([Buffer.from([ALERT, 3, 3, 0, sealed.length]), sealed])
}

/** Returns the random bytes in the first piece that a server sends. Undefined for other pieces. */
export function serverRandomIn(piece: Buffer): Buffer | undefined {
  const isHello = piece[0] === HANDSHAKE && piece[5] === SERVER_HELLO
  return isHello ? Buffer.from(piece.subarray(11, 11 + RANDOM_BYTES)) : undefined
}

/** Computes P_SHA256 of RFC 5246, 5. */
function expand12(secret: Buffer, seed: Buffer, bytes: number): Buffer {
  const hmac = (...parts: readonly Buffer[]) =>
    createHmac('sha256', secret).update(Buffer.concat(parts)).digest()
  let [made, last] = [Buffer.alloc(0), seed]
  while (made.length < bytes) {
    last = hmac(last)
    made = Buffer.concat([made, hmac(last, seed)])
  }
  return made.subarray(0, bytes)
}
