import type { Alarms } from '../../src/rails/toolkit/alarms.ts'

/** The alarms of a channel whose counterparty sends nothing that an operator must check. */
export const noAlarms: Alarms = { async raise() {} }
