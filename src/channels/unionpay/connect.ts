import { connectBank } from '../bank/connect.ts'
import { redirectTo } from '../bank/redirect.ts'
import { unionpay } from './method.ts'

export const connectUnionpay = connectBank({
  method: 'unionpay',
  traits: unionpay,
  reports: 'exact',
  actionOf: redirectTo,
})
