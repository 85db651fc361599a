// Explains one order to operators: its states, attempts, money and notifications. The explanation contains no full card
// number, no e-mail or postal address and no secret.

import { merNoOf } from '../../platform/base/id.ts'
import { formatAmount } from '../../platform/base/money.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../platform/postgres/lists.ts'
import { listAttempts, listNotifications } from '../notifications/list-notifications.ts'
import type { ListedNotification } from '../notifications/notification.ts'
import { attemptReference } from '../orders/order.ts'
import { type FoundDeposit, listDeposits } from './list-deposits.ts'

/**
 * The explanation of an order. Amounts are decimals in the order's `currency`, unless another currency stands next to
 * the amount. Times are ISO 8601. Null means that there is no value, or that it is not known yet.
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
  readonly payout: ExplainedPayout | null
  readonly states: readonly ExplainedChange[]
  readonly attempts: readonly ExplainedAttempt[]
  readonly deposits: readonly ExplainedDeposit[]
  readonly disputes: readonly ExplainedDispute[]
  readonly entries: readonly ExplainedEntry[]
  readonly notifications: readonly ExplainedNotification[]
}

type ExplainedChange = {
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
  /** The card's first six and last four digits, and its brand. Null if the attempt was made without a card. */
  readonly card: string | null
  readonly createdAt: string
  readonly decidedAt: string | null
  /** The time from which the resolver calls the channel about the attempt. Null once the attempt is decided. */
  readonly askAt: string | null
  readonly asks: number
}

/** A payer's deposit. In the state `suspense`, the deposit has not paid the order. */
type ExplainedDeposit = {
  readonly depositRef: string
  readonly attemptNo: number
  readonly amount: string
  readonly currency: string
  readonly state: string
  readonly txHash: string | null
  readonly at: string
}

/** A report of a channel that a dispute has reached a stage. */
type ExplainedDispute = {
  readonly disputeRef: string
  /** The stage is `inquiry`, `open`, `won` or `lost`. */
  readonly stage: string
  readonly channel: string
  readonly amount: string
  readonly currency: string
  readonly reason: string
  readonly at: string
  /** The result of processing this report, such as "refused: …". Empty until the report is processed. */
  readonly result: string
}

type ExplainedPayout = {
  readonly kind: string
  /** The account, masked. Empty if there is no account yet. */
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
  /** The part of a returned payout that was credited. Null if nothing came back or the amount was not reported. */
  readonly returned: string | null
  /** The part of a returned payout that was not credited. The merchant bears this part. */
  readonly returnCost: string | null
}

type ExplainedEntry = {
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amount: string
  readonly at: string
}

type ExplainedNotification = {
  readonly notificationId: string
  readonly event: string
  readonly url: string
  readonly state: string
  readonly madeAt: string
  /** The due time of the current or next delivery. Null if there is no such delivery. */
  readonly dueAt: string | null
  readonly paused: boolean
  readonly deliveries: readonly ExplainedDelivery[]
}

type ExplainedDelivery = {
  readonly attemptNo: number
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly status: number | null
  readonly latencyMs: number | null
  readonly answer: string | null
  /** The reason why this delivery failed. Null if it succeeded or is still under way. */
  readonly error: string | null
}

export async function explainOrder(db: Db, tradeNo: string): Promise<Explanation | undefined> {
  const merNo = merNoOf(tradeNo)
  const order = merNo === undefined ? undefined : await selectOrder(db, merNo, tradeNo)
  if (merNo === undefined || order === undefined) return undefined
  const [payout, states, attempts, deposits, entries, notifications] = await Promise.all([
    order.kind === 'payout' ? explainPayout(db, order) : null,
    explainChanges(db, merNo, tradeNo),
    explainAttempts(db, merNo, tradeNo),
    listDeposits(db, { merNo, tradeNo }),
    explainEntries(db, merNo, tradeNo),
    explainNotifications(db, tradeNo),
  ])
  const references = attempts.map(({ attemptNo }) => attemptReference(tradeNo, attemptNo))
  return {
    ...explainSums(order),
    payout,
    states,
    attempts,
    deposits: deposits.map(explainDeposit),
    disputes: await explainDisputes(db, references),
    entries,
    notifications,
  }
}

/** An order that was found by its merchant's order number. Several merchants may use the same number. */
export type NumberedOrder = Pick<
  Explanation,
  'tradeNo' | 'merNo' | 'merchant' | 'kind' | 'currency' | 'amount' | 'state' | 'createdAt'
>

/** Returns the orders with this order number, the newest first. Each merchant has at most one such order. */
export async function listNumbered(db: Queryable, merOrderNo: string): Promise<NumberedOrder[]> {
  const rows = await db.query<Stored<NumberedOrder, 'amount', 'createdAt'>>({
    text: `select o.trade_no as "tradeNo", o.mer_no::float8 as "merNo", coalesce(m.name, '') as merchant, o.kind,
        o.currency, o.amount, o.state, o.created_at as "createdAt"
      from orders o left join merchants m using (mer_no) where o.mer_order_no = $1
      order by o.created_at desc, o.mer_no limit 200`,
    values: [merOrderNo],
  })
  return rows.map((row) => ({
    ...row,
    amount: formatAmount(row.amount, row.currency),
    createdAt: row.createdAt.toISOString(),
  }))
}

/** Returns the notifications with their deliveries, both in order of time. */
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

/**
 * A database row with the fields of `Explained`, except the fields in `Left`. Amounts are in minor units, and times are
 * dates.
 */
type Stored<
  Explained,
  Amounts extends keyof Explained,
  Times extends keyof Explained,
  Left extends keyof Explained = never,
> = Omit<Explained, Amounts | Times | Left> & {
  readonly [Name in Amounts]: bigint | Extract<Explained[Name], null>
} & { readonly [Name in Times]: Date | Extract<Explained[Name], null> }

type OrderRow = Stored<
  Explanation,
  'amount' | 'received' | 'handlingFee' | 'processingFee' | 'margin' | 'remainder',
  'createdAt' | 'decidedAt',
  'payout' | 'states' | 'attempts' | 'deposits' | 'disputes' | 'entries' | 'notifications'
>

async function selectOrder(db: Queryable, merNo: number, tradeNo: string): Promise<OrderRow | undefined> {
  const rows = await db.query<OrderRow>({
    text: `select o.trade_no as "tradeNo", o.mer_no::float8 as "merNo", coalesce(m.name, '') as merchant,
        o.mer_order_no as "merOrderNo", o.kind, o.method, o.currency, o.amount, o.state, o.message,
        o.created_at as "createdAt", o.decided_at as "decidedAt", o.received, o.handling_fee as "handlingFee",
        o.processing_fee as "processingFee", o.margin, o.remainder, o.settle_currency as "settleCurrency"
      from orders o left join merchants m using (mer_no) where o.mer_no = $1 and o.trade_no = $2`,
    values: [merNo, tradeNo],
  })
  return rows[0]
}

function explainSums(order: OrderRow) {
  const sum = (amount: bigint | null) => (amount === null ? null : formatAmount(amount, order.currency))
  return {
    ...order,
    amount: formatAmount(order.amount, order.currency),
    createdAt: order.createdAt.toISOString(),
    decidedAt: isoOrNull(order.decidedAt),
    received: sum(order.received),
    handlingFee: sum(order.handlingFee),
    processingFee: sum(order.processingFee),
    margin: sum(order.margin),
    remainder: sum(order.remainder),
  }
}

async function explainChanges(db: Queryable, merNo: number, tradeNo: string): Promise<ExplainedChange[]> {
  const rows = await db.query<Stored<ExplainedChange, never, 'at'>>({
    text: `select from_state as "from", to_state as "to", why, at from order_events
      where mer_no = $1 and trade_no = $2 order by version limit 200`,
    values: [merNo, tradeNo],
  })
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

async function explainAttempts(db: Queryable, merNo: number, tradeNo: string): Promise<ExplainedAttempt[]> {
  const rows = await db.query<Stored<ExplainedAttempt, never, 'createdAt' | 'decidedAt' | 'askAt'>>({
    text: `select attempt_no as "attemptNo", channel, state, channel_ref as "channelRef", message,
        card_first6 || '…' || card_last4 || ' ' || card_brand as card, created_at as "createdAt",
        decided_at as "decidedAt", ask_at as "askAt", asks
      from attempts where mer_no = $1 and trade_no = $2 order by attempt_no limit 200`,
    values: [merNo, tradeNo],
  })
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    decidedAt: isoOrNull(row.decidedAt),
    askAt: isoOrNull(row.askAt),
  }))
}

function explainDeposit(deposit: FoundDeposit): ExplainedDeposit {
  const { depositRef, attemptNo, money, state, txHash, at } = deposit
  const { currency } = money
  const amount = formatAmount(money.amount, currency)
  return { depositRef, attemptNo, amount, currency, state, txHash: txHash ?? null, at: at.toISOString() }
}

const disputed = arrayOf(text<string>(itself))

async function explainDisputes(db: Queryable, references: readonly string[]): Promise<ExplainedDispute[]> {
  const rows = await db.query<Stored<ExplainedDispute, 'amount', 'at'>>({
    text: `select dispute_ref as "disputeRef", stage, channel, amount, currency, reason, told_at as at, result
      from channel_disputes
      where reference = any (${disputed.text}) order by told_at, dispute_ref, stage limit 200`,
    values: [disputed.value(references)],
  })
  return rows.map(explainBooked)
}

async function explainEntries(db: Queryable, merNo: number, tradeNo: string): Promise<ExplainedEntry[]> {
  const rows = await db.query<Stored<ExplainedEntry, 'amount', 'at'>>({
    text: `select step, debit, credit, currency, amount, at from ledger_entries
      where mer_no = $1 and subject = $2 order by at, step limit 200`,
    values: [merNo, tradeNo],
  })
  return rows.map(explainBooked)
}

function explainBooked<Row extends { readonly amount: bigint; readonly currency: string; readonly at: Date }>(
  row: Row,
) {
  return { ...row, amount: formatAmount(row.amount, row.currency), at: row.at.toISOString() }
}

type PayoutRow = Stored<
  ExplainedPayout,
  'fee' | 'fundingAmount' | 'returned',
  'approvedAt' | 'merchantApprovedAt' | 'askAt',
  'returnCost'
>

async function explainPayout(
  db: Queryable,
  { merNo, tradeNo, currency, amount }: OrderRow,
): Promise<ExplainedPayout | null> {
  const [row] = await db.query<PayoutRow>({
    text: `select kind, account_masked as account, account_kind as "accountKind", state, fee,
        funding_amount as "fundingAmount", funding_currency as "fundingCurrency", funding_rate as "fundingRate",
        needs_approval as "needsApproval", approved_at as "approvedAt",
        needs_merchant_approval as "needsMerchantApproval", merchant_approved_at as "merchantApprovedAt", rail, reference,
        rail_ref as "railRef", ask_at as "askAt", asks, returned_amount as returned
      from payouts where mer_no = $1 and trade_no = $2`,
    values: [merNo, tradeNo],
  })
  if (row === undefined) return null
  const { returned } = row
  return {
    ...row,
    fee: formatAmount(row.fee, currency),
    fundingAmount: formatAmount(row.fundingAmount, row.fundingCurrency),
    approvedAt: isoOrNull(row.approvedAt),
    merchantApprovedAt: isoOrNull(row.merchantApprovedAt),
    askAt: isoOrNull(row.askAt),
    returned: returned === null ? null : formatAmount(returned, currency),
    returnCost: returned === null ? null : formatAmount(amount - returned, currency),
  }
}

function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}
