import { appUrlOf } from '../bank/app-url.ts'
import type { BankCharge } from '../bank/charge.ts'
import type { PayerAction } from '../contract.ts'
import { qrPh } from './qr-ph.ts'

/** The account is the acquirer's number for the shop. Orders share it; the reference identifies the order. */
export function gcashAction(charge: BankCharge): PayerAction | undefined {
  const { money, account: store = '', bic = '', payee = '', paymentReference: reference = '' } = charge
  if (money === undefined) return undefined
  const qrCode = qrPh({ bic, store, payee, money, reference })
  return qrCode === undefined ? undefined : { kind: 'qr', qrCode, reference, payee, ...appUrlOf(charge) }
}
