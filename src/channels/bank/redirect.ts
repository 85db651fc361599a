import type { PayerAction } from '../contract.ts'
import type { BankCharge } from './charge.ts'

/** Sends the payer to the wallet's own page. */
export function redirectTo({ payerUrl }: BankCharge): PayerAction | undefined {
  return payerUrl === undefined ? undefined : { kind: 'redirect', url: payerUrl }
}
