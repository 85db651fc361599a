// Explains one order to operators: its states, attempts, money and notifications. The explanation contains no full card
// number, no address and no secret.

import { merNoOf } from '../../platform/base/id.ts'
import { formatAmount } from '../../platform/base/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { listAttempts, listNotifications } from '../notifications/list-notifications.ts'
import type { ListedNotification } from '../notifications/notification.ts'
import { attemptReference } from '../orders/order.ts'
import {
  type AttemptRow,
  type DisputeRow,
  type EntryRow,
  type ExplainRow,
  type PayoutRow,
  selectAttempts,
  selectDisputes,
  selectEntries,
  selectEvents,
  selectOrder,
  selectPayout,
} from './explain-sql.ts'
import { type FoundDeposit, listDeposits } from './list-deposits.ts'

/**
 * Amounts are decimals in `currency`; the amounts of entries are in the entry's currency. Times are ISO 8601. Null
 * means that there is no value, or that it is not known yet.
 */
export type Explanation = {
  readonly tradeNo: string
  readonly merNo: number
  readonly merchant: string
  readonly merOrderNo: string
  readonly kind: string
  readonly method: string
  readonly currency: string
  readonly amount: string
  readonly state: number
  readonly message: string
  readonly createdAt: string
  readonly decidedAt: string | null
  readonly received: string | null
  readonly handlingFee: string | null
  readonly processingFee: string | null
  readonly margin: string | null
  readonly remainder: string | null
  readonly settleCurrency: string
  /** Null for a pay-in. */
  readonly payout: ExplainedPayout | null
  readonly states: readonly ExplainedChange[]
  readonly attempts: readonly ExplainedAttempt[]
  readonly deposits: readonly ExplainedDeposit[]
  readonly disputes: readonly ExplainedDispute[]
  readonly entries: readonly ExplainedEntry[]
  readonly notifications: readonly ExplainedNotification[]
}

export type ExplainedChange = {
  readonly from: number
  readonly to: number
  readonly why: string
  readonly at: string
}

export type ExplainedAttempt = {
  readonly attemptNo: number
  readonly channel: string
  readonly state: string
  readonly channelRef: string | null
  readonly message: string
  /** The first six and last four digits; null without a card. */
  readonly card: string | null
  readonly createdAt: string
  readonly decidedAt: string | null
  /** When the channel is asked next; null if the attempt is not open. */
  readonly askAt: string | null
  readonly asks: number
}

/** The state `suspense` means that the deposit did not pay the order. */
export type ExplainedDeposit = {
  readonly depositRef: string
  readonly attemptNo: number
  readonly amount: string
  readonly currency: string
  readonly state: string
  readonly txHash: string | null
  readonly at: string
}

export type ExplainedDispute = {
  readonly disputeRef: string
  /** `inquiry`, `open`, `won` or `lost`. */
  readonly stage: string
  readonly channel: string
  readonly amount: string
  readonly currency: string
  readonly reason: string
  readonly at: string
  /** Empty while the dispute waits for its payment. */
  readonly result: string
}

export type ExplainedPayout = {
  readonly kind: string
  /** The last characters; empty if there is no account yet. */
  readonly account: string
  readonly accountKind: string | null
  readonly state: string
  readonly fee: string
  /** The amount taken from the available balance. `fundingRate` is set if that balance is in another currency. */
  readonly fundingAmount: string
  readonly fundingCurrency: string
  readonly fundingRate: string | null
  readonly needsApproval: boolean
  readonly approvedAt: string | null
  /** True if the merchant's own staff must approve the payout. */
  readonly needsMerchantApproval: boolean
  readonly merchantApprovedAt: string | null
  readonly rail: string
  readonly reference: string
  readonly railRef: string | null
  readonly askAt: string | null
  readonly asks: number
  /** What came back of a returned payout. Null if nothing came back, or if the rail did not report the amount. */
  readonly returned: string | null
  /** The part of a returned payout that did not come back. The merchant bears this part. */
  readonly returnCost: string | null
}

export type ExplainedEntry = {
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amount: string
  readonly at: string
}

export type ExplainedNotification = {
  readonly notificationId: string
  readonly event: string
  readonly url: string
  readonly state: string
  readonly madeAt: string
  /** The due time of the delivery under way or of the next one; null if there is neither. */
  readonly dueAt: string | null
  /** True if deliveries to the merchant are paused. */
  readonly paused: boolean
  readonly deliveries: readonly ExplainedDelivery[]
}

export type ExplainedDelivery = {
  readonly attemptNo: number
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly status: number | null
  readonly latencyMs: number | null
  readonly answer: string | null
  /** Null if this delivery succeeded or is still under way. */
  readonly error: string | null
}

export async function explainOrder(db: Db, tradeNo: string): Promise<Explanation | undefined> {
  const merNo = merNoOf(tradeNo)
  const order = merNo === undefined ? undefined : await selectOrder(db, merNo, tradeNo)
  if (merNo === undefined || order === undefined) return undefined
  const [payout, events, attempts, deposits, entries, notifications] = await Promise.all([
    order.kind === 'payout' ? selectPayout(db, merNo, tradeNo) : undefined,
    selectEvents(db, merNo, tradeNo),
    selectAttempts(db, merNo, tradeNo),
    listDeposits(db, { merNo, tradeNo }),
    selectEntries(db, merNo, tradeNo),
    explainNotifications(db, tradeNo),
  ])
  const references = attempts.map((attempt) => attemptReference(tradeNo, attempt.attempt_no))
  return {
    tradeNo,
    merNo,
    ...explainSums(order),
    payout: payout === undefined ? null : explainPayout(payout, order),
    states: events.map((event) => {
      return { from: event.from_state, to: event.to_state, why: event.why, at: event.at.toISOString() }
    }),
    attempts: attempts.map(explainAttempt),
    deposits: deposits.map(explainDeposit),
    disputes: (await selectDisputes(db, references)).map(explainDispute),
    entries: entries.map(explainEntry),
    notifications,
  }
}

/** Oldest first, each with its deliveries. */
async function explainNotifications(db: Db, tradeNo: string): Promise<ExplainedNotification[]> {
  const listed = await listNotifications(db, { tradeNo })
  return Promise.all(listed.reverse().map((one) => explainNotification(db, one)))
}

async function explainNotification(db: Db, one: ListedNotification): Promise<ExplainedNotification> {
  const { merNo, notificationId, event, url, state, paused } = one
  const attempts = await listAttempts(db, merNo, notificationId)
  const deliveries = attempts.reverse().map((attempt) => {
    const { startedAt, finishedAt } = attempt
    return { ...attempt, startedAt: startedAt.toISOString(), finishedAt: isoOrNull(finishedAt) }
  })
  const madeAt = one.madeAt.toISOString()
  return { notificationId, event, url, state, madeAt, dueAt: isoOrNull(one.dueAt), paused, deliveries }
}

function explainSums(order: ExplainRow) {
  const sum = (amount: bigint | null) => (amount === null ? null : formatAmount(amount, order.currency))
  return {
    merchant: order.merchant ?? '',
    merOrderNo: order.mer_order_no,
    kind: order.kind,
    method: order.method,
    currency: order.currency,
    amount: formatAmount(order.amount, order.currency),
    state: order.state,
    message: order.message,
    createdAt: order.created_at.toISOString(),
    decidedAt: isoOrNull(order.decided_at),
    received: sum(order.received),
    handlingFee: sum(order.handling_fee),
    processingFee: sum(order.processing_fee),
    margin: sum(order.margin),
    remainder: sum(order.remainder),
    settleCurrency: order.settle_currency,
  }
}

function explainAttempt(row: AttemptRow): ExplainedAttempt {
  const card = row.card_first6 === null ? null : `${row.card_first6}…${row.card_last4} ${row.card_brand}`
  return {
    attemptNo: row.attempt_no,
    channel: row.channel,
    state: row.state,
    channelRef: row.channel_ref,
    message: row.message,
    card,
    createdAt: row.created_at.toISOString(),
    decidedAt: isoOrNull(row.decided_at),
    askAt: isoOrNull(row.ask_at),
    asks: row.asks,
  }
}

function explainDeposit(deposit: FoundDeposit): ExplainedDeposit {
  const { depositRef, attemptNo, money, state, txHash, at } = deposit
  const { currency } = money
  const amount = formatAmount(money.amount, currency)
  return { depositRef, attemptNo, amount, currency, state, txHash: txHash ?? null, at: at.toISOString() }
}

function explainDispute(row: DisputeRow): ExplainedDispute {
  const { channel, stage, currency, reason, result } = row
  const amount = formatAmount(row.amount, currency)
  return {
    disputeRef: row.dispute_ref,
    stage,
    channel,
    amount,
    currency,
    reason,
    at: row.told_at.toISOString(),
    result,
  }
}

function explainPayout(row: PayoutRow, { currency, amount }: ExplainRow): ExplainedPayout {
  const back = row.returned_amount
  return {
    kind: row.kind,
    account: row.account_masked,
    accountKind: row.account_kind,
    state: row.state,
    fee: formatAmount(row.fee, currency),
    fundingAmount: formatAmount(row.funding_amount, row.funding_currency),
    fundingCurrency: row.funding_currency,
    fundingRate: row.funding_rate,
    needsApproval: row.needs_approval,
    approvedAt: isoOrNull(row.approved_at),
    needsMerchantApproval: row.needs_merchant_approval,
    merchantApprovedAt: isoOrNull(row.merchant_approved_at),
    rail: row.rail,
    reference: row.reference,
    railRef: row.rail_ref,
    askAt: isoOrNull(row.ask_at),
    asks: row.asks,
    returned: back === null ? null : formatAmount(back, currency),
    returnCost: back === null ? null : formatAmount(amount - back, currency),
  }
}

function explainEntry({ step, debit, credit, currency, amount, at }: EntryRow): ExplainedEntry {
  return { step, debit, credit, currency, amount: formatAmount(amount, currency), at: at.toISOString() }
}

function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}
