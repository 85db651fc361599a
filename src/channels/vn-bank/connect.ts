import { connectBank } from '../bank/connect.ts'
import { toOpen, vnBankAction } from './action.ts'
import { vnBank } from './method.ts'

export const connectVnBank = connectBank({
  method: 'vn_bank',
  traits: vnBank,
  tells: 'deposits',
  toOpen,
  actionOf: vnBankAction,
})
