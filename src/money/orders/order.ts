// An order's fields, states and transitions. A key identifies an order or an attempt in our tables. A reference
// identifies an attempt at its channel.
import type { Money, Rate } from '../../platform/base/money.ts'
import { int4, int8, listOf, text } from '../../platform/postgres/lists.ts'
import type { Position } from './position.ts'

export type OrderKind = 'payment' | 'payout'

/** The merchant's terms, as they were at acceptance or when the payer chose the method. */
export type Terms = {
  readonly feeBps: number
  readonly feeFixed: bigint
  readonly marginBps: number
  readonly marginDays: number
  readonly settleDays: number
  readonly settleCurrency: string
  /** The rate of settlement. Undefined if the order settles in its own currency. */
  readonly settleRate: Rate | undefined
}

export type Order = OrderKey & {
  readonly merOrderNo: string
  readonly kind: OrderKind
  readonly method: string
  readonly money: Money
  readonly state: StateNumber
  /** The version of the order: 1 at acceptance, and one more after each change of state. */
  readonly version: number
  readonly message: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  readonly localDay: string
  readonly timezone: string
  readonly usdValue: bigint
  readonly platformLimited: boolean
  readonly terms: Terms
  readonly maxAttempts: number
  /** True if an operator must review the payment before it succeeds. */
  readonly needsReview: boolean
  readonly received: bigint
  /** True if the order's only attempt and first change of state are in the order's row, not in rows of their own. */
  readonly compact?: boolean | undefined
  /** The attempt that the caller named by number. Without a number: the succeeded attempt, or else the latest one. */
  readonly attempt: Attempt | undefined
  /** The money of a payment, once the payment has succeeded. Always undefined for a payout. */
  readonly paid: Paid | undefined
}

export type AttemptedOrder = Order & { readonly attempt: Attempt }
export type PaidOrder = AttemptedOrder & { readonly paid: Paid }

export type Attempt = {
  readonly no: number
  readonly channel: string
  readonly state: AttemptState
  readonly asks: number
  readonly createdAt: Date
  /** The channel's own reference. */
  readonly channelRef: string | undefined
  /** The method that the payer chose on our page, with its terms. Undefined if the payer did not choose there. */
  readonly choice: Choice | undefined
}

/** Returns the time until which an attempt that began at `begunAt` waits for its payer. */
export function payerExpiry(begunAt: Date, awaitsPayerMinutes: number): Date {
  return new Date(begunAt.getTime() + awaitsPayerMinutes * 60_000)
}

/** The method that the payer chose on our page, and the order's fields that depend on it. */
export type Choice = {
  readonly method: string
  readonly terms: Terms
  readonly platformLimited: boolean
}

export type Paid = {
  /** The sum of the percentage fee and the fixed fee, as charged at success. */
  readonly fees: bigint
  readonly settleAmount: bigint
  readonly refundsOpen: number
  readonly chargeback: ChargebackState | undefined
  /** The position of the money (see position.ts). Its `amount` is the amount paid, maybe less than the order's. */
  readonly position: Position
}

export type ChargebackState = 'open' | 'won' | 'lost'

export function isAttempted(order: Order): order is AttemptedOrder {
  return order.attempt !== undefined
}

export function isPaid(order: Order): order is PaidOrder {
  return order.attempt !== undefined && order.paid !== undefined
}

export function paidState({ refundsOpen, chargeback, position }: Omit<Paid, 'fees' | 'settleAmount'>) {
  if (chargeback === 'open') return State.disputed
  if (chargeback === 'lost') return position.refunded > 0n ? State.chargedBackAfterRefund : State.chargedBack
  if (refundsOpen > 0) return State.refunding
  return position.refunded === position.amount ? State.refunded : State.succeeded
}

/** True while the order's attempt is open. Only the latest attempt of an order can be open. */
export function isBusy({ attempt }: Order): boolean {
  return attempt !== undefined && !isDecided(attempt.state)
}

/** The states of orders, by the numbers that merchants see in order lists. */
export const State = {
  /** The order waits for the payer, the beneficiary or the channel. */
  processing: 1,
  /** The order is paid and booked. */
  succeeded: 5,
  /** The payment or payout failed, the money of a payout came back, or a payment was rejected in its review. */
  failed: 6,
  /** The order ended unpaid: the payer cancelled it, it expired, or an operator decided so. See the order's message. */
  cancelled: 7,
  /** The full amount was refunded. */
  refunded: 9,
  /** A refund is not decided yet. */
  refunding: 10,
  /** A chargeback was lost. */
  chargedBack: 11,
  /** A chargeback is open. */
  disputed: 12,
  /** A chargeback was lost after a refund. */
  chargedBackAfterRefund: 17,
  /** The payment is in review, and the merchant must send more information. */
  informationAsked: 24,
  /** The payment is in review, and the merchant has sent the information that an operator now checks. */
  inReview: 25,
} as const

export type StateNumber = (typeof State)[keyof typeof State]

const transitions: Readonly<Record<StateNumber, readonly StateNumber[]>> = {
  [State.processing]: [State.succeeded, State.failed, State.cancelled, State.informationAsked],
  // The operator may decide before the merchant has sent the information.
  [State.informationAsked]: [State.inReview, State.succeeded, State.failed],
  [State.inReview]: [State.succeeded, State.failed, State.informationAsked],
  [State.succeeded]: [State.refunding, State.disputed],
  [State.refunding]: [State.succeeded, State.refunded, State.disputed],
  // The payer's bank may return the money of a refund.
  [State.refunded]: [State.succeeded, State.disputed],
  [State.disputed]: [
    State.succeeded,
    State.refunding,
    State.refunded,
    State.chargedBack,
    State.chargedBackAfterRefund,
  ],
  // A refund that was not decided when the chargeback was lost may still fail.
  [State.chargedBackAfterRefund]: [State.chargedBack],
  [State.chargedBack]: [],
  [State.failed]: [],
  // Late money may pay a cancelled order if an operator accepts it.
  [State.cancelled]: [State.succeeded],
}

export function mayBecome(from: StateNumber, to: StateNumber, kind: OrderKind = 'payment'): boolean {
  return transitions[from].includes(to) || (kind === 'payout' && isReturn(from, to))
}

/** True for the change of a payout whose money came back. */
function isReturn(from: StateNumber, to: StateNumber): boolean {
  return from === State.succeeded && to === State.failed
}

/** True if the order is not decided yet. An open order is in no daily total. */
export function isOpen(state: StateNumber): boolean {
  return state === State.processing || isInReview(state)
}

/** True if the order's money has arrived and waits for an operator's decision. */
export function isInReview(state: StateNumber): boolean {
  return state === State.informationAsked || state === State.inReview
}

/** True if the order was paid, whatever happened to its money after that. */
export function wasPaid(state: StateNumber): boolean {
  return !isOpen(state) && state !== State.failed && state !== State.cancelled
}

/**
 * The states of an attempt. `calling`: recorded before the channel is called. `pending`: waiting for the payer.
 * `unknown`: the outcome is not known. `succeeded` and `failed` are final.
 */
export type AttemptState = 'calling' | 'pending' | 'unknown' | 'succeeded' | 'failed'

export function isDecided(state: AttemptState): state is 'succeeded' | 'failed' {
  return state === 'succeeded' || state === 'failed'
}

export type OrderKey = { readonly merNo: number; readonly tradeNo: string }
export type AttemptKey = OrderKey & { readonly attemptNo: number }

/** Compares two keys: orders are locked by ascending `merNo`, then by ascending `tradeNo`. */
export function compareKeys(one: OrderKey, other: OrderKey): number {
  if (one.merNo !== other.merNo) return one.merNo - other.merNo
  if (one.tradeNo === other.tradeNo) return 0
  return one.tradeNo < other.tradeNo ? -1 : 1
}

export const orderKeys = listOf<OrderKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

/**
 * Returns the `from` clause that joins the orders of a list `g` of keys, and locks the orders one by one, in the order
 * of the list. A plain join with `order by` would cost more, because PostgreSQL would sort the rows or, with sorting
 * disabled, read the whole index.
 */
export function lockedInTurn(list: string): string {
  return `${list} cross join lateral (
    select * from orders where mer_no = g.mer_no and trade_no = g.trade_no limit 1 for update) o`
}

export const attemptKeys = listOf<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
})

/** Returns the reference of an attempt at its channel. All retries of the attempt use this reference. */
export function attemptReference(tradeNo: string, attemptNo: number): string {
  return `A${tradeNo.slice(1)}${attemptNo}`
}

/** Returns the SQL expression of an attempt's reference. `row` is the alias of a row that has the attempt's key. */
export function referenceText(row: string): string {
  return `'A' || substr(${row}.trade_no, 2) || ${row}.attempt_no`
}

/** Returns the attempt that one of our references names. Undefined for a reference in any other form. */
export function attemptOf(reference: string): { tradeNo: string; attemptNo: number } | undefined {
  const [, rest = '', attemptNo = ''] = /^A([0-9A-Z]{26})([1-9]\d?)$/.exec(reference) ?? []
  return rest === '' ? undefined : { tradeNo: `T${rest}`, attemptNo: Number(attemptNo) }
}
