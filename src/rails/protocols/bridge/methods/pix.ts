// Pix over the bridge. The bank behind the bridge makes the BR Code. The gateway checks the code as strictly as it does
// in the protocol `pix`.
import type { Fields } from '../../../../platform/base/object.ts'
import type { PayerAction, StartRequest } from '../../../contract/channel.ts'
import { taxNumberOf } from '../../../methods/pix.ts'
import { payeeIn } from '../../../toolkit/formats/br-code.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge } from '../bank/charge.ts'

/** Adds the payer's name and tax number to the charge, because some banks need both. */
function toOpen({ details, personal }: StartRequest): Fields {
  const { socialSecurityNumber: number } = { ...details, ...personal }
  const tax = typeof number === 'string' ? taxNumberOf(number) : undefined
  return { payerName: details.name, payerDocument: tax && ('cpf' in tax ? tax.cpf : tax.cnpj) }
}

/**
 * Returns the bank's QR code. If the code has a txid, it must be the charge's payment reference, or our reference if
 * the charge has no payment reference.
 */
export function pixAction(charge: BankCharge): PayerAction | undefined {
  const { money, qrCode, paymentReference: reference = charge.reference } = charge
  if (money === undefined || qrCode === undefined) return undefined
  const payee = payeeIn(qrCode, { money, txid: reference })
  return payee === undefined ? undefined : { kind: 'qr', qrCode, payee, reference, ...appUrlOf(charge) }
}

export const bridgePix = connectBank({
  method: 'pix',
  reports: 'deposits',
  toOpen,
  actionOf: pixAction,
})
