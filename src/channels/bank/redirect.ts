import type { PayerAction } from '../contract.ts'
import type { BankCharge } from './charge.ts'

/** A wallet's own page is all its payer needs. */
export function redirectTo({ payerUrl }: BankCharge): PayerAction | undefined {
  return payerUrl === undefined ? undefined : { kind: 'redirect', url: payerUrl }
}
