import type { PayerAction } from '../../../contract/channel.ts'
import { isClabe } from '../../../toolkit/formats/clabe.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge, bicOf } from '../bank/charge.ts'

/**
 * Returns the payer's action. The reference must have at most seven digits, because Mexican banks do not accept more.
 */
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

export const connectSpei = connectBank({
  method: 'spei',
  reports: 'deposits',
  actionOf: speiAction,
})
