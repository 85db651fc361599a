import { connectBank } from '../bank/connect.ts'
import { speiAction } from './action.ts'
import { spei } from './method.ts'

export const connectSpei = connectBank({
  method: 'spei',
  traits: spei,
  reports: 'deposits',
  actionOf: speiAction,
})
