import type { PayerAction, StartRequest } from '../../../contract/channel.ts'
import { perTransfer } from '../../../methods/per-transfer.ts'
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

/** The bank needs the payer's identity. */
function toOpen({ details, personal }: StartRequest) {
  return {
    payerDocumentType: details.customerIdentificationType,
    payerDocument: personal.customerIdentification,
  }
}

export const connectPerTransfer = connectBank({
  method: 'per_transfer',
  traits: perTransfer,
  reports: 'deposits',
  toOpen,
  actionOf: perTransferAction,
})
