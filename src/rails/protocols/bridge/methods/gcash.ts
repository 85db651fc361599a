import type { PayerAction } from '../../../contract/channel.ts'
import { qrPh } from '../../../toolkit/formats/qr-ph.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge } from '../bank/charge.ts'

/**
 * Returns the QR Ph code. The charge's `account` is the acquirer's number for the merchant, and the reference
 * identifies the payment.
 */
export function gcashAction(charge: BankCharge): PayerAction | undefined {
  const { money, account: store = '', bic = '', payee = '', paymentReference: reference = '' } = charge
  if (money === undefined) return undefined
  const qrCode = qrPh({ bic, store, payee, money, reference })
  return qrCode === undefined ? undefined : { kind: 'qr', qrCode, reference, payee, ...appUrlOf(charge) }
}

export const connectGcash = connectBank({
  method: 'gcash',
  reports: 'deposits',
  // GCash uses these fields for its risk checks.
  toOpen: ({ terminal, details: { userId, osType } }) => ({ userId, osType, terminal }),
  actionOf: gcashAction,
})
