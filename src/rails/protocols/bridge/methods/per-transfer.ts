import type { PayerAction } from '../../../contract/channel.ts'
import { isCci } from '../../../toolkit/formats/cci.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge, bicOf } from '../bank/charge.ts'

export function perTransferAction(charge: BankCharge): PayerAction | undefined {
  const { account = '', bank, payee, paymentReference: reference } = charge
  if (!isCci(account) || reference === undefined) return undefined
  if (bank === undefined || payee === undefined) return undefined
  return {
    kind: 'transfer',
    accountKind: 'cci',
    account,
    bank,
    payee,
    reference,
    ...bicOf(charge),
    ...appUrlOf(charge),
  }
}

export const connectPerTransfer = connectBank({
  method: 'per_transfer',
  reports: 'deposits',
  // The bank needs the payer's identity.
  toOpen: ({ details, personal }) => ({
    payerDocumentType: details.customerIdentificationType,
    payerDocument: personal.customerIdentification,
  }),
  actionOf: perTransferAction,
})
