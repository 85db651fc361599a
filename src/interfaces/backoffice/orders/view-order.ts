// Converts orders to replies: a row of a list, an order with its whole history, and an order at an earlier time.
import type { Static } from 'typebox'
import {
  type BookedChargeback,
  type Chargeback,
  isBooked,
  refusedAmounts,
} from '../../../money/chargebacks/chargeback.ts'
import { chargebacksOf } from '../../../money/chargebacks/find-chargeback.ts'
import { readReasons } from '../../../money/chargebacks/reasons.ts'
import { readBalancesAt } from '../../../money/ledger/read-balances.ts'
import {
  type ExplainedAttempt,
  type Explanation,
  explainOrder,
} from '../../../money/order-queries/explain-order.ts'
import { orderAt } from '../../../money/order-queries/order-at.ts'
import {
  type OrderMoney,
  readOrderMoney,
  readWholeDetails,
} from '../../../money/order-queries/read-details.ts'
import { findOrders } from '../../../money/order-queries/search/find-orders.ts'
import type { FoundOrder } from '../../../money/order-queries/search/scan-orders.ts'
import type { Details } from '../../../money/orders/new-order.ts'
import type { OrderKey } from '../../../money/orders/order.ts'
import { refundsOf } from '../../../money/refunds/find-refund.ts'
import { hasMoneyBack, mayRefund } from '../../../money/refunds/refund.ts'
import { hitsOf } from '../../../money/risk/hits.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { requestsOfOrder } from '../../../platform/request-log/find-requests.ts'
import { isMethod } from '../../../rails/methods/methods.ts'
import type { Channels } from '../../../rails/routing/routing.ts'
import { money, toMoney } from '../money.ts'
import type { OrderRow } from './api.ts'
import { stageOf } from './order-stage.ts'

/** Returns a row of the list. Only operators see the channel. */
export function toRow(found: FoundOrder, forOperator: boolean): Static<typeof OrderRow> {
  const { currency, cardBrand, cardLast4, handlingFee, processingFee } = found
  const isCharged = handlingFee !== null || processingFee !== null
  return {
    merNo: Number(found.merNo),
    tradeNo: found.tradeNo,
    merOrderNo: found.merOrderNo,
    createdAt: found.createdAt.toISOString(),
    state: found.state,
    stage: stageOf(found),
    method: found.method,
    money: money(found.amount, currency),
    ...(found.refunded > 0n && { refunded: money(found.refunded, currency) }),
    ...(found.chargedBack > 0n && { chargedBack: money(found.chargedBack, currency) }),
    ...(isCharged && { fees: money((handlingFee ?? 0n) + (processingFee ?? 0n), currency) }),
    settled: found.settled,
    ...(found.settleAmount !== null && { settleMoney: money(found.settleAmount, found.settleCurrency) }),
    message: found.message,
    email: found.email,
    payerName: found.payerName,
    ...(cardLast4 !== null && { card: { brand: cardBrand ?? '', last4: cardLast4 } }),
    ...(found.reference !== null && { reference: found.reference }),
    ...(forOperator && found.channel !== null && { channel: found.channel }),
  }
}

export type ViewDeps = { readonly db: Db; readonly vault: Vault; readonly channels: Channels }

type Seer = { readonly isOperator: boolean; readonly seesRequests: boolean }

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
    // Only operators see the hits of a rule that only watches.
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

/**
 * Returns the amount that can still be refunded: the lower of the paid amount and the order's amount, minus all
 * refunds. Zero if the order cannot be refunded.
 */
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
    money: toMoney(disputed),
    fee: money(fee, disputed.currency),
    openedAt: times.openedAt.toISOString(),
    resolvedAt: times.resolvedAt?.toISOString() ?? null,
  }
}

const MOST_DETAILS = 60

/** Returns the order's details as texts. URLs, empty values, lists and objects are left out. */
export function listDetails(details: Details): { name: string; value: string }[] {
  return Object.entries(details)
    .filter(([name, value]) => isShown(name, value))
    .map(([name, value]) => ({ name, value: String(value) }))
    .slice(0, MOST_DETAILS)
}

function isShown(name: string, value: unknown): boolean {
  if (/url$/i.test(name) || value === '') return false
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

export async function viewPast(db: Db, key: OrderKey, moment: Date) {
  const { merNo, tradeNo } = key
  const [order, balances, chargebacks, refunds] = await Promise.all([
    orderAt(db, key, moment),
    readBalancesAt(db, merNo, moment),
    chargebacksOf(db, merNo, tradeNo),
    refundsOf(db, merNo, tradeNo),
  ])
  const past = {
    moment: moment.toISOString(),
    balances: balances.map(({ currency, available, unsettled, margin }) => ({
      currency,
      available: money(available, currency),
      unsettled: money(unsettled, currency),
      margin: money(margin, currency),
    })),
  }
  if (order === undefined) return { ...past, answer: { code: '10026' }, uncertain: [] }
  const { state, message, settled, attempts, attempt, received = null } = order
  const stood = refunds.filter(({ createdAt, state, decidedAt }) => {
    const isBack = hasMoneyBack(state) && decidedAt !== undefined && decidedAt <= moment
    return createdAt <= moment && !isBack
  })
  const refunded = stood.reduce((sum, refund) => sum + refund.money.amount, 0n)
  const chargeback = chargebackAt(chargebacks, moment)
  const { amount, currency } = order.money
  const stage = stageOf({ state, message, amount, received, refunded, ...attempt })
  return {
    ...past,
    order: { state, stage, message, settled, attempts, refunded: money(refunded, currency) },
    answer: { code: '00000', data: { ...order.answer, ...(chargeback && refusedAmounts(chargeback)) } },
    uncertain: [...order.uncertain],
  }
}

/** Returns the latest booked chargeback that was opened at `moment` or before. Its state is the state at `moment`. */
function chargebackAt(chargebacks: readonly Chargeback[], moment: Date): BookedChargeback | undefined {
  const latest = chargebacks.filter(isBooked).findLast(({ openedAt }) => openedAt <= moment)
  if (latest?.resolvedAt === undefined || latest.resolvedAt <= moment) return latest
  return { ...latest, state: 'open', resolvedAt: undefined }
}
