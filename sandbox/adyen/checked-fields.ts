// Checks requests as Adyen does. An error names the field, but never its value.
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import type { Amount } from './signature.ts'

/** An error in Adyen's form. Status 422 means that Adyen understood the request and will never process it. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  if (!isObject(value)) throw invalid(name)
  return value
}

export function textIn(fields: Fields, name: string, pattern = /^.+$/s): string {
  const value = fields[name]
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid(name)
  return value
}

export function amountIn(fields: Fields): Amount {
  const { value, currency } = objectIn(fields, 'amount')
  if (typeof value !== 'number' || !Number.isInteger(value) || value <= 0) throw invalid('amount')
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw invalid('amount')
  return { value, currency }
}

const browserFields: Readonly<Record<string, string>> = {
  acceptHeader: 'string',
  userAgent: 'string',
  language: 'string',
  colorDepth: 'number',
  screenHeight: 'number',
  screenWidth: 'number',
  timeZoneOffset: 'number',
  javaEnabled: 'boolean',
}
const colorDepths: readonly unknown[] = [1, 4, 8, 15, 16, 24, 30, 32, 48]

/** `browserInfo` must be complete or absent. */
export function checkBrowser({ browserInfo }: Fields): void {
  if (browserInfo === undefined) return
  const browser = objectIn({ browserInfo }, 'browserInfo')
  for (const [name, type] of Object.entries(browserFields))
    if (typeof browser[name] !== type) throw invalid(`browserInfo.${name}`)
  if (!colorDepths.includes(browser.colorDepth)) throw invalid('browserInfo.colorDepth')
}

export function checkAddresses(body: Fields): void {
  for (const field of ['billingAddress', 'deliveryAddress']) {
    if (body[field] === undefined) continue
    const address = objectIn(body, field)
    for (const name of ['street', 'houseNumberOrName', 'city']) textIn(address, name)
    const country = textIn(address, 'country', /^[A-Z]{2}$/)
    textIn(address, 'postalCode', country === 'US' ? /^(\d{5}|N\/A)$/ : /^.{1,10}$/)
    if (address.stateOrProvince !== undefined || country === 'US' || country === 'CA')
      textIn(address, 'stateOrProvince', /^.{1,3}$/)
  }
}

const mostCharacters: Readonly<Record<string, number>> = {
  reference: 80,
  returnUrl: 1_024,
  shopperEmail: 256,
  shopperIP: 50,
  telephoneNumber: 64,
  origin: 80,
  socialSecurityNumber: 50,
}

export function checkShopper(body: Fields): void {
  for (const [name, most] of Object.entries(mostCharacters))
    if (body[name] !== undefined && textIn(body, name).length > most) throw invalid(name)
  if (body.shopperName === undefined) return
  const shopper = objectIn(body, 'shopperName')
  for (const name of ['firstName', 'lastName']) textIn(shopper, name, /^.{1,80}$/s)
}

export function checkMerchantAccount(account: string, { merchantAccount }: Fields): void {
  if (merchantAccount !== account) throw new Problem(403, '901', 'Invalid Merchant Account')
}

export function invalid(field: string): Problem {
  return new Problem(422, '130', `Required field '${field}' is missing or invalid`)
}
