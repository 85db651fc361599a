// Whether a request was signed by its merchant. MD5 covers the endpoint's signed fields with the merchant key behind them;
// RSA covers the whole body (rsa-string.ts). Values count as they were sent. Every failure is 10015.
import { constants, type KeyObject, verify } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { isSame } from '../../base/secret.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { MerchantKey } from '../../merchants/merchant.ts'
import { md5 } from '../../merchants/sign-fields.ts'
import type { Endpoint } from '../endpoints.ts'
import { type Body, isEmpty } from '../fields/check-types.ts'
import { escapedString, plainProblem, plainString, type SignedField, stringToSign } from './rsa-string.ts'

/** 32 hex digits are MD5, in whichever case; all else is taken as RSA. */
export function isMd5(sign: string): boolean {
  return /^[0-9a-f]{32}$/i.test(sign)
}

export function md5StringToSign(signed: readonly string[], body: Body): string {
  let text = ''
  for (const name of signed) text += String(body[name] ?? '')
  return text
}

/** The fields of the longer MD5 signature; undefined when the endpoint has none, or the body lacks what it adds. */
export function longerSigned({ signedLonger }: Endpoint, body: Body): readonly string[] | undefined {
  return isEmpty(body[signedLonger?.at(-1) ?? '']) ? undefined : signedLonger
}

/** The key that the request was signed with; lower case never fits. */
export function matchingKey(
  keys: readonly MerchantKey[],
  stringToSign: string,
  sign: string,
  clock: Clock,
): MerchantKey | undefined {
  for (const known of keys) {
    const { key, retiresAt } = known
    const counts = retiresAt === undefined || retiresAt > clock.now()
    if (counts && isSame(md5(stringToSign + key), sign)) return known
  }
  return undefined
}

/** Over either form of the string; the plain one where it counts. */
export function isSignedByRsa(
  fields: readonly SignedField[],
  endpoint: Endpoint,
  sign: string,
  publicKey: KeyObject,
): boolean {
  // Buffer.from skips what is not base64, so that many spellings would pass for one signature.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(sign)) return false
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
  const signature = Buffer.from(sign, 'base64')
  const fits = (text: string) => verify('sha256', Buffer.from(text), key, signature)
  return (
    (plainProblem(fields, endpoint) === undefined && fits(plainString(fields))) || fits(escapedString(fields))
  )
}

/** The refusal of a wrong MD5 signature; in sandbox it shows what should have been signed, the key left out. */
export function wrongMd5(mode: 'sandbox' | 'live', stringToSign: string): Refusal {
  return mode === 'live'
    ? new Refusal('10015')
    : new Refusal('10015', `sign must be the MD5, in upper-case hex, of ${stringToSign}<KEY>`)
}

/** Of a wrong RSA signature. Why a plain string does not count is told in live too: it may be well signed. */
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
