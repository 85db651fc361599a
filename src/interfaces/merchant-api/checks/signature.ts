// Verifies the sender of a request: the signed fields are present, the signature is the merchant's, and the kind of
// signature and the address are allowed. An MD5 signature covers the endpoint's signed fields and the merchant key. An
// RSA signature covers the whole body (rsa-string.ts). Both signatures use the values as sent. A wrong signature is
// refused with 10015.
import { constants, type KeyObject, verify } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { KeyUse, Merchant, MerchantKey } from '../../../money/merchants/merchant.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { isEqualSecret, md5 } from '../../../platform/base/secret.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { addressList, isListed } from '../../../platform/http/addresses.ts'
import type { Endpoint } from '../endpoints.ts'
import type { Table } from '../fields/field.ts'
import { type Body, fieldNamed, isEmpty, valueIn } from '../fields/read-fields.ts'
import {
  escapedString,
  plainProblem,
  plainString,
  type SignedField,
  signedFields,
  stringToSign,
} from './rsa-string.ts'

export type Signed = {
  readonly endpoint: Endpoint
  readonly table: Table
  readonly body: Body
  readonly address: string
}

export function checkSignedFields({ endpoint, table, body }: Signed): void {
  for (const name of endpoint.signed) checkSignedField(name, table, body)
  checkSignedField('sign', table, body)
}

function checkSignedField(name: string, table: Table, body: Body): void {
  const field = fieldNamed(name, table)
  if (field?.required !== true || !isEmpty(valueIn(field, body))) return
  throw name === 'currencyCode' ? new Refusal('10018') : new Refusal('10002', name)
}

export function authenticate(
  merchant: Merchant,
  request: Signed,
  { mode, clock }: { readonly mode: 'sandbox' | 'live'; readonly clock: Clock },
): KeyUse | undefined {
  const sign = signOf(request)
  if (merchant.requireIp && !listsAddress(merchant, request.address))
    throw new Refusal('10015', "the request came from an address that is not on the merchant's list")
  if (!isMd5(sign)) {
    checkRsa(merchant, request, sign, mode)
    return merchant.rsaUse
  }
  if (merchant.requireRsa) throw wrongRsa(mode, request, 'this merchant must sign with RSA')
  // In live, MD5 is accepted for payouts only from listed addresses. The reason is that a payment's MD5 signature is
  // also valid for a payout with the same order number, currency and amount, and browsers may have seen it.
  if (mode === 'live' && request.endpoint.does === 'payout' && !listsAddress(merchant, request.address))
    throw new Refusal('10015', "sign payouts with RSA, or send them from an address on the merchant's list")
  return checkMd5(merchant, request, sign, mode, clock)
}

function checkMd5(
  merchant: Merchant,
  { endpoint, body }: Signed,
  sign: string,
  mode: 'sandbox' | 'live',
  clock: Clock,
): MerchantKey {
  const stringToSign = md5StringToSign(endpoint.signed, body)
  const key =
    matchingKey(merchant.keys, stringToSign, sign, clock) ?? longerKey(merchant, endpoint, body, sign, clock)
  if (key === undefined) throw wrongMd5(mode, stringToSign)
  return key
}

function longerKey(
  merchant: Merchant,
  endpoint: Endpoint,
  body: Body,
  sign: string,
  clock: Clock,
): MerchantKey | undefined {
  const signed = longerSigned(endpoint, body)
  return signed && matchingKey(merchant.keys, md5StringToSign(signed, body), sign, clock)
}

/**
 * False if somebody could send a captured signature again with another `merRefundNo`. This is possible if the signature
 * does not cover this field and the request's address is not on the merchant's list. Always true in sandbox, and for
 * endpoints without `signedLonger`.
 */
export function isReplayProof(
  merchant: Merchant,
  request: Signed,
  { mode, clock }: { readonly mode: 'sandbox' | 'live'; readonly clock: Clock },
): boolean {
  const { endpoint, body, address } = request
  if (endpoint.signedLonger === undefined || mode === 'sandbox') return true
  const sign = signOf(request)
  // A captured RSA request without a merRefundNo can make a second refund after ten minutes, if the first refund is
  // decided by then. Therefore the guide tells merchants to send a merRefundNo.
  if (!isMd5(sign) || listsAddress(merchant, address)) return true
  return longerKey(merchant, endpoint, body, sign, clock) !== undefined
}

function checkRsa(merchant: Merchant, request: Signed, sign: string, mode: 'sandbox' | 'live'): void {
  const { endpoint, body } = request
  if (merchant.rsaKey === undefined) {
    // A sign that is too short for RSA is most likely a malformed MD5 signature, so the message is about MD5.
    if (mode === 'live' || !isMeantAsRsa(sign)) throw wrongMd5(mode, md5StringToSign(endpoint.signed, body))
    throw wrongRsa(mode, request, NO_RSA_KEY)
  }
  const fields = signedFields(body)
  if (isSignedByRsa(fields, endpoint, sign, merchant.rsaKey)) return
  throw wrongRsa(mode, request, plainProblem(fields, endpoint))
}

const NO_RSA_KEY = 'this merchant has no RSA public key: register it, or sign with MD5'

function signOf({ table, body }: Signed): string {
  const field = fieldNamed('sign', table)
  return field === undefined ? '' : String(valueIn(field, body))
}

// The address lists, by merchant object. A changed merchant is a new object, so a cached list is never outdated.
const lists = new WeakMap<Merchant, BlockList>()

function listsAddress(merchant: Merchant, address: string): boolean {
  const list = lists.get(merchant) ?? addressList(merchant.ips)
  lists.set(merchant, list)
  return isListed(list, address)
}

/** True for 32 hexadecimal digits in upper or lower case, so that an MD5 in lower case is not treated as RSA. */
export function isMd5(sign: string): boolean {
  return /^[0-9a-f]{32}$/i.test(sign)
}

/**
 * The length of the longest hash in hexadecimal digits, which is SHA-512. An RSA signature is longer in every spelling.
 */
const LONGEST_HASH = 128

/** True if the caller most likely signed with RSA. A shorter text is an MD5, another hash, or a mistake. */
export function isMeantAsRsa(sign: string): boolean {
  return sign.length > LONGEST_HASH
}

export function md5StringToSign(signed: readonly string[], body: Body): string {
  let text = ''
  for (const name of signed) text += String(body[name] ?? '')
  return text
}

/**
 * Returns the fields of the longer MD5 signature. Undefined if the endpoint has none, or if the body lacks the last of
 * these fields.
 */
export function longerSigned({ signedLonger }: Endpoint, body: Body): readonly string[] | undefined {
  return isEmpty(body[signedLonger?.at(-1) ?? '']) ? undefined : signedLonger
}

/**
 * Returns the key that made the signature. A retired key never matches, and a signature in lower case never matches.
 */
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

/**
 * True if the RSA signature is valid for the escaped form. The plain form is accepted as well, unless the body has a
 * `plainProblem`.
 */
export function isSignedByRsa(
  fields: readonly SignedField[],
  endpoint: Endpoint,
  sign: string,
  publicKey: KeyObject,
): boolean {
  // `Buffer.from` ignores characters outside base64. Without this check, several texts would count as the same
  // signature.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(sign)) return false
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
  const signature = Buffer.from(sign, 'base64')
  const verifies = (text: string) => verify('sha256', Buffer.from(text), key, signature)
  return (
    (plainProblem(fields, endpoint) === undefined && verifies(plainString(fields))) ||
    verifies(escapedString(fields))
  )
}

/**
 * Returns the refusal of a wrong MD5 signature. In sandbox, the message contains the string to sign, without the key.
 */
function wrongMd5(mode: 'sandbox' | 'live', stringToSign: string): Refusal {
  return mode === 'live'
    ? new Refusal('10015')
    : new Refusal('10015', `sign must be the MD5, in upper-case hex, of ${stringToSign}<KEY>`)
}

/**
 * Returns the refusal of a request without a valid RSA signature. `why` is a more precise reason, if there is one. In
 * sandbox, the message also contains the string to sign.
 */
function wrongRsa(mode: 'sandbox' | 'live', { endpoint, body }: Signed, why: string | undefined): Refusal {
  if (mode === 'live') return new Refusal('10015', why)
  const right = `sign must be the SHA256withRSA signature, in base64, of ${stringToSign(signedFields(body), endpoint)}`
  return new Refusal('10015', why === undefined ? right : `${why}; ${right}`)
}
