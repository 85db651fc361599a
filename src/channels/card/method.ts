import { HALF_AN_HOUR, type MethodTraits } from '../traits.ts'

export const card = {
  paymentTypes: [''],
  paymentModes: ['CREDIT_CARD', '0', '1'],
  currencies: 'any',
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
