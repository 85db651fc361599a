// Everything about one order, for operators. A read model: it changes nothing, and contains no card number, address or secret.

import { merNoOf } from '../base/id.ts'
import { formatAmount } from '../base/money.ts'
import { listAttempts, listNotifications } from '../notifications/list-notifications.ts'
import type { ListedNotification } from '../notifications/listed.ts'
import { attemptReference } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
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

/** Amounts are decimals in `currency`, those of entries in the entry's currency. Times are ISO 8601. Null: not known yet. */
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
  /** First six and last four digits; null when it was no card. */
  readonly card: string | null
  readonly createdAt: string
  readonly decidedAt: string | null
  /** When the channel is asked next, while the attempt is open. */
  readonly askAt: string | null
  readonly asks: number
}

/** A payer's deposit; `suspense`: it did not pay the order. */
export type ExplainedDeposit = {
  readonly depositRef: string
  readonly attemptNo: number
  readonly amount: string
  readonly currency: string
  readonly state: string
  readonly txHash: string | null
  readonly at: string
}

/** A channel's dispute and its result. */
export type ExplainedDispute = {
  readonly disputeRef: string
  /** inquiry, open, won or lost. */
  readonly stage: string
  readonly channel: string
  readonly amount: string
  readonly currency: string
  readonly reason: string
  readonly at: string
  /** Empty while it waits for its payment. */
  readonly result: string
}

export type ExplainedPayout = {
  readonly kind: string
  /** The end of the account; empty while there is none. */
  readonly account: string
  readonly accountKind: string | null
  readonly state: string
  readonly fee: string
  /** The amount taken from the available balance, with a rate if that is in another currency. */
  readonly fundingAmount: string
  readonly fundingCurrency: string
  readonly fundingRate: string | null
  readonly needsApproval: boolean
  readonly approvedAt: string | null
  readonly rail: string
  readonly reference: string
  readonly railRef: string | null
  readonly askAt: string | null
  readonly asks: number
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
  /** When the next delivery is due; null when there is none. */
  readonly dueAt: string | null
  /** Whether its merchant is paused. */
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
  /** Why it does not count as delivered; null if it does, or is under way. */
  readonly error: string | null
}

/** Undefined when there is no such order. */
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
    payout: payout === undefined ? null : explainPayout(payout, order.currency),
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

function explainPayout(row: PayoutRow, currency: string): ExplainedPayout {
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
    rail: row.rail,
    reference: row.reference,
    railRef: row.rail_ref,
    askAt: isoOrNull(row.ask_at),
    asks: row.asks,
  }
}

function explainEntry({ step, debit, credit, currency, amount, at }: EntryRow): ExplainedEntry {
  return { step, debit, credit, currency, amount: formatAmount(amount, currency), at: at.toISOString() }
}

function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}
