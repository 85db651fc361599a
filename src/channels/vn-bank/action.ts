import type { Fields } from '../../base/object.ts'
import { assert } from '../../errors/catalogue.ts'
import { appUrlOf } from '../bank/app-url.ts'
import type { BankCharge } from '../bank/charge.ts'
import type { PayerAction, StartRequest } from '../contract.ts'
import { chosenBank } from './banks.ts'
import { vietQr } from './viet-qr.ts'

/** The bank of the account, and how to show it to the payer. The counterparty returns both. */
export function toOpen({ details }: StartRequest): Fields {
  const bank = chosenBank(details)
  assert(bank !== undefined, 'a payment in Vietnam starts with a bank that exists')
  return { vaBankId: bank.bin, payBy: details.paymentMethodStr === 'va' ? 'va' : 'qrcode' }
}

export function vnBankAction(charge: BankCharge): PayerAction | undefined {
  const { money, account = '', payee, paymentReference: reference = '', extra } = charge
  const bank = chosenBank(extra)
  if (money === undefined || bank === undefined || payee === undefined) return undefined
  const qrCode = vietQr({ bin: bank.bin, account, money, reference })
  if (qrCode === undefined) return undefined
  const at = { bank: bank.name, ...(bank.bic !== undefined && { bic: bank.bic }) }
  const shown = { account, reference, payee, ...at, qrCode, ...appUrlOf(charge) }
  return extra.payBy === 'va' ? { kind: 'transfer', accountKind: 'va', ...shown } : { kind: 'qr', ...shown }
}
