// The result that the payer's browser brings back. The text is opaque to the merchant and signed against forgery.
import { createHmac } from 'node:crypto'
import { isObject } from '../../src/platform/base/object.ts'
import { isEqualSecret } from '../../src/platform/base/secret.ts'

export type RedirectResult = { readonly id: string; readonly isApproved: boolean; readonly value: number }

export function writeRedirectResult(result: RedirectResult, secret: string): string {
  const text = Buffer.from(JSON.stringify(result)).toString('base64url')
  return `${text}.${macOf(text, secret)}`
}

export function readRedirectResult(text: string, secret: string): RedirectResult | undefined {
  const [content = '', mac = ''] = text.split('.')
  if (!isEqualSecret(mac, macOf(content, secret))) return undefined
  const result: unknown = JSON.parse(Buffer.from(content, 'base64url').toString())
  if (!isObject(result)) return undefined
  const { id, isApproved, value } = result
  return { id: String(id), isApproved: isApproved === true, value: Number(value) }
}

function macOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
