// Tokens of Apple Pay and Google Pay for acquirers that have the keys: they are passed on unopened.
import { createHash } from 'node:crypto'
import { isObject } from '../../base/object.ts'
import { parseToken } from './read-token.ts'

/** Apple's `paymentData` as JSON; undefined when it is not a token. Merchants send it alone, or in Apple's whole token. */
export function applePayData(text: string): string | undefined {
  const token = parsed(text)
  if (token === undefined) return undefined
  return JSON.stringify(isObject(token.paymentData) ? token.paymentData : token)
}

/** Google's token as JSON; undefined when it is not a token. Google signed the text, so it must stay as it is. */
export function googlePayToken(text: string): string | undefined {
  if (parsed(text) === undefined) return undefined
  const trimmed = text.trim()
  return trimmed.startsWith('{') ? trimmed : Buffer.from(text, 'base64').toString('utf8')
}

/** The same token has the same id, however the merchant encoded or indented it. */
export function tokenIdOf(token: string): string {
  return createHash('sha256')
    .update(JSON.stringify(parseToken(token)))
    .digest('hex')
}

function parsed(text: string) {
  try {
    return parseToken(text)
  } catch {
    return undefined
  }
}
