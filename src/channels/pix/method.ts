import { HALF_AN_HOUR, type MethodTraits } from '../traits.ts'

export const pix = {
  paymentTypes: ['PIX'],
  paymentModes: ['7'],
  currencies: ['BRL'],
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [],
} as const satisfies MethodTraits
