import type { PayerAction } from '../../../contract/channel.ts'
import { qrPh } from '../../../toolkit/formats/qr-ph.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge } from '../bank/charge.ts'

/** The account in the QR Ph code is the acquirer's number of the payee. The reference names the order. */
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
