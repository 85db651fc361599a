// Alipay's RSA2 signatures, implemented independently of the gateway's code.
import { type KeyObject, sign, verify } from 'node:crypto'
import type { Fields } from '../../src/platform/base/object.ts'

export type Params = Readonly<Record<string, string>>

export function isSigned(params: Params, key: KeyObject): boolean {
  const text = Buffer.from(sorted(params, ['sign']))
  return verify('sha256', text, key, Buffer.from(params.sign ?? '', 'base64'))
}

export function signNotice(params: Params, key: KeyObject): Params {
  const text = Buffer.from(sorted(params, ['sign', 'sign_type']))
  return { ...params, sign: sign('sha256', text, key).toString('base64') }
}

function sorted(params: Params, without: readonly string[]): string {
  const pairs = Object.entries(params).filter(([name, value]) => value !== '' && !without.includes(name))
  return pairs
    .map((pair) => pair.join('='))
    .sort()
    .join('&')
}

/** Builds the response as text, because the signature covers the exact text of the content. */
export function signAnswer(node: string, content: Fields, key: KeyObject): string {
  const text = JSON.stringify(content)
  const signature = sign('sha256', Buffer.from(text), key).toString('base64')
  return `{"${node}":${text},"sign":"${signature}"}`
}
