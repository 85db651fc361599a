import { HALF_AN_HOUR, type MethodTraits } from '../traits.ts'

export const wechat = {
  paymentTypes: ['WECHAT'],
  paymentModes: ['4'],
  currencies: ['CNY', 'USD', 'EUR', 'HKD'],
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
