import type { Check } from '../check.ts'
import { answeredRefunds } from './answered-refunds.ts'
import { answeredSuccess } from './answered-success.ts'
import { databaseAtRest } from './database-at-rest.ts'
import { debtsWithinCredit } from './debts-within-credit.ts'
import { decisionsAudited } from './decisions-audited.ts'
import { disputesAgree } from './disputes-agree.ts'
import { duesByTerms } from './dues-by-terms.ts'
import { ledgerVerify } from './ledger-verify.ts'
import { logsExplained } from './logs-explained.ts'
import { madeByPeople } from './made-by-people.ts'
import { marginsByRule } from './margins-by-rule.ts'
import { noContradiction } from './no-contradiction.ts'
import { noDeadlock } from './no-deadlock.ts'
import { noLateCall } from './no-late-call.ts'
import { noOverdraft } from './no-overdraft.ts'
import { nothingRefused } from './nothing-refused.ts'
import { notificationsDelivered } from './notifications-delivered.ts'
import { outcomesDecided } from './outcomes-decided.ts'
import { paymentsAgree } from './payments-agree.ts'
import { payoutRates } from './payout-rates.ts'
import { payoutsAgree } from './payouts-agree.ts'
import { processesAtRest } from './processes-at-rest.ts'
import { refundsAgree } from './refunds-agree.ts'
import { refundsByState } from './refunds-by-state.ts'
import { refundsWithinPaid } from './refunds-within-paid.ts'
import { resultsNotified } from './results-notified.ts'
import { returnsAgree } from './returns-agree.ts'

export const checks: readonly Check[] = [
  answeredSuccess,
  answeredRefunds,
  nothingRefused,
  outcomesDecided,
  paymentsAgree,
  refundsAgree,
  payoutsAgree,
  disputesAgree,
  refundsWithinPaid,
  refundsByState,
  returnsAgree,
  marginsByRule,
  payoutRates,
  debtsWithinCredit,
  duesByTerms,
  decisionsAudited,
  madeByPeople,
  noOverdraft,
  noLateCall,
  resultsNotified,
  notificationsDelivered,
  noContradiction,
  ledgerVerify,
  logsExplained,
  databaseAtRest,
  noDeadlock,
  processesAtRest,
]
