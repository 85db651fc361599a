import { type MethodTraits, THREE_DAYS } from '../traits.ts'

export const vnBank = {
  paymentTypes: ['VN_BANK'],
  paymentModes: [],
  currencies: ['VND'],
  refundable: true,
  awaitsPayerMinutes: THREE_DAYS,
  asks: [],
} as const satisfies MethodTraits
