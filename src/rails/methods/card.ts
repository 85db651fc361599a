import { type AskedField, HALF_AN_HOUR, type MethodTraits } from './traits.ts'

/**
 * Country codes of ISO 3166. Ireland has postal codes but is listed, because many people there do not know their code.
 */
const countriesWithoutPostalCodes: readonly string[] = [
  ...['AE', 'AG', 'AO', 'AW', 'BF', 'BI', 'BJ', 'BO', 'BQ', 'BS', 'BW', 'BZ', 'CD', 'CF', 'CG', 'CI', 'CK'],
  ...['CM', 'CW', 'DJ', 'DM', 'ER', 'FJ', 'GA', 'GD', 'GH', 'GM', 'GN', 'GQ', 'GY', 'HK', 'IE', 'JM', 'KI'],
  ...['KM', 'KN', 'KP', 'LC', 'LY', 'ML', 'MO', 'MR', 'MW', 'NR', 'NU', 'PA', 'QA', 'RW', 'SB', 'SC', 'SL'],
  ...['SO', 'SR', 'ST', 'SX', 'SY', 'TD', 'TG', 'TK', 'TL', 'TO', 'TT', 'TV', 'UG', 'VU', 'WS', 'YE', 'ZW'],
]

/** All billing fields, with their maximum lengths in the merchant API. */
const billing: readonly AskedField[] = [
  { name: 'billingFirstName', maxLength: 50, autocomplete: 'billing given-name' },
  { name: 'billingLastName', maxLength: 50, autocomplete: 'billing family-name' },
  { name: 'billingEmail', maxLength: 100, autocomplete: 'billing email' },
  { name: 'billingPhone', maxLength: 20, autocomplete: 'billing tel' },
  { name: 'billingAddress1', maxLength: 128, autocomplete: 'billing address-line1' },
  { name: 'billingCity', maxLength: 100, autocomplete: 'billing address-level2' },
  { name: 'billingState', maxLength: 100, autocomplete: 'billing address-level1' },
  { name: 'billingCountry', maxLength: 2, autocomplete: 'billing country' },
  {
    name: 'billingZipCode',
    maxLength: 20,
    autocomplete: 'billing postal-code',
    optionalWhere: { field: 'billingCountry', values: countriesWithoutPostalCodes },
  },
]

/**
 * The fields that acquirers use for risk checks. Our pages ask for a further field only if a channel needs it, because
 * each further field makes some payers give up.
 */
const usual: readonly string[] = [
  'billingFirstName',
  'billingLastName',
  'billingEmail',
  'billingCountry',
  'billingZipCode',
]

export function billingAsks(further: readonly string[] = []): readonly AskedField[] {
  return billing.filter(({ name }) => usual.includes(name) || further.includes(name))
}

export function isBillingField(name: string): boolean {
  return billing.some((field) => field.name === name)
}

export const card = {
  paymentTypes: [''],
  paymentModes: ['CREDIT_CARD', '0', '1'],
  currencies: 'any',
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: billingAsks(),
} as const satisfies MethodTraits
