import { HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const googlePay = {
  paymentTypes: ['GOOGLE_PAY'],
  paymentModes: [],
  currencies: 'any',
  confirmedAt: 'Google Pay',
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
