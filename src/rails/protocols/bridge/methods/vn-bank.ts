import type { Fields } from '../../../../platform/base/object.ts'
import type { Reference } from '../../../../platform/reference/reference.ts'
import type { PayerAction, StartRequest } from '../../../contract/channel.ts'
import type { Connect } from '../../../contract/settings.ts'
import { vietQr } from '../../../toolkit/formats/viet-qr.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge } from '../bank/charge.ts'

/**
 * Tells the bridge which bank the account must be at, and whether the payer pays by QR code or transfer. The bridge
 * sends both fields back.
 */
function toOpen({ details }: StartRequest): Fields {
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

export const connectVnBank: Connect = (settings, tools) =>
  connectBank({
    method: 'vn_bank',
    reports: 'deposits',
    toOpen,
    actionOf: (charge) => vnBankAction(tools.reference, charge),
  })(settings, tools)
