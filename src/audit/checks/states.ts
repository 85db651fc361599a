// States of orders, as they stand in SQL.

import { State, wasPaid } from '../../orders/states.ts'

const states = Object.values(State)

export const PAID = `(${states.filter(wasPaid).join(', ')})`
