// Order states for SQL.

import { State, wasPaid } from '../../orders/states.ts'

const states = Object.values(State)

export const PAID = `(${states.filter(wasPaid).join(', ')})`
