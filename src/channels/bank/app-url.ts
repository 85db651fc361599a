import type { BankCharge } from './charge.ts'

/** The `appUrl` of a payer's action: the bank's own page. */
export function appUrlOf({ payerUrl }: BankCharge): { readonly appUrl?: string } {
  return payerUrl === undefined ? {} : { appUrl: payerUrl }
}
