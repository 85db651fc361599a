import type { Fields } from '../../base/object.ts'
import type { Reference } from '../../reference/reference.ts'
import { appUrlOf } from '../bank/app-url.ts'
import type { BankCharge } from '../bank/charge.ts'
import type { PayerAction, StartRequest } from '../contract.ts'
import { vietQr } from './viet-qr.ts'

/** The bank of the account, and how to show it to the payer. The counterparty returns both. */
export function toOpen({ details }: StartRequest): Fields {
  return { vaBankId: String(details.vaBankId), payBy: details.paymentMethodStr === 'va' ? 'va' : 'qrcode' }
}

export function vnBankAction(lists: Pick<Reference, 'find'>, charge: BankCharge): PayerAction | undefined {
  const { money, account = '', payee, paymentReference: reference = '', extra } = charge
  const bank = lists.find('banks/vietnam', String(extra.vaBankId))
  if (money === undefined || bank === undefined || payee === undefined) return undefined
  const qrCode = vietQr({ bin: bank.code, account, money, reference })
  if (qrCode === undefined) return undefined
  const at = { bank: bank.name, ...(bank.bic !== '' && { bic: bank.bic }) }
  const shown = { account, reference, payee, ...at, qrCode, ...appUrlOf(charge) }
  return extra.payBy === 'va' ? { kind: 'transfer', accountKind: 'va', ...shown } : { kind: 'qr', ...shown }
}
