// Writes the request that opens a payment. The idempotency key is the attempt's reference, so Adyen recognises a
// repeated request even if its body differs.

import { stateCodeOf } from '../../../platform/base/country.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { CardDetails, StartRequest } from '../../contract/channel.ts'
import type { Method } from '../../methods/methods.ts'
import { taxNumberOf } from '../../methods/pix.ts'
import { browserOf } from '../../toolkit/three-d-secure.ts'
import { applePayData, googlePayToken } from '../../toolkit/wallet-token.ts'
import { toAmount } from './wire.ts'

export const served = [
  'card',
  'apple_pay',
  'google_pay',
  'alipay',
  'wechat',
  'unionpay',
  'cash_app',
  'gcash',
  'pix',
  'sepa',
] as const satisfies readonly Method[]

export type AdyenMethod = (typeof served)[number]

export function isServed(method: Method): method is AdyenMethod {
  return served.some((one) => one === method)
}

/**
 * Returns the body of the payment request. Undefined if our request lacks a field that the method needs, or if Adyen
 * cannot express the amount.
 */
export function toPayment(
  method: AdyenMethod,
  request: StartRequest,
  { merchantAccount, now }: { readonly merchantAccount: string; readonly now: Date },
): Fields | undefined {
  const amount = toAmount(request.money)
  const particular = particulars[method](request, now)
  if (amount === undefined || particular === undefined) return undefined
  const ip = textOf(request.details.ipAddress)
  return {
    merchantAccount,
    amount,
    reference: request.reference,
    returnUrl: request.completeUrl,
    ...(ip !== '' && { shopperIP: ip }),
    ...shopperEmail(request.details),
    ...particular,
  }
}

function toApplePay(text: string): string | undefined {
  const data = applePayData(text)
  return data === undefined ? undefined : Buffer.from(data).toString('base64')
}

type Particular = (request: StartRequest, now: Date) => Fields | undefined

const particulars: Readonly<Record<AdyenMethod, Particular>> = {
  card: (request, now) =>
    request.card && {
      paymentMethod: toCard(request.card, request.details),
      ...captured,
      ...toShopper(request, now),
    },
  apple_pay: (request, now) => wallet('applepay', 'applePayToken', toApplePay, request, now),
  google_pay: (request, now) => wallet('googlepay', 'googlePayToken', googlePayToken, request, now),
  alipay: ({ terminal }) => paidBy(terminal === 'WAP' ? 'alipay_wap' : 'alipay'),
  wechat: () => paidBy('wechatpayQR'),
  unionpay: () => paidBy('unionpay'),
  cash_app: () => ({
    paymentMethod: { type: 'cashapp', subtype: 'redirect' },
    countryCode: 'US',
    channel: 'Web',
  }),
  gcash: () => ({ ...paidBy('gcash'), countryCode: 'PH' }),
  pix: toPix,
  // The payer makes a credit transfer, as in every SEPA channel. A direct debit would need the payer's IBAN and a
  // mandate.
  sepa: () => paidBy('bankTransfer_IBAN'),
}

/**
 * Captures at once, even if the account captures later by default: the gateway counts an authorised payment as paid.
 */
const captured = { captureDelayHours: 0 }

function paidBy(type: string): Fields {
  return { paymentMethod: { type } }
}

function wallet(
  type: string,
  field: string,
  convert: (text: string) => string | undefined,
  request: StartRequest,
  now: Date,
): Fields | undefined {
  const token = convert(request.walletToken ?? '')
  if (token === undefined) return undefined
  return { paymentMethod: { type, [field]: token }, ...captured, ...toShopper(request, now) }
}

function toPix({ personal, details, expiresAt }: StartRequest): Fields | undefined {
  const { socialSecurityNumber } = { ...details, ...personal }
  const tax = taxNumberOf(textOf(socialSecurityNumber))
  const [firstName = '', ...rest] = textOf(details.name).split(/\s+/)
  if (tax === undefined || firstName === '') return undefined
  return {
    ...paidBy('pix'),
    countryCode: 'BR',
    shopperName: {
      firstName: firstName.slice(0, MAX_NAME),
      lastName: (rest.join(' ') || firstName).slice(0, MAX_NAME),
    },
    socialSecurityNumber: 'cpf' in tax ? tax.cpf : tax.cnpj,
    // The Pix code expires with the order. Otherwise a payer could pay an order that has ended.
    sessionValidity: expiresAt.toISOString(),
  }
}

/** The maximum length of a wallet token in Checkout v72. An Apple Pay token is measured after its base64 encoding. */
export const MAX_TOKEN = 10_000

/** Returns the wallet token in the body of a payment request. Undefined if the payment is not by wallet token. */
export function tokenIn({ paymentMethod }: Fields): string | undefined {
  const { applePayToken, googlePayToken } = isObject(paymentMethod) ? paymentMethod : {}
  const token = applePayToken ?? googlePayToken
  return typeof token === 'string' ? token : undefined
}

// The fields about a card, its holder and the holder's browser. 3-D Secure uses a redirect: Adyen's page talks to the
// issuer, so our page needs no script from Adyen.

/** The value that Adyen's documentation prescribes for an unknown part of an address. */
const NOT_KNOWN = 'N/A'
// The maximum lengths of Checkout v72. Adyen would refuse a payment with a longer value, so a longer value is cut, left
// out or replaced.
const MAX_HOLDER = 256
const MAX_NAME = 80
const MAX_PHONE = 64
const MAX_ORIGIN = 80
const MAX_POSTAL_CODE = 10
const COLOR_DEPTHS: readonly unknown[] = [1, 4, 8, 15, 16, 24, 30, 32, 48]

function toCard(card: CardDetails, details: Fields): Fields {
  const holderName = holderOf(details)
  return {
    type: 'scheme',
    number: card.number,
    expiryMonth: card.expiryMonth.padStart(2, '0'),
    expiryYear: card.expiryYear.length === 2 ? `20${card.expiryYear}` : card.expiryYear,
    cvc: card.securityCode,
    ...(holderName !== '' && { holderName }),
  }
}

function holderOf({ billingFirstName, billingLastName }: Fields): string {
  return [billingFirstName, billingLastName].map(textOf).filter(Boolean).join(' ').slice(0, MAX_HOLDER)
}

function shopperName({ billingFirstName, billingLastName }: Fields): Fields {
  const [firstName, lastName] = [textOf(billingFirstName), textOf(billingLastName)]
  return fits(firstName, MAX_NAME) && fits(lastName, MAX_NAME) ? { shopperName: { firstName, lastName } } : {}
}

function telephoneNumber({ billingPhone }: Fields): Fields {
  const phone = textOf(billingPhone)
  return fits(phone, MAX_PHONE) ? { telephoneNumber: phone } : {}
}

function fits(text: string, mostCharacters: number): boolean {
  return text !== '' && text.length <= mostCharacters
}

/** Returns the fields about the payer and the payer's browser, for cards and wallets. */
function toShopper(request: StartRequest, now: Date): Fields {
  const { details, completeUrl, challenge } = request
  const attempt = challenge === true ? { attemptAuthentication: 'always' } : {}
  const { origin } = new URL(completeUrl)
  return {
    channel: 'Web',
    ...(fits(origin, MAX_ORIGIN) && { origin }),
    ...browserInfo(details, now),
    ...shopperName(details),
    ...telephoneNumber(details),
    ...addressOf(details, 'billing', 'billingAddress'),
    ...addressOf(details, 'shipping', 'deliveryAddress'),
    authenticationData: { ...attempt, threeDSRequestData: { nativeThreeDS: 'disabled' } },
  }
}

/**
 * Returns all of the browser's fields or none, because Adyen refuses an incomplete set. Without a user agent, no field
 * is sent. Otherwise each missing or invalid field gets a default value.
 */
function browserInfo(details: Fields, now: Date): Fields {
  const browser = browserOf(details, now)
  const userAgent = textOf(browser.browserUserAgent)
  if (userAgent === '') return {}
  const { browserColorDepth: depth, browserTZ } = browser
  return {
    browserInfo: {
      userAgent,
      acceptHeader: textOf(browser.browserAcceptHeader) || '*/*',
      language: textOf(browser.browserLanguage) || 'en',
      colorDepth: COLOR_DEPTHS.includes(depth) ? depth : 24,
      screenHeight: wholeOf(browser.browserScreenHeight, 1080),
      screenWidth: wholeOf(browser.browserScreenWidth, 1920),
      timeZoneOffset: wholeOf(browserTZ, 0),
      javaEnabled: browser.browserJavaEnabled === true,
    },
  }
}

const NEED_STATE = ['US', 'CA']

/**
 * Returns the address, with "N/A" for missing parts, because Adyen requires all parts. Returns no address if the
 * country is unknown, or if the country's addresses need a state and the state is unknown.
 */
function addressOf(details: Fields, kind: 'billing' | 'shipping', field: string): Fields {
  const part = (name: string) => textOf(details[`${kind}${name}`])
  const country = part('Country')
  if (!/^[A-Z]{2}$/.test(country)) return {}
  const stateOrProvince = stateOrProvinceOf(country, part('State'))
  if (stateOrProvince === undefined && NEED_STATE.includes(country)) return {}
  return {
    [field]: {
      country,
      street: part('Address1') || NOT_KNOWN,
      houseNumberOrName: part('Address2') || NOT_KNOWN,
      city: part('City') || NOT_KNOWN,
      postalCode: postalCode(country, part('ZipCode')),
      ...(stateOrProvince !== undefined && { stateOrProvince }),
      ...(kind === 'shipping' && recipientOf(part('FirstName'), part('LastName'))),
    },
  }
}

/**
 * Returns the code of the state. Any code of two or three letters is accepted, even if it is missing in ISO 3166-2,
 * such as the code of a military address.
 */
function stateOrProvinceOf(country: string, state: string): string | undefined {
  return stateCodeOf(country, state) ?? (/^[A-Za-z]{2,3}$/.test(state) ? state.toUpperCase() : undefined)
}

/**
 * Returns the postal code, or "N/A" if Adyen would refuse it. Of a code in the United States, only the first five
 * digits are sent.
 */
function postalCode(country: string, code: string): string {
  if (country === 'US') return /^\d{5}(?=([- ]?\d{4})?$)/.exec(code)?.[0] ?? NOT_KNOWN
  return fits(code, MAX_POSTAL_CODE) ? code : NOT_KNOWN
}

function recipientOf(firstName: string, lastName: string): Fields {
  return { ...(firstName !== '' && { firstName }), ...(lastName !== '' && { lastName }) }
}

function shopperEmail({ billingEmail, email }: Fields): Fields {
  const found = textOf(billingEmail) || textOf(email)
  return found === '' ? {} : { shopperEmail: found }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

function wholeOf(value: unknown, usual: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : usual
}
