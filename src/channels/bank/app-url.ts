import type { BankCharge } from './charge.ts'

/** The bank's own page for the payer, as the part of an action that opens it. */
export function appUrlOf({ payerUrl }: BankCharge): { readonly appUrl?: string } {
  return payerUrl === undefined ? {} : { appUrl: payerUrl }
}
