// Parses the options that people may set on a merchant. For an invalid value, throws an OperatorRefusal with one
// sentence.
import { isIP } from 'node:net'
import validator from 'card-validator'
import { isCurrency, isFiat } from '../../platform/base/currency.ts'
import { parseDecimal } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { payoutMethodNames } from '../../rails/contract/payout-rail.ts'
import { type Method, methodNames } from '../../rails/methods/methods.ts'
import { readLogo } from './logo.ts'
import type { RoutedMethod } from './merchant.ts'
import { readSite } from './site.ts'
import { type FeePlan, optionOf, perTerm, type TermName, terms } from './terms.ts'

/** The options as a person typed them. A missing option does not change the merchant's value. */
export type OptionTexts = { readonly [Name in TermName]?: string | undefined } & {
  readonly name?: string | undefined
  readonly sites?: readonly string[] | undefined
  readonly currencies?: string | undefined
  readonly settleCurrency?: string | undefined
  readonly methods?: string | undefined
  readonly cardBrands?: string | undefined
  readonly requireRsa?: string | undefined
  readonly requireIp?: string | undefined
  readonly signAnswers?: string | undefined
  readonly notifyReview?: string | undefined
  readonly amountsInNotifications?: string | undefined
  readonly ips?: readonly string[] | undefined
  readonly limitSingle?: string | undefined
  readonly limitDaily?: string | undefined
  readonly limitMonthly?: string | undefined
  readonly refundCredit?: string | undefined
  readonly approveRefunds?: string | undefined
  readonly payoutApproval?: string | undefined
  readonly reviewAbove?: string | undefined
  readonly payoutFeeBps?: string | undefined
  readonly payoutFeeFixed?: string | undefined
  readonly chargebackUrl?: string | undefined
  readonly timezone?: string | undefined
  readonly accent?: string | undefined
  readonly logo?: Buffer | 'none' | undefined
}

/**
 * The parsed options. Null means "all" in `methods` and `cardBrands`, "not configured" in limits, "none" in
 * `payoutApproval`, `accent` and `logo`, and the method's own threshold in `reviewAbove`.
 */
export type MerchantOptions = ReturnType<typeof readOptions>

export type TermOptions = { readonly [Name in TermName]: FeePlan[Name] | undefined }

export function readOptions(texts: OptionTexts) {
  return {
    name: given(texts.name, readName),
    sites: texts.sites?.map(readWebsite),
    currencies: given(texts.currencies, (text) => readList(text).map(readFiat)),
    settleCurrency: given(texts.settleCurrency, readCurrency),
    ...perTerm<TermOptions>((name) =>
      given(texts[name], (text) => terms[name].read(`--${optionOf(name)}`, text)),
    ),
    methods: given(texts.methods, (text) => readAllOrSome('method', text, methodNames())),
    cardBrands: given(texts.cardBrands, (text) => readAllOrSome('card brand', text, brands)),
    requireRsa: given(texts.requireRsa, readSwitch),
    requireIp: given(texts.requireIp, readSwitch),
    signAnswers: given(texts.signAnswers, readSwitch),
    notifyReview: given(texts.notifyReview, readSwitch),
    amountsInNotifications: given(texts.amountsInNotifications, readSwitch),
    ips: texts.ips?.filter((ip) => ip !== '').map(readIpRange),
    limitSingle: given(texts.limitSingle, readLimit),
    limitDaily: given(texts.limitDaily, readLimit),
    limitMonthly: given(texts.limitMonthly, readLimit),
    refundCredit: given(texts.refundCredit, readDollars),
    approveRefunds: given(texts.approveRefunds, readSwitch),
    payoutApproval: given(texts.payoutApproval, readLimit),
    reviewAbove: given(texts.reviewAbove, readReviewAbove),
    payoutFeeBps: given(texts.payoutFeeBps, (text) => terms.feeBps.read('--payout-fee-bps', text)),
    payoutFeeFixed: given(texts.payoutFeeFixed, (text) => terms.feeFixed.read('--payout-fee-fixed', text)),
    chargebackUrl: given(texts.chargebackUrl, readAddress),
    timezone: given(texts.timezone, readTimezone),
    accent: given(texts.accent, readAccent),
    logo: texts.logo === 'none' ? null : texts.logo && readLogo(texts.logo),
  }
}

const brands: readonly string[] = Object.values(validator.creditCardType.types)

function given<Value>(text: string | undefined, read: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : read(text)
}

function readList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function readName(text: string): string {
  const name = text.trim()
  const length = [...name].length
  if (length >= 1 && length <= 100 && !/\p{Cc}|\p{Cs}/u.test(name)) return name
  throw new OperatorRefusal('a name must have 1 to 100 characters and no control characters')
}

function readWebsite(text: string): string {
  const site = readSite(text.trim())
  if (site !== undefined) return site
  throw new OperatorRefusal(`${text} is not a website: give host, host:port or *.host`)
}

function readFiat(code: string): string {
  if (isFiat(code)) return code
  throw new OperatorRefusal(`${code} is not an ISO 4217 currency code`)
}

function readCurrency(code: string): string {
  if (isCurrency(code)) return code
  throw new OperatorRefusal(`${code} is not a currency`)
}

const ADDRESS_LENGTH = 512

/** Reads an address, or '' for no address. The address guard checks the host before anything is sent there. */
function readAddress(text: string): string {
  if (text === '') return ''
  const url = URL.parse(text)
  if (text.length <= ADDRESS_LENGTH && url !== null && /^https?:$/.test(url.protocol)) return text
  throw new OperatorRefusal(`${text} is not an absolute http or https address`)
}

export function readMethod(text: string): Method {
  return readOneOf(methodNames(), text)
}

export function readRoutedMethod(text: string): RoutedMethod {
  return readOneOf<RoutedMethod>([...methodNames(), ...payoutMethodNames], text)
}

function readOneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text)
  if (found !== undefined) return found
  throw new OperatorRefusal(`${text} is not a method: use one of ${names.join(', ')}`, 'method')
}

function readAllOrSome(what: string, text: string, known: readonly string[]): string[] | null {
  if (text === 'all') return null
  const names = readList(text)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined && names.length > 0) return names
  throw new OperatorRefusal(
    `${unknown ?? 'an empty list'} is not a ${what}: use all, or a list of ${known.join(', ')}`,
  )
}

function readSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new OperatorRefusal(`${text} is neither "on" nor "off"`)
}

function readIpRange(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  const most = version === 6 ? 128 : 32
  const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most)
  if (version !== 0 && fits && rest.length === 0) return text.toLowerCase()
  throw new OperatorRefusal(`${text} is not an IP address or a range such as 203.0.113.0/24`)
}

/** Reads an amount in US cents. Null if the text is `none`. */
export function readLimit(text: string): bigint | null {
  return text === 'none' ? null : readDollars(text)
}

/** Reads a threshold in euro cents, because only SEPA payments are reviewed. Null means the method's own threshold. */
function readReviewAbove(text: string): bigint | null {
  if (text === 'none') return null
  const cents = parseDecimal(text, 'EUR')
  if (cents !== undefined) return cents
  throw new OperatorRefusal(`${text} is not an amount in euros such as 5000.00`)
}

function readDollars(text: string): bigint {
  const cents = parseDecimal(text, 'USD')
  if (cents !== undefined) return cents
  throw new OperatorRefusal(`${text} is not an amount in US dollars such as 500.00`)
}

function readTimezone(text: string): string {
  try {
    // A name begins with a letter. Intl also accepts offsets such as +01:00, which have no daylight saving time.
    if (/^[A-Za-z]/.test(text))
      return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {}
  throw new OperatorRefusal(`${text} is not a time zone: give an IANA name such as Europe/Berlin`)
}

/** Reads an accent colour. Null means our own colour. */
function readAccent(text: string): string | null {
  if (text === 'none') return null
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  throw new OperatorRefusal(`${text} is not a colour such as #0f766e`)
}
