import type { Check } from '../check.ts'
import { answeredRefunds } from './answered-refunds.ts'
import { answeredSuccess } from './answered-success.ts'
import { databaseAtRest } from './database-at-rest.ts'
import { disputesAgree } from './disputes-agree.ts'
import { ledgerVerify } from './ledger-verify.ts'
import { logsExplained } from './logs-explained.ts'
import { noContradiction } from './no-contradiction.ts'
import { noDeadlock } from './no-deadlock.ts'
import { noOverdraft } from './no-overdraft.ts'
import { nothingRefused } from './nothing-refused.ts'
import { notificationsDelivered } from './notifications-delivered.ts'
import { outcomesDecided } from './outcomes-decided.ts'
import { paymentsAgree } from './payments-agree.ts'
import { payoutsAgree } from './payouts-agree.ts'
import { processesAtRest } from './processes-at-rest.ts'
import { refundsAgree } from './refunds-agree.ts'
import { refundsWithinPaid } from './refunds-within-paid.ts'
import { resultsNotified } from './results-notified.ts'

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
  noOverdraft,
  resultsNotified,
  notificationsDelivered,
  noContradiction,
  ledgerVerify,
  logsExplained,
  databaseAtRest,
  noDeadlock,
  processesAtRest,
]
