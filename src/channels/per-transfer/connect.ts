import { connectBank } from '../bank/connect.ts'
import type { StartRequest } from '../contract.ts'
import { perTransferAction } from './action.ts'
import { perTransfer } from './method.ts'

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
