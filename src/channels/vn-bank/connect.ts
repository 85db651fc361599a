import { connectBank } from '../bank/connect.ts'
import { toOpen, vnBankAction } from './action.ts'
import { vnBank } from './method.ts'

export const connectVnBank = connectBank({
  method: 'vn_bank',
  traits: vnBank,
  reports: 'deposits',
  toOpen,
  actionOf: vnBankAction,
})
