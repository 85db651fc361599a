import { appUrlOf } from '../bank/app-url.ts'
import { bicOf } from '../bank/bic-of.ts'
import type { BankCharge } from '../bank/charge.ts'
import type { PayerAction } from '../contract.ts'
import { isClabe } from './clabe.ts'

/** Mexican banks accept a reference of at most seven digits. */
export function speiAction(charge: BankCharge): PayerAction | undefined {
  const { account = '', bank, payee, paymentReference: reference = '' } = charge
  if (!isClabe(account) || !/^\d{1,7}$/.test(reference)) return undefined
  if (bank === undefined || payee === undefined) return undefined
  return {
    kind: 'transfer',
    accountKind: 'clabe',
    account,
    bank,
    payee,
    reference,
    ...bicOf(charge),
    ...appUrlOf(charge),
  }
}
