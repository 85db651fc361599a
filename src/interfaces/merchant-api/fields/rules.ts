// The named restrictions on texts. A rule returns the requirement that the text breaks, and never the text itself.
import { isIP } from 'node:net'
import { hasValidCheckDigit, securityCodeDigits } from '../../../platform/base/card-number.ts'
import { countryCodes } from '../../../platform/base/country.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { memoize } from '../../../platform/base/memoize.ts'
import { parseAmount } from '../../../platform/base/money.ts'
import type { MayReach } from '../../../platform/http/client/address-guard.ts'
import { reachOfHost } from '../../../platform/http/client/public-address.ts'
import type { RuleName } from './field.ts'

export type RuleContext = {
  readonly mayNotify: MayReach
  /** The request's currency as sent. Empty if the request has none. */
  readonly currency: string
  /** The card number as sent. The length of the security code depends on it. */
  readonly cardNo?: string
}

type Rule = (value: string, context: RuleContext) => string | undefined

/**
 * The maximum number of cached results. Caching helps, because a merchant sends the same few addresses with all its
 * orders.
 */
const MAX_CACHED = 1_000
const LOCALHOST = '127.0.0.1'

// The pattern is stricter than URL. URL also accepts "http:host" and white space at the ends.
const webAddress = memoize(MAX_CACHED, (value) => {
  const absolute = /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)
  return absolute ? undefined : 'must be an absolute http or https address'
})

const hostOf = memoize(MAX_CACHED, (value) => {
  const host = (URL.parse(value)?.hostname ?? '').replace(/^\[|\]$/g, '')
  return { host, reach: reachOfHost(host) }
})

export const rules: Readonly<Record<RuleName, Rule>> = {
  amount,
  url: (value) => webAddress(value),
  notifyUrl: (value, { mayNotify }) => webAddress(value) ?? unreachable(value, mayNotify),
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
  securityCode,
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
  // An unknown currency is refused by a later check, with its own code.
  return isKnown ? 'must end in .00: the currency has no decimals' : undefined
}

function unreachable(url: string, mayNotify: MayReach): string | undefined {
  const { host, reach } = hostOf(url)
  // Every host name other than localhost counts as public here. Its IP addresses are checked when a notification is
  // sent.
  if (reach === 'public' || mayNotify(isIP(host) === 0 ? LOCALHOST : host)) return undefined
  return reach === 'loopback'
    ? 'must not point to a loopback address'
    : 'must not point to a private or reserved address'
}

/** Checks the length and the check digit. The brand is checked later, together with the payment. */
function cardNumber(value: string): string | undefined {
  if (!/^\d{12,19}$/.test(value)) return 'must be 12 to 19 digits'
  return hasValidCheckDigit(value) ? undefined : 'is not a card number: its check digit is wrong'
}

function securityCode(value: string, { cardNo = '' }: RuleContext): string | undefined {
  if (securityCodeDigits(cardNo) === 4)
    return /^\d{4}$/.test(value) ? undefined : 'must be four digits for American Express'
  return /^\d{3}$/.test(value) ? undefined : 'must be three digits'
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const parsed = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value)
}

function isDateTime(value: string): boolean {
  return isDay(value.slice(0, 10)) && /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value)
}
