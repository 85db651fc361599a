// The named restrictions on texts. A rule returns the requirement that the text breaks, never the text itself.
import { isIP } from 'node:net'
import { hasValidCheckDigit } from '../../base/card-number.ts'
import { countryCodes } from '../../base/country.ts'
import { isCurrency } from '../../base/currency.ts'
import { memoize } from '../../base/memoize.ts'
import { parseAmount } from '../../base/money.ts'
import { type Reach, reachOfHost } from '../../http/client/public-address.ts'
import type { RuleName } from './field.ts'

export type RuleContext = {
  readonly mode: 'sandbox' | 'live'
  /** The request's currency as sent, '' when it has none. */
  readonly currency: string
}

type Rule = (value: string, context: RuleContext) => string | undefined

/** A shop uses the same few addresses in all its orders. */
const MAX_CACHED = 1_000

// The pattern is stricter than URL, which also accepts "http:host" and surrounding white space.
const webAddress = memoize(MAX_CACHED, (value) => {
  const absolute = /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)
  return absolute ? undefined : 'must be an absolute http or https address'
})

const reachOfUrl = memoize(MAX_CACHED, (value) => reachOfHost(URL.parse(value)?.hostname ?? ''))

export const rules: Readonly<Record<RuleName, Rule>> = {
  amount,
  url: (value) => webAddress(value),
  notifyUrl: (value, { mode }) => webAddress(value) ?? unreachable(reachOfUrl(value), mode),
  country: (value) => (countryCodes.has(value) ? undefined : 'must be a two-letter ISO country code'),
  ip: (value) => (isIP(value) !== 0 ? undefined : 'must be an IPv4 or IPv6 address'),
  email: shape(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  mobile: shape(
    /^(\+?\d+|\d{1,4}-\d+)$/,
    'must be digits with an optional leading +, or in the form 1-5125550100',
  ),
  cardNumber,
  month: shape(/^(0[1-9]|1[0-2])$/, 'must be a month from 01 to 12'),
  year: shape(/^\d{4}$/, 'must be a four-digit year'),
  securityCode: shape(/^\d{3}$/, 'must be three digits'),
  day: (value) => (isDay(value) ? undefined : 'must be a date such as 2026-01-31'),
  dateTime: (value) => (isDateTime(value) ? undefined : 'must be a time such as 2026-01-31 23:59:59'),
}

function shape(pattern: RegExp, broken: string): Rule {
  return (value) => (pattern.test(value) ? undefined : broken)
}

function amount(value: string, { currency }: RuleContext): string | undefined {
  const isKnown = isCurrency(currency)
  if (isKnown && parseAmount(value, currency) !== undefined) return undefined
  if (!/^(0|[1-9]\d{0,8})\.\d\d$/.test(value)) return 'must be an amount with two decimals, such as 10.00'
  if (value === '0.00') return 'must be above zero'
  // An unknown currency is refused later, with its own code.
  return isKnown ? 'must end in .00: the currency has no decimals' : undefined
}

function unreachable(reach: Reach, mode: RuleContext['mode']): string | undefined {
  if (reach === 'reserved') return 'must not point to a private or reserved address'
  return reach === 'loopback' && mode === 'live' ? 'must not point to a loopback address' : undefined
}

// Checks only the Luhn digit: detecting the brand costs as much as all other fields, and the payment does it anyway.
function cardNumber(value: string): string | undefined {
  if (!/^\d{12,16}$/.test(value)) return 'must be 12 to 16 digits'
  return hasValidCheckDigit(value) ? undefined : 'is not a card number: its check digit is wrong'
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const parsed = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value)
}

function isDateTime(value: string): boolean {
  return isDay(value.slice(0, 10)) && /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value)
}
