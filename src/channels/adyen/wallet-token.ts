// Tokens of Apple Pay and Google Pay in the form that Adyen takes. Adyen holds the keys, so a token is passed on unopened.
import { createHash } from 'node:crypto'
import { isObject } from '../../base/object.ts'
import { parseToken } from '../wallet/read-token.ts'

/** Undefined when it is not a token. */
export function toApplePay(text: string): string | undefined {
  const token = parsed(text)
  if (token === undefined) return undefined
  // Accepts Apple's whole token or only its paymentData.
  const data = isObject(token.paymentData) ? token.paymentData : token
  return Buffer.from(JSON.stringify(data)).toString('base64')
}

/** Google signed the text, so it must stay as it is. */
export function toGooglePay(text: string): string | undefined {
  if (parsed(text) === undefined) return undefined
  return text.trimStart().startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8')
}

/** The same token has the same id, however the merchant encoded it. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function parsed(text: string) {
  try {
    return parseToken(text)
  } catch {
    return undefined
  }
}
