// States and conditions of orders for SQL.

import { State, wasPaid } from '../../orders/order.ts'

const states = Object.values(State)

export const PAID = `(${states.filter(wasPaid).join(', ')})`

/** An order has one due of this kind exactly as long as this holds. */
export const settlementIsDue = `(kind = 'payment' and state in ${PAID} and settled_at is null)`
export const marginIsDue = `(kind = 'payment' and state in ${PAID} and coalesce(margin, 0) > 0 and margin_released_at is null)`
