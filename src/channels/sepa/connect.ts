import { connectBank } from '../bank/connect.ts'
import { sepaAction } from './action.ts'
import { sepa } from './method.ts'

export const connectSepa = connectBank({
  method: 'sepa',
  traits: sepa,
  reports: 'deposits',
  actionOf: sepaAction,
})
