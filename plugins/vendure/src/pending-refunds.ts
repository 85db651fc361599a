import type { PaymentOptions } from '@vendure/core'

type RefundProcess = NonNullable<PaymentOptions['refundProcess']>[number]

/** Vendure's own process reports an error for a refund that is still pending when it has been created. */
export const pendingRefunds: RefundProcess = {
  transitions: { Pending: { to: ['Pending'], mergeStrategy: 'merge' } },
}
