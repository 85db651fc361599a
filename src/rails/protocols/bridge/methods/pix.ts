// Pix over the bridge. The bank behind the bridge makes the BR Code; it is checked as strictly as a bank's own.
import type { Fields } from '../../base/object.ts'
import { appUrlOf } from '../bank/app-url.ts'
import type { BankCharge } from '../bank/charge.ts'
import { connectBank } from '../bank/connect.ts'
import type { PayerAction, StartRequest } from '../contract.ts'
import { payeeIn } from '../pix/br-code.ts'
import { pix, taxNumberOf } from '../pix/method.ts'

/** The payer's name and tax number, which a bank may want in the charge. */
function toOpen({ details, personal }: StartRequest): Fields {
  const { socialSecurityNumber: number } = { ...details, ...personal }
  const tax = typeof number === 'string' ? taxNumberOf(number) : undefined
  return { payerName: details.name, payerDocument: tax && ('cpf' in tax ? tax.cpf : tax.cnpj) }
}

/** The txid is our reference, unless the bridge names another one. */
export function pixAction(charge: BankCharge): PayerAction | undefined {
  const { money, qrCode, paymentReference: reference = charge.reference } = charge
  if (money === undefined || qrCode === undefined) return undefined
  const payee = payeeIn(qrCode, { money, txid: reference })
  return payee === undefined ? undefined : { kind: 'qr', qrCode, payee, reference, ...appUrlOf(charge) }
}

export const bridgePix = connectBank({
  method: 'pix',
  traits: pix,
  reports: 'deposits',
  toOpen,
  actionOf: pixAction,
})
