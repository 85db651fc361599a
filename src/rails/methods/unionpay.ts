import { HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const unionpay = {
  paymentTypes: ['UNIONPAY_H5', 'UNIONPAY'],
  paymentModes: ['3'],
  currencies: ['CNY', 'USD', 'EUR', 'HKD'],
  confirmedAt: 'UnionPay',
  refundable: false,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
