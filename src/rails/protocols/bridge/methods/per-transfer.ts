import { appUrlOf } from '../bank/app-url.ts'
import { bicOf } from '../bank/bic-of.ts'
import type { BankCharge } from '../bank/charge.ts'
import type { PayerAction } from '../contract.ts'
import { isCci } from './cci.ts'

export function perTransferAction(charge: BankCharge): PayerAction | undefined {
  const { account = '', bank, payee, paymentReference: reference } = charge
  if (!isCci(account) || reference === undefined) return undefined
  if (bank === undefined || payee === undefined) return undefined
  return {
    kind: 'transfer',
    accountKind: 'cci',
    account,
    bank,
    payee,
    reference,
    ...bicOf(charge),
    ...appUrlOf(charge),
  }
}
