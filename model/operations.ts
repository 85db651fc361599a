// Every operation of the model.
import type { Operation } from './operation.ts'
import { sendAgain } from './operations/again.ts'
import { checkBulk, startBulk } from './operations/bulk.ts'
import { decideTogether, decideUnknown, decideUnknownRefund } from './operations/by-hand.ts'
import { correct, decideCorrection } from './operations/correct.ts'
import { chargeBack, reportDispute, resolveChargeback, takeDisputes } from './operations/dispute.ts'
import { closeUnpaid, leave, makeLink, openLink, switchLink, tryToPay } from './operations/links.ts'
import { chargeLate, pay, resolve } from './operations/pay.ts'
import {
  changeOwnApproval,
  decidePayout,
  endPayout,
  enterAccount,
  payOut,
  returnedPayout,
} from './operations/payout.ts'
import { decideRefund, delayRefund, endRefund, refund, returnedRefund } from './operations/refund.ts'
import { decideReview, endReturn, pickForReview, talkAboutReview } from './operations/review.ts'
import { decideRun, makeRuns, saveAccount, startRun } from './operations/run.ts'
import { importStatement } from './operations/statements.ts'
import { assignHeld, decideHeld } from './operations/suspense.ts'
import {
  changeLimits,
  changeMethodPlan,
  changeNamedPlan,
  changeTerms,
  followPlan,
  limitPlatform,
  setRate,
} from './operations/terms.ts'
import { fold, pass, settleOrders } from './operations/time.ts'
import { deposit, expireTransfer, openTransfer } from './operations/transfers.ts'

export const operations: readonly Pick<Operation<never>, 'name' | 'weight' | 'steps'>[] = [
  pay,
  resolve,
  chargeLate,
  makeLink,
  openLink,
  switchLink,
  tryToPay,
  leave,
  closeUnpaid,
  openTransfer,
  deposit,
  expireTransfer,
  refund,
  sendAgain,
  checkBulk,
  startBulk,
  endRefund,
  delayRefund,
  returnedRefund,
  decideRefund,
  chargeBack,
  resolveChargeback,
  reportDispute,
  takeDisputes,
  payOut,
  enterAccount,
  endPayout,
  returnedPayout,
  decidePayout,
  changeOwnApproval,
  saveAccount,
  startRun,
  decideRun,
  makeRuns,
  decideHeld,
  assignHeld,
  importStatement,
  pickForReview,
  talkAboutReview,
  decideReview,
  endReturn,
  correct,
  decideCorrection,
  decideUnknown,
  decideTogether,
  decideUnknownRefund,
  setRate,
  changeTerms,
  changeMethodPlan,
  changeNamedPlan,
  followPlan,
  changeLimits,
  limitPlatform,
  settleOrders,
  pass,
  fold,
]
