import { type AskedField, HALF_AN_HOUR, type MethodTraits } from '../traits.ts'

/** The lengths are those of the interface. Countries are listed by the page, each in its reader's language. */
const billing: readonly AskedField[] = [
  { name: 'billingFirstName', maxLength: 50, autocomplete: 'billing given-name' },
  { name: 'billingLastName', maxLength: 50, autocomplete: 'billing family-name' },
  { name: 'billingEmail', maxLength: 100, autocomplete: 'billing email' },
  { name: 'billingPhone', maxLength: 20, autocomplete: 'billing tel' },
  { name: 'billingAddress1', maxLength: 128, autocomplete: 'billing address-line1' },
  { name: 'billingCity', maxLength: 100, autocomplete: 'billing address-level2' },
  { name: 'billingState', maxLength: 100, autocomplete: 'billing address-level1' },
  { name: 'billingZipCode', maxLength: 20, autocomplete: 'billing postal-code' },
  { name: 'billingCountry', maxLength: 2, autocomplete: 'billing country' },
]

export const card = {
  paymentTypes: [''],
  paymentModes: ['CREDIT_CARD', '0', '1'],
  currencies: 'any',
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: billing,
} as const satisfies MethodTraits
