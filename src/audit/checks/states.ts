// Order states for SQL.

import { wasPaid } from '../../payments/paid-order.ts'
import { State } from '../../payments/payment.ts'

const states = Object.values(State)

export const PAID = `(${states.filter(wasPaid).join(', ')})`
