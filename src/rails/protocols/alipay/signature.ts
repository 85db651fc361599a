// Alipay's RSA2 signatures. Requests and webhooks are signed over their non-empty parameters, sorted by name, as
// `name=value` joined with `&`.
import type { KeyObject } from 'node:crypto'
import { isObject } from '../../../platform/base/object.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import { isRsaSigned, signRsa } from '../../toolkit/signature.ts'

export type Params = Readonly<Record<string, string>>

export function signParams(params: Params, privateKey: KeyObject): Params {
  return { ...params, sign: signRsa(textOf(params, ['sign']), privateKey) }
}

/** True if the webhook is signed. Unlike the signature of a request, that of a webhook does not cover `sign_type`. */
export function isSignedNotice(params: Params, key: KeyObject): boolean {
  const { sign = '', sign_type: type } = params
  return type === 'RSA2' && isRsaSigned(textOf(params, ['sign', 'sign_type']), sign, key)
}

function textOf(params: Params, without: readonly string[]): string {
  const names = Object.keys(params).filter((name) => params[name] !== '' && !without.includes(name))
  return names
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&')
}

const answerPattern =
  /^\{"(?<node>[a-z_]+_response)":(?<content>\{.*\})(?:,"alipay_cert_sn":"[^"]*")?,"sign":"[^"]+"\}$/s

/** Reads a signed response; undefined for any other text. The signature covers the exact text of the content. */
export function readAnswer(text: string, key: KeyObject): { node: string; content: unknown } | undefined {
  const { node = '', content = '' } = answerPattern.exec(text.trim())?.groups ?? {}
  const whole = parseJson(text)
  const sign = isObject(whole) && typeof whole.sign === 'string' ? whole.sign : ''
  if (!isRsaSigned(content, sign, key)) return undefined
  return { node, content: parseJson(content) }
}
