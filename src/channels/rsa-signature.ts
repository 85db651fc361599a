// RSA signatures with SHA-256 in base64, as Alipay and WeChat Pay use them.
import { type KeyObject, sign, verify } from 'node:crypto'

export function signRsa(text: string, privateKey: KeyObject): string {
  return sign('sha256', Buffer.from(text), privateKey).toString('base64')
}

/** Accepts only canonical base64, so that a signature has one spelling. */
export function isRsaSigned(text: string, signature: string, publicKey: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return bytes.toString('base64') === signature && verify('sha256', Buffer.from(text), publicKey, bytes)
}
