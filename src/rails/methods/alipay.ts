import { allTerminals } from './terminal.ts'
import { HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const alipay = {
  paymentTypes: ['ALIPAY'],
  paymentModes: ['2'],
  currencies: ['CNY', 'USD', 'EUR', 'HKD'],
  terminals: allTerminals,
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
