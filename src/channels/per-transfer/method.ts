import { type MethodTraits, THREE_DAYS } from '../traits.ts'

export const perTransfer = {
  paymentTypes: ['PER_TRANSFER'],
  paymentModes: ['19'],
  currencies: ['PEN'],
  currencyAliases: { PER: 'PEN' },
  refundable: false,
  awaitsPayerMinutes: THREE_DAYS,
  asks: [],
} as const satisfies MethodTraits
