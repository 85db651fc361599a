// Why an order ended that nobody paid. State 7 stands for both reasons; the order's message tells which, to merchants by
// query and notification, and to the payer's page.
import type { AttemptState } from '../orders/order.ts'

export const CANCELLED = 'Cancelled by the payer'
export const EXPIRED = 'Expired: nobody paid in time'

/** A channel knows that an attempt was called off, not why: after its payer's time was over, that is the reason. */
export function endingOf(state: AttemptState, isLate: boolean, message: string): string {
  return state === 'pending' && isLate && message !== CANCELLED ? EXPIRED : message
}
