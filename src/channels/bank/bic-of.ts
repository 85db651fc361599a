import { isBic } from '../../base/iban.ts'
import type { BankCharge } from './charge.ts'

/** For rails where the BIC is optional: leaves out an invalid one. */
export function bicOf({ bic }: BankCharge): { readonly bic?: string } {
  return bic !== undefined && isBic(bic) ? { bic } : {}
}
