// States of orders, as they stand in SQL.

import { State } from '../../orders/order.ts'
import { wasPaid } from '../../orders/paid-order.ts'

const states = Object.values(State)

export const PAID = `(${states.filter(wasPaid).join(', ')})`
