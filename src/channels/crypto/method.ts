import type { MethodTraits } from '../traits.ts'

export const crypto = {
  paymentTypes: ['CRYPTO'],
  paymentModes: ['5'],
  currencies: 'any',
  refundable: true,
  awaitsPayerMinutes: 60,
  asks: [],
} as const satisfies MethodTraits
