// What Adyen wants to know of a card, its holder and the holder's browser. 3-D Secure is by redirect: Adyen's page talks to
// the issuer, so that our page needs no script of Adyen.
import type { Fields } from '../../base/object.ts'
import { browserOf } from '../card/three-d-secure.ts'
import type { CardDetails, StartRequest } from '../contract.ts'

/** What Adyen's documentation says to send for a part of an address that is not known. */
const NOT_KNOWN = 'N/A'
const MAX_NAME = 256
const COLOR_DEPTHS: readonly unknown[] = [1, 4, 8, 15, 16, 24, 30, 32, 48]

export function toCard(card: CardDetails, details: Fields): Fields {
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
  return [billingFirstName, billingLastName].map(textOf).filter(Boolean).join(' ').slice(0, MAX_NAME)
}

function shopperName({ billingFirstName, billingLastName }: Fields): Fields {
  const [firstName, lastName] = [textOf(billingFirstName), textOf(billingLastName)]
  return firstName === '' || lastName === '' ? {} : { shopperName: { firstName, lastName } }
}

function telephoneNumber({ billingPhone }: Fields): Fields {
  const phone = textOf(billingPhone)
  return phone === '' ? {} : { telephoneNumber: phone }
}

/** For cards and wallets: who pays, and in which browser. */
export function toShopper(request: StartRequest, now: Date): Fields {
  const { details, completeUrl, challenge } = request
  const attempt = challenge === true ? { attemptAuthentication: 'always' } : {}
  return {
    channel: 'Web',
    origin: new URL(completeUrl).origin,
    ...browserInfo(details, now),
    ...shopperName(details),
    ...telephoneNumber(details),
    ...addressOf(details, 'billing', 'billingAddress'),
    ...addressOf(details, 'shipping', 'deliveryAddress'),
    authenticationData: { ...attempt, threeDSRequestData: { nativeThreeDS: 'disabled' } },
  }
}

/** Adyen takes all of it or nothing. What the merchant did not send is what most browsers would say. */
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

/** Adyen takes an address only with all its parts. */
function addressOf(details: Fields, kind: 'billing' | 'shipping', field: string): Fields {
  const part = (name: string) => textOf(details[`${kind}${name}`])
  const country = part('Country')
  if (!/^[A-Z]{2}$/.test(country)) return {}
  const stateOrProvince = part('State')
  return {
    [field]: {
      country,
      street: part('Address1') || NOT_KNOWN,
      houseNumberOrName: part('Address2') || NOT_KNOWN,
      city: part('City') || NOT_KNOWN,
      postalCode: part('ZipCode') || NOT_KNOWN,
      ...(stateOrProvince !== '' && { stateOrProvince }),
      ...(kind === 'shipping' && recipientOf(part('FirstName'), part('LastName'))),
    },
  }
}

function recipientOf(firstName: string, lastName: string): Fields {
  return { ...(firstName !== '' && { firstName }), ...(lastName !== '' && { lastName }) }
}

export function shopperEmail({ billingEmail, email }: Fields): Fields {
  const found = textOf(billingEmail) || textOf(email)
  return found === '' ? {} : { shopperEmail: found }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

function wholeOf(value: unknown, usual: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : usual
}
