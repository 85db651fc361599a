import { type MethodTraits, THREE_DAYS } from './traits.ts'

export const sepa = {
  paymentTypes: ['SEPA'],
  paymentModes: ['9'],
  currencies: ['EUR'],
  reviewAbove: '10000.00',
  reportsPayerAccount: true,
  refundable: true,
  awaitsPayerMinutes: THREE_DAYS,
  paidByTransfer: true,
  asks: [{ name: 'email', maxLength: 255, autocomplete: 'email' }],
} as const satisfies MethodTraits
