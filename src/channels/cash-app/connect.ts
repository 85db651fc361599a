import { connectBank } from '../bank/connect.ts'
import { redirectTo } from '../bank/redirect.ts'
import { cashApp } from './method.ts'

export const connectCashApp = connectBank({
  method: 'cash_app',
  traits: cashApp,
  reports: 'exact',
  actionOf: redirectTo,
})
