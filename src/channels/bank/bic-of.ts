import { isValidBIC } from 'ibantools'
import type { BankCharge } from './charge.ts'

/** For rails that find an account without it: what is no BIC is left out. */
export function bicOf({ bic }: BankCharge): { readonly bic?: string } {
  return bic !== undefined && isValidBIC(bic) ? { bic } : {}
}
