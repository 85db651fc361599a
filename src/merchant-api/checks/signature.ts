// Verifies a request's signature. MD5 covers the endpoint's signed fields followed by the merchant key; RSA covers the whole
// body (rsa-string.ts). Both use the values as sent. Every failure is 10015.
import { constants, type KeyObject, verify } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { isEqualSecret } from '../../base/secret.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { MerchantKey } from '../../merchants/merchant.ts'
import { md5 } from '../../merchants/sign-fields.ts'
import type { Endpoint } from '../endpoints.ts'
import { type Body, isEmpty } from '../fields/check-types.ts'
import { escapedString, plainProblem, plainString, type SignedField, stringToSign } from './rsa-string.ts'

/** 32 hex digits in any case are MD5; everything else counts as RSA. */
export function isMd5(sign: string): boolean {
  return /^[0-9a-f]{32}$/i.test(sign)
}

export function md5StringToSign(signed: readonly string[], body: Body): string {
  let text = ''
  for (const name of signed) text += String(body[name] ?? '')
  return text
}

/** The fields of the longer MD5 signature; undefined when the endpoint has none or the body lacks its last field. */
export function longerSigned({ signedLonger }: Endpoint, body: Body): readonly string[] | undefined {
  return isEmpty(body[signedLonger?.at(-1) ?? '']) ? undefined : signedLonger
}

/** The key that signed the request. A lower-case signature never matches. */
export function matchingKey(
  keys: readonly MerchantKey[],
  stringToSign: string,
  sign: string,
  clock: Clock,
): MerchantKey | undefined {
  for (const known of keys) {
    const { key, retiresAt } = known
    const isValid = retiresAt === undefined || retiresAt > clock.now()
    if (isValid && isEqualSecret(md5(stringToSign + key), sign)) return known
  }
  return undefined
}

/** Accepts the escaped form always, and the plain form where it is unambiguous. */
export function isSignedByRsa(
  fields: readonly SignedField[],
  endpoint: Endpoint,
  sign: string,
  publicKey: KeyObject,
): boolean {
  // Buffer.from ignores characters outside base64, so several spellings would pass as one signature.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(sign)) return false
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
  const signature = Buffer.from(sign, 'base64')
  const verifies = (text: string) => verify('sha256', Buffer.from(text), key, signature)
  return (
    (plainProblem(fields, endpoint) === undefined && verifies(plainString(fields))) ||
    verifies(escapedString(fields))
  )
}

/** In sandbox the refusal shows the string to sign, without the key. */
export function wrongMd5(mode: 'sandbox' | 'live', stringToSign: string): Refusal {
  return mode === 'live'
    ? new Refusal('10015')
    : new Refusal('10015', `sign must be the MD5, in upper-case hex, of ${stringToSign}<KEY>`)
}

/** In sandbox the refusal shows the string to sign. It explains a missing escape in live too. */
export function wrongRsa(
  mode: 'sandbox' | 'live',
  fields: readonly SignedField[],
  endpoint: Endpoint,
): Refusal {
  const problem = plainProblem(fields, endpoint)
  if (mode === 'live') return new Refusal('10015', problem)
  const right = `sign must be the SHA256withRSA signature, in base64, of ${stringToSign(fields, endpoint)}`
  return new Refusal('10015', problem === undefined ? right : `${problem}; ${right}`)
}
