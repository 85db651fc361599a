import { HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const cashApp = {
  paymentTypes: ['CASH_APP'],
  paymentModes: [],
  currencies: ['USD'],
  confirmedAt: 'Cash App Pay',
  refundable: false,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
