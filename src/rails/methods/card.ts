import { type AskedField, HALF_AN_HOUR, type MethodTraits } from '../traits.ts'
import { countriesWithoutPostalCodes } from './postal-codes.ts'

/** Lengths as in the interface. The page lists the countries in the payer's language. */
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

/** Acquirers use these for risk checks. We ask for no more, because every further field loses payers. */
const usual: readonly string[] = [
  'billingFirstName',
  'billingLastName',
  'billingEmail',
  'billingCountry',
  'billingZipCode',
]

/** The default fields plus further ones that a channel needs. */
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
