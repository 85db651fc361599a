import type { Operation } from '../operation.ts'
import { changeFees, rotateKey, setRate } from './change-merchant.ts'
import { correctBalance, decideApproval } from './correct-balance.ts'
import { decideOutcome } from './decide-outcome.ts'
import { openChargeback, resolveChargeback } from './dispute.ts'
import { forgedCallback } from './forge-callback.ts'
import { usedNumber, wrongSignature } from './forge-request.ts'
import { returnPayout, returnRefund } from './give-back.ts'
import { liveOnCredit } from './live-on-credit.ts'
import { flood, payByCard } from './pay-by-card.ts'
import { payByLink } from './pay-by-link.ts'
import { payByEachMethod } from './pay-by-method.ts'
import { payHostedOperations } from './pay-on-our-page.ts'
import { payTooLate } from './pay-too-late.ts'
import { payWithToken } from './pay-with-token.ts'
import { payouts } from './payout.ts'
import { queryBalance, queryChargeback, queryOrder, queryRefund, queryStates, queryTotals } from './query.ts'
import { queryPages } from './query-pages.ts'
import { reconcile, writeStatement } from './reconcile.ts'
import { refunds } from './refund.ts'
import { refundMany } from './refund-many.ts'
import { releasePayout, releaseRefund } from './release.ts'
import { decideReview, pickForReview, submitReview } from './review.ts'
import { runPayouts } from './run-payouts.ts'
import { settleDue } from './settle-due.ts'
import { spendAtOnce } from './spend-at-once.ts'
import { assignStrayMoney, importStrayMoney } from './stray-money.ts'
import { explainOrder, resendNotifications } from './support.ts'
import { decideSuspense } from './suspense.ts'

/** Operations that run commands are rare, because each command opens its own connections to the database. */
export const operations: readonly Operation[] = [
  payByCard,
  ...payByEachMethod,
  payTooLate,
  payWithToken,
  ...payHostedOperations,
  flood,
  ...refunds,
  ...payouts,
  spendAtOnce,
  liveOnCredit,
  returnPayout,
  returnRefund,
  queryOrder,
  queryRefund,
  queryChargeback,
  queryStates,
  queryPages,
  queryBalance,
  queryTotals,
  submitReview,
  wrongSignature,
  usedNumber,
  forgedCallback,
  settleDue,
  openChargeback,
  resolveChargeback,
  decideReview,
  pickForReview,
  decideSuspense,
  importStrayMoney,
  assignStrayMoney,
  correctBalance,
  decideApproval,
  decideOutcome,
  releaseRefund,
  releasePayout,
  payByLink,
  refundMany,
  runPayouts,
  reconcile,
  writeStatement,
  rotateKey,
  changeFees,
  setRate,
  explainOrder,
  resendNotifications,
]
