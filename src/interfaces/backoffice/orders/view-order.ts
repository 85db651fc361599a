// One order with everything that happened to it, for its page.

import type { Vault } from '../../base/secret.ts'
import { isMethod } from '../../channels/method.ts'
import type { Channels } from '../../channels/routing.ts'
import type { Chargeback } from '../../chargebacks/chargeback.ts'
import { chargebacksOf } from '../../chargebacks/find-chargeback.ts'
import { readReasons } from '../../chargebacks/reasons.ts'
import { type ExplainedAttempt, type Explanation, explainOrder } from '../../order-queries/explain-order.ts'
import { readWholeDetails } from '../../order-queries/read-details.ts'
import { type OrderMoney, readOrderMoney } from '../../order-queries/read-money.ts'
import { findOrders } from '../../order-queries/search/find-orders.ts'
import type { FoundOrder } from '../../order-queries/search/found-order.ts'
import type { Details } from '../../orders/new-order.ts'
import type { OrderKey } from '../../orders/order.ts'
import type { Db } from '../../postgres/db.ts'
import { refundsOf } from '../../refunds/find-refund.ts'
import { mayRefund } from '../../refunds/refund.ts'
import { requestsOfOrder } from '../../request-log/find-requests.ts'
import { hitsOf } from '../../risk/find-hits.ts'
import { money, toRow } from './order-row.ts'

export type ViewDeps = { readonly db: Db; readonly vault: Vault; readonly channels: Channels }

type Seer = { readonly isOperator: boolean; readonly seesRequests: boolean }

/** Undefined if there is no such payment. */
export async function viewOrder({ db, vault, channels }: ViewDeps, key: OrderKey, seer: Seer) {
  const { merNo, tradeNo } = key
  const forOperator = seer.isOperator
  const [found, position, explained, refunds, chargebacks, reasonOf, { details }, hits] = await Promise.all([
    findOrders(db, merNo, { number: tradeNo }, undefined, 1),
    readOrderMoney(db, key),
    explainOrder(db, tradeNo),
    refundsOf(db, merNo, tradeNo),
    chargebacksOf(db, merNo, tradeNo),
    readReasons(db),
    readWholeDetails({ db, vault }, key),
    hitsOf(db, merNo, tradeNo),
  ])
  const [row] = found.orders
  if (row === undefined || position === undefined || explained === undefined) return undefined
  const { currency } = position
  const of = (amount: bigint) => money(amount, currency)
  const { merOrderNo, createdAt: madeAt } = row
  const requests = seer.seesRequests ? await requestsOfOrder(db, merNo, { merOrderNo, tradeNo, madeAt }) : []
  return {
    order: toRow(row, forOperator),
    kind: explained.kind,
    merchant: explained.merchant,
    decidedAt: explained.decidedAt,
    ...sumsOf(explained),
    marginHeld: of(position.marginHeld),
    fees: { ...feesOf(explained), exceptions: of(position.exceptionFees) },
    refundable: of(refundableOf(channels, position, row)),
    settledAt: position.settledAt?.toISOString() ?? null,
    details: listDetails(details),
    states: [...explained.states],
    attempts: explained.attempts.map((attempt) => toAttempt(attempt, forOperator)),
    // A rule that only watches is the operators' business.
    risk: hits
      .filter(({ watched }) => forOperator || !watched)
      .map(({ attemptNo, name, action, watched, at }) => {
        return { attemptNo, name, action, watched, at: at.toISOString() }
      }),
    deposits: explained.deposits.map(({ depositRef, amount, currency, state, at }) => {
      return { depositRef, money: { amount, currency }, state, at }
    }),
    refunds: refunds.map((refund) => ({
      refundNo: refund.refundNo,
      merRefundNo: refund.merRefundNo ?? null,
      money: of(refund.money.amount),
      fee: of(refund.fee),
      state: refund.state,
      message: refund.message,
      remark: refund.remark,
      createdAt: refund.createdAt.toISOString(),
      decidedAt: refund.decidedAt?.toISOString() ?? null,
    })),
    chargebacks: chargebacks.map((one) => toChargeback(one, reasonOf(one.reason))),
    entries: explained.entries.map(({ step, debit, credit, amount, currency, at }) => {
      return { step, debit, credit, money: { amount, currency }, at }
    }),
    notifications: explained.notifications.map((one) => ({ ...one, deliveries: [...one.deliveries] })),
    requests: requests.map(({ requestId, at, endpoint, code, reason }) => {
      return { requestId, at: at.toISOString(), endpoint, code, reason }
    }),
  }
}

function sumsOf({ currency, received, margin, remainder }: Explanation) {
  const of = (amount: string | null) => (amount === null ? null : { amount, currency })
  return { received: of(received), margin: of(margin), remainder: of(remainder) }
}

function feesOf({ currency, handlingFee, processingFee }: Explanation) {
  const of = (amount: string | null) => (amount === null ? null : { amount, currency })
  return { handling: of(handlingFee), processing: of(processingFee) }
}

/** Not more than was paid, which may be less than the order's amount. */
function refundableOf(
  channels: Channels,
  position: OrderMoney,
  { channel, method }: Pick<FoundOrder, 'channel' | 'method'>,
): bigint {
  const { state, amount, received, refunded } = position
  const known = isMethod(method) ? method : undefined
  const isPossible = channel !== null && channels.named(channel, known)?.traits.refundable === true
  if (!isPossible || !mayRefund(state)) return 0n
  const paid = received !== null && received < amount ? received : amount
  return paid - refunded
}

function toAttempt(attempt: ExplainedAttempt, forOperator: boolean) {
  const { attemptNo, state, channelRef, message, card, createdAt, decidedAt } = attempt
  const shown = { attemptNo, state, channelRef, message, card, createdAt, decidedAt }
  return forOperator ? { ...shown, channel: attempt.channel } : shown
}

function toChargeback(chargeback: Chargeback, reasonInWords: string) {
  const { chargebackId, state, reason, money: disputed, fee, ...times } = chargeback
  return {
    chargebackId,
    state,
    reason,
    reasonInWords,
    money: money(disputed.amount, disputed.currency),
    fee: money(fee, disputed.currency),
    openedAt: times.openedAt.toISOString(),
    resolvedAt: times.resolvedAt?.toISOString() ?? null,
  }
}

const MOST_DETAILS = 60

/** Fields with a plain value. Addresses of pages and lists of products are left out. */
function listDetails(details: Details): { name: string; value: string }[] {
  return Object.entries(details)
    .filter(([name, value]) => isShown(name, value))
    .map(([name, value]) => ({ name, value: String(value) }))
    .slice(0, MOST_DETAILS)
}

function isShown(name: string, value: unknown): boolean {
  if (/url$/i.test(name) || value === '') return false
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
