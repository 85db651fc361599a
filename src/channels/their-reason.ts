// Texts of counterparties that merchants, payers and operators read. Some repeat the request, with the card in it, so whatever
// may be a secret is masked before anything is stored, shown or logged.

const MAX_REASON = 255

/** As long as a card number or longer, as people write it; so are numbers of accounts. What follows a card may be its code. */
const NUMBERS = /\d(?:(?:[\s._+\u2010-\u2015-]|%20){0,3}\d){12,}/g
/** Nothing but a number, in one piece or in the groups of a card. */
const ONE_NUMBER = /^(?:\d{13,19}|\d{4}([ .-])\d{4}\1\d{4}\1\d{4}|\d{4}([ .-])\d{6}\2\d{5})$/
/** What follows the name of a secret, as JSON, as JSON in JSON, as a form or in a sentence. */
const NAMED =
  /((?:security[-_ ]?code|cvc2?|cvv2?|cryptogram|token|(?:private|api|secret)[-_ ]?key|secret|password)\b(?:%5D|\])?["'\\]*(?:\s+(?:code|value|number|is)){0,2}(?:\s*[:=>]\s*["'\\]*|\s+(?=\S*\d)))[^\s"'\\,;&{}<]+/gi
/** A private key of a chain. */
const HEX_KEYS = /(?:0x)?[0-9a-f]{64}/gi
const MASK = '***'

/** The counterparty's own reason without what it must not contain; the fallback if there is none, or if it is too long. */
export function theirReason(reason: unknown, fallback: string): string {
  const text = typeof reason === 'string' ? withoutCards(reason) : ''
  return text === '' || text.length > MAX_REASON ? fallback : text
}

/** A response that decides nothing, for operators: its status, and the counterparty's own code if it gave one. */
export function responded(who: string, status: number, code: unknown): string {
  return [`${who} responded ${status}`, theirReason(code, '')].filter((text) => text !== '').join(' ')
}

/** Of one number the last four digits stay, by which people know it. */
export function withoutCards(text: string): string {
  const named = text.replace(NAMED, `$1${MASK}`)
  return named.replace(NUMBERS, (number) => `${MASK}${ONE_NUMBER.test(number) ? number.slice(-4) : ''}`)
}

/** Amounts of coin have as many digits as a card, so they stay. */
export function withoutKeys(text: string, known: readonly string[] = []): string {
  const forms = known.flatMap((key) => [key, encodeURIComponent(key)])
  return forms.reduce((rest, key) => rest.replaceAll(key, MASK), text)
}

/** Also keys that we do not know. Hashes of transactions look like them. */
export function withoutHexKeys(text: string): string {
  return text.replace(HEX_KEYS, MASK)
}
