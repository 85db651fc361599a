import type { Failed } from './contract.ts'

/** For channels whose method has no refunds: the counterparty is not called. */
export const notRefundable: Failed = {
  kind: 'failed',
  cause: 'refused',
  message: 'This payment method has no refunds',
}
