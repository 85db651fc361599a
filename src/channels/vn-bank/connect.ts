import { connectBank } from '../bank/connect.ts'
import type { Connect } from '../settings.ts'
import { toOpen, vnBankAction } from './action.ts'
import { vnBank } from './method.ts'

export const connectVnBank: Connect = (settings, tools) =>
  connectBank({
    method: 'vn_bank',
    traits: vnBank,
    reports: 'deposits',
    toOpen,
    actionOf: (charge) => vnBankAction(tools.reference, charge),
  })(settings, tools)
