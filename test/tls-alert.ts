// An alert as a TLS 1.3 server sends it, encrypted: Node's own servers send none about a certificate once they have answered.
import { createCipheriv, createHmac } from 'node:crypto'

/** The only one that the records below are made with. */
export const ALERT_CIPHER = 'TLS_AES_128_GCM_SHA256'
export const CERTIFICATE_EXPIRED = 45
export const UNKNOWN_CA = 48
/** OpenSSL sends two tickets after the handshake, each in a record of its own. */
export const TICKETS = 2
const FATAL = 2
const [ALERT, APPLICATION_DATA] = [21, 23]
const TAG_BYTES = 16

/** `sent`: how many records the server has sent since the handshake. */
export function alertRecord(secret: Buffer, sent: number, description: number): Buffer {
  const nonce = expand(secret, 'iv', 12)
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sent) >>> 0, 8)
  const content = Buffer.from([FATAL, description, ALERT])
  const head = Buffer.from([APPLICATION_DATA, 3, 3, 0, content.length + TAG_BYTES])
  const cipher = createCipheriv('aes-128-gcm', expand(secret, 'key', 16), nonce).setAAD(head)
  return Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** HKDF-Expand-Label of RFC 8446, 7.1, for up to 32 bytes. */
function expand(secret: Buffer, label: string, bytes: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`)
  const info = Buffer.concat([Buffer.from([0, bytes, name.length]), name, Buffer.from([0, 1])])
  return createHmac('sha256', secret).update(info).digest().subarray(0, bytes)
}
