import { type MethodTraits, THREE_DAYS } from './traits.ts'

export const spei = {
  paymentTypes: ['SPEI'],
  paymentModes: ['17'],
  currencies: ['MXN'],
  refundable: true,
  awaitsPayerMinutes: THREE_DAYS,
  paidByTransfer: true,
  asks: [],
} as const satisfies MethodTraits
