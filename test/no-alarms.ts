import type { Alarms } from '../src/channels/alarms.ts'

/** For channels whose counterparty sends nothing that brings an operator. */
export const noAlarms: Alarms = { async raise() {} }
