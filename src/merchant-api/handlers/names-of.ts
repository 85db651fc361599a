import type { NewPayment } from '../../orders/new-order.ts'

/** The numbers of an order; its own comes in both spellings of the interface. */
export function namesOf({ tradeNo, merOrderNo }: NewPayment) {
  return { tradeNo, merOrderNo, merorderNo: merOrderNo }
}
