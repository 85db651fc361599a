// Refunds have Medusa's own refund id as their number, so the gateway makes each of them once, however often it is asked.
import { type Refund, type RefundFields, type Tollgate, TollgateError } from '@tollgate/sdk'

/** Longer than a channel usually needs. A refund that takes longer counts as made; a later failure is logged. */
const WAIT_MS = 15_000

export type NumberedRefund = RefundFields & { readonly merRefundNo: string }

/** Throws if it is certain, or must be assumed, that no money goes back. */
export async function refundOnce(tollgate: Tollgate, fields: NumberedRefund): Promise<Refund> {
  const accepted = await accept(tollgate, fields)
  // It is accepted; if the gateway does not answer now, it is still on its way.
  return accepted.resolve({ waitMs: WAIT_MS }).catch(() => accepted)
}

async function accept(tollgate: Tollgate, fields: NumberedRefund): Promise<Refund> {
  try {
    return await tollgate.refund(fields)
  } catch (error) {
    if (!(error instanceof TollgateError) || error.next !== 'retry-later') throw error
    return tollgate.queryRefund(fields)
  }
}

/** The one refund of a payment whose session is gone. */
export function lateRefundNumber(merOrderNo: string): string {
  return `late-${merOrderNo}`
}
