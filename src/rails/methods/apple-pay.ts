import { HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const applePay = {
  paymentTypes: ['APPLE_PAY'],
  paymentModes: [],
  currencies: 'any',
  confirmedAt: 'Apple Pay',
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
