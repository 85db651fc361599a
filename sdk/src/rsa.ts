// SHA256withRSA by WebCrypto, with keys in PEM.
import { base64, bytesOfBase64 } from './bytes.ts'

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** `pem` is a private key in PKCS#8. */
export async function signRsa(pem: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('pkcs8', bytesOf(pem), ALGORITHM, false, ['sign'])
  return base64(new Uint8Array(await crypto.subtle.sign(ALGORITHM.name, key, utf8(text))))
}

/** `pem` is a public key, as the gateway serves it at /keys/platform.pem. */
export async function verifyRsa(pem: string, text: string, sign: string): Promise<boolean> {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(sign) || sign.length % 4 !== 0) return false
  const key = await crypto.subtle.importKey('spki', bytesOf(pem), ALGORITHM, false, ['verify'])
  return crypto.subtle.verify(ALGORITHM.name, key, bytesOfBase64(sign), utf8(text))
}

function bytesOf(pem: string): Uint8Array<ArrayBuffer> {
  return bytesOfBase64(pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, ''))
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
