import { State, type StateNumber } from '../../orders/order.ts'

const MAX_LENGTH = 80

/** Why an order ended unpaid, for counting: numbers in a channel's message would make every reason a different one. */
export function reasonOf(state: StateNumber, message: string): string {
  if (state !== State.failed && state !== State.cancelled) return ''
  return message
    .replace(/[A-Za-z]*\d[\w-]{3,}/g, '…')
    .trim()
    .slice(0, MAX_LENGTH)
}
