import { connectBank } from '../bank/connect.ts'
import type { StartRequest } from '../contract.ts'
import { gcashAction } from './action.ts'
import { gcash } from './method.ts'

/** GCash uses these for its risk checks. */
function toOpen({ terminal, details: { userId, osType } }: StartRequest) {
  return { userId, osType, terminal }
}

export const connectGcash = connectBank({
  method: 'gcash',
  traits: gcash,
  reports: 'deposits',
  toOpen,
  actionOf: gcashAction,
})
