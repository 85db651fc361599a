import { allTerminals } from './terminal.ts'
import { HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const gcash = {
  paymentTypes: ['GCASH'],
  paymentModes: ['8'],
  currencies: ['PHP'],
  terminals: allTerminals,
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [{ name: 'email', maxLength: 255, autocomplete: 'email' }],
} as const satisfies MethodTraits
