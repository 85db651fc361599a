// Order states for SQL.

import { State, wasPaid } from '../../orders/order.ts'

const states = Object.values(State)

export const PAID = `(${states.filter(wasPaid).join(', ')})`
