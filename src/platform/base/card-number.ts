// Card numbers: the check digit (Luhn), the brand, the masked form, and the search that hides card numbers in texts. We
// never store a whole card number, only the masked form with a keyed fingerprint.
import cardValidator from 'card-validator'
import luhn10 from 'card-validator/dist/luhn-10.js'
import { type BinTable, noBins } from './bin-table.ts'
import { memoize } from './memoize.ts'
import type { Vault } from './secret.ts'

/** The data of a card that we store, and the issuing country, which we do not store. */
export type MaskedCard = {
  readonly first6: string
  readonly last4: string
  readonly brand: string
  readonly fingerprint: string
  readonly country?: string | undefined
}

export const hasValidCheckDigit: (number: string) => boolean = luhn10

// The length of the prefixes by which brands are cached. The library tries every pattern, which is too slow for
// thousands of payments a second. The cache must not contain more digits of a card number.
const PREFIX_LENGTH = 8
const MAX_KNOWN = 10_000

/** Returns `visa`, `mastercard` or another name that card-validator uses, or `unknown`. */
export function brandOf(number: string): string {
  return brandByPrefix(number.slice(0, PREFIX_LENGTH))
}

const AMEX = 'american-express'

const { getTypeInfo, types } = cardValidator.creditCardType

/**
 * The names of the card brands as people write them, such as American Express. The keys are the names that `brandOf`
 * returns.
 */
export const brandNames: ReadonlyMap<string, string> = new Map(
  Object.values(types).map((brand) => [brand, getTypeInfo(brand).niceType]),
)

export function securityCodeDigits(number: string): 3 | 4 {
  return brandOf(number) === AMEX ? 4 : 3
}

const brandByPrefix = memoize(MAX_KNOWN, (prefix) => cardValidator.number(prefix).card?.type ?? 'unknown')

/** Returns the first six and the last four digits as one text. */
export function shownDigits(number: string): string {
  return `${number.slice(0, 6)} ${number.slice(-4)}`
}

/**
 * Masks a card number. The same card always has the same fingerprint. The brand comes from the BIN table if the table
 * has one.
 */
export function maskCard(vault: Vault, number: string, bins: BinTable = noBins): MaskedCard {
  const bin = bins.find(number)
  return {
    first6: number.slice(0, 6),
    last4: number.slice(-4),
    brand: bin?.brand ?? brandOf(number),
    fingerprint: vault.fingerprint(number),
    country: bin?.country,
  }
}

type Reading = {
  /** Matches at least twelve digits, in groups as people write a card number. */
  readonly digits: RegExp
  /** Matches each escape and each group of digits inside a match of `digits`. */
  readonly parts: RegExp
}

// In a URL, `+` is a space.
const SEPARATOR = '[\\s+\\u2010-\\u2015-]'
const plainly: Reading = { digits: new RegExp(`\\d(?:${SEPARATOR}{0,3}\\d){11,}`, 'g'), parts: /\d+/g }
/**
 * The ways to read a text with escapes. An escape such as `%20` may separate groups of digits. In a URL inside another
 * URL, this escape becomes `%2520`. The last way finds a card number directly after a percent sign, where the first
 * digits of the number look like an escape.
 */
const withEscapes: readonly Reading[] = [
  readingWith('%(?:25){0,2}', '(?<!%(?:25){0,2}[0-9a-f]?)'),
  readingWith('%', '(?<!%[0-9a-f]?)'),
  readingWith('%', '(?<=%)'),
]

function readingWith(percent: string, start: string): Reading {
  const one = `${percent}[0-9a-f]{2}`
  return {
    digits: new RegExp(`${start}\\d(?:(?:${SEPARATOR}|${one}){0,3}\\d){11,}`, 'gi'),
    parts: new RegExp(`${one}|\\d+`, 'gi'),
  }
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const UUID_LENGTH = 36
const LEAST_DIGITS = 12
const MOST_DIGITS = 19

/** The maximum length of a card number in a text, if three separators such as `%252520` follow each digit. */
const LONGEST_WRITTEN = MOST_DIGITS * 22

/**
 * Hides every card number in a text: 12 to 19 digits with a valid check digit and a known brand. The last four digits
 * stay. The text keeps its length. JSON stays valid, because hidden digits of a JSON number become zeros.
 */
export function hideCardNumbers(text: string): string {
  const read = mayHoldEscapes(text) ? withEscapes.reduce(hideBy, text) : text
  return mayHoldNumber(read) ? hideBy(read, plainly) : read
}

function hideBy(text: string, { digits, parts }: Reading): string {
  return text.replace(digits, (match, at: number) => {
    if (isOfUuid(text, at, match.length)) return match
    const before = text.slice(Math.max(0, at - MOST_BEFORE), at)
    const ofEscape = escapedDigits(before)
    const end = at + match.length
    const mayBeNumber = BEFORE_NUMBER.test(before) && AFTER_NUMBER.test(text.slice(end, end + MOST_BEFORE))
    return match.slice(0, ofEscape) + hideCards(match.slice(ofEscape), parts, mayBeNumber ? '0' : '*')
  })
}

/**
 * BEFORE_NUMBER and AFTER_NUMBER match the text around a group of digits if the digits belong to a JSON number, which
 * may have a sign, a fraction and an exponent.
 */
const BEFORE_NUMBER = /[:,[]\s*-?(?:\d{1,20}\.)?$/
const AFTER_NUMBER = /^(?:\s*[\],}]|\.\d|e)/i
const MOST_BEFORE = 40

/** Returns how many of the digits after `before` belong to a JSON escape, such as `\u001f`, that begins in `before`. */
function escapedDigits(before: string): number {
  const [, slashes = '', hex = ''] = /(\\+)u([\da-f]{0,3})$/i.exec(before) ?? []
  return slashes.length % 2 === 1 ? 4 - hex.length : 0
}

/**
 * Returns the beginning of a text. Card numbers are hidden before the text is cut, because a cut card number is not
 * recognised.
 */
export function beginningOf(text: string, mostCharacters: number): string {
  return hideCardNumbers(text.slice(0, mostCharacters + LONGEST_WRITTEN)).slice(0, mostCharacters)
}

/**
 * Hides every card number that consists of whole groups of digits. Other groups, such as a date, may precede or follow
 * the card number. The digits are first marked and then hidden, because a long text may have many overlapping card
 * numbers.
 */
function hideCards(text: string, groupsAndEscapes: RegExp, by: '0' | '*'): string {
  const groups = [...text.matchAll(groupsAndEscapes)].filter(([part]) => !part.startsWith('%'))
  const cards = cardsIn(groups.map(([group]) => group))
  if (cards.length === 0) return text
  const places = groups.flatMap(({ 0: group, index }) => Array.from(group, (_, at) => index + at))
  const hidden = new Uint8Array(text.length)
  // A JSON number must not begin with a zero, so its first digit stays.
  for (const { first, end } of cards)
    for (const place of places.slice(by === '0' ? first + 1 : first, end - LAST_SHOWN)) hidden[place] = 1
  return text.replace(/\d/g, (digit, at: number) => (hidden[at] === 1 ? by : digit))
}

const LAST_SHOWN = 4

/** The positions of a card number's first digit and of its end, counted in digits. */
type Span = { readonly first: number; readonly end: number }

function cardsIn(groups: readonly string[]): readonly Span[] {
  const found: Span[] = []
  let first = 0
  for (const [index, group] of groups.entries()) {
    let digits = ''
    for (let last = index; last < groups.length; last++) {
      digits += groups[last]
      if (digits.length > MOST_DIGITS) break
      if (digits.length >= LEAST_DIGITS && isCard(digits)) found.push({ first, end: first + digits.length })
    }
    first += group.length
  }
  return found
}

function isCard(digits: string): boolean {
  return hasValidCheckDigit(digits) && brandOf(digits) !== 'unknown'
}

/** For each ASCII code: 1 if the character may be part of a card number as people write it. */
const parts = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\d\s+%-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const [ZERO, NINE, PERCENT] = [48, 57, 37]

function isPart(text: string, at: number): boolean {
  return parts[text.charCodeAt(at)] !== 0
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= ZERO && code <= NINE
}

/**
 * True if a text may contain a card number without escapes. The result is false for almost every text. Only every
 * twelfth character is tested, because a card number has at least twelve digits. A search for the pattern would take
 * ten times as long.
 */
function mayHoldNumber(text: string): boolean {
  for (let at = LEAST_DIGITS - 1; at < text.length; at += LEAST_DIGITS) {
    if (!isPart(text, at)) continue
    let start = at
    while (start > 0 && isPart(text, start - 1)) start--
    let digits = 0
    for (at = start; at < text.length && isPart(text, at); at++) if (isDigit(text, at)) digits++
    if (digits >= LEAST_DIGITS) return true
  }
  return false
}

/** True if a text may contain a card number beside or around an escape. */
function mayHoldEscapes(text: string): boolean {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at)) {
    while (at > 0 && isPart(text, at - 1)) at--
    let digits = 0
    for (; at < text.length && isPart(text, at); at++) {
      if (text.charCodeAt(at) === PERCENT) at += 2
      else if (isDigit(text, at)) digits++
    }
    if (digits >= LEAST_DIGITS) return true
  }
  return false
}

/** True if the digits belong to a UUID, which may contain as many consecutive digits as a card number. */
function isOfUuid(text: string, offset: number, length: number): boolean {
  const from = Math.max(0, offset - UUID_LENGTH)
  const around = text.slice(from, offset + length + UUID_LENGTH)
  return [...around.matchAll(UUID)].some(({ index }) => {
    const start = from + index
    return start <= offset && offset + length <= start + UUID_LENGTH
  })
}
