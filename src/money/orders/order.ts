// An order: its fields when it is locked, its states and their transitions, and the keys and references of orders and
// attempts. Keys identify them in our tables, references at channels.
import type { Money, Rate } from '../base/money.ts'
import { int4, int8, listOf, text } from '../postgres/lists.ts'
import type { Position } from './position.ts'

export type OrderKind = 'payment' | 'payout'

/** The merchant's terms at acceptance. */
export type Terms = {
  readonly feeBps: number
  readonly feeFixed: bigint
  readonly marginBps: number
  readonly marginDays: number
  readonly settleDays: number
  readonly settleCurrency: string
  /** Undefined if the order settles in its own currency. */
  readonly settleRate: Rate | undefined
}

export type Order = OrderKey & {
  readonly merOrderNo: string
  readonly kind: OrderKind
  readonly method: string
  readonly money: Money
  readonly state: StateNumber
  /** Counts the changes of state. */
  readonly version: number
  readonly message: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  readonly localDay: string
  readonly timezone: string
  readonly usdValue: bigint
  readonly platformLimited: boolean
  readonly terms: Terms
  /** Maximum attempts of the payer. */
  readonly maxAttempts: number
  /** Its money waits for an operator's review before the order succeeds. */
  readonly needsReview: boolean
  /** The amount received so far. */
  readonly received: bigint
  /** Its only attempt and its first change of state are in its own row. */
  readonly compact?: boolean | undefined
  /** The requested attempt, else the one that took the money, else the latest. */
  readonly attempt: Attempt | undefined
  /** Set once the order is paid. */
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
  /** Set when the payer chose the method on our page. */
  readonly choice: Choice | undefined
}

/** Until when an attempt that began then waits for its payer. */
export function payerExpiry(begunAt: Date, awaitsPayerMinutes: number): Date {
  return new Date(begunAt.getTime() + awaitsPayerMinutes * 60_000)
}

/** The fields that depend on the method that the payer chose. */
export type Choice = {
  readonly method: string
  readonly terms: Terms
  readonly platformLimited: boolean
}

/** The money of a paid order. */
export type Paid = {
  /** Percentage fee and fixed fee, as charged at success. */
  readonly fees: bigint
  readonly settleAmount: bigint
  readonly refundsOpen: number
  readonly chargeback: ChargebackState | undefined
  /** The amount is the one paid, which may be less than the order's. */
  readonly position: Position
}

export type ChargebackState = 'open' | 'won' | 'lost'

export function isAttempted(order: Order): order is AttemptedOrder {
  return order.attempt !== undefined
}

export function isPaid(order: Order): order is PaidOrder {
  return order.attempt !== undefined && order.paid !== undefined
}

/** The state of a paid order follows from its money. */
export function paidState({ refundsOpen, chargeback, position }: Omit<Paid, 'fees' | 'settleAmount'>) {
  if (chargeback === 'open') return State.disputed
  if (chargeback === 'lost') return position.refunded > 0n ? State.chargedBackAfterRefund : State.chargedBack
  if (refundsOpen > 0) return State.refunding
  return position.refunded === position.amount ? State.refunded : State.succeeded
}

/** At most one attempt of an order is open, the latest. While its call is in progress, no other may start or end. */
export function isBusy({ attempt }: Order): boolean {
  return attempt !== undefined && !isDecided(attempt.state)
}

/** The states of orders, by the numbers that merchants see in order lists. */
export const State = {
  /** Waits for the payer, the beneficiary or the channel. */
  processing: 1,
  /** Paid and booked. */
  succeeded: 5,
  /** Declined, or the channel would not open it. */
  failed: 6,
  /** Cancelled by the payer, or expired: the order's message says which. */
  cancelled: 7,
  /** The full amount was refunded to the payer. */
  refunded: 9,
  /** A refund is under way. */
  refunding: 10,
  /** A chargeback was lost. */
  chargedBack: 11,
  /** A chargeback is open. */
  disputed: 12,
  /** A chargeback was lost after a refund. */
  chargedBackAfterRefund: 17,
  /** The operator asked the merchant for more information. */
  informationAsked: 24,
  /** The merchant sent the information; an operator reviews it. */
  inReview: 25,
} as const

export type StateNumber = (typeof State)[keyof typeof State]

const transitions: Readonly<Record<StateNumber, readonly StateNumber[]>> = {
  [State.processing]: [State.succeeded, State.failed, State.cancelled, State.informationAsked],
  // The operator may decide without waiting for the merchant.
  [State.informationAsked]: [State.inReview, State.succeeded, State.failed],
  [State.inReview]: [State.succeeded, State.failed, State.informationAsked],
  [State.succeeded]: [State.refunding, State.disputed],
  [State.refunding]: [State.succeeded, State.refunded, State.disputed],
  // The payer's bank may send a refund back.
  [State.refunded]: [State.succeeded, State.disputed],
  [State.disputed]: [
    State.succeeded,
    State.refunding,
    State.refunded,
    State.chargedBack,
    State.chargedBackAfterRefund,
  ],
  // A refund that was under way when the chargeback was lost may still fail.
  [State.chargedBackAfterRefund]: [State.chargedBack],
  [State.chargedBack]: [],
  [State.failed]: [],
  // Late money that an operator accepted.
  [State.cancelled]: [State.succeeded],
}

export function mayBecome(from: StateNumber, to: StateNumber, kind: OrderKind = 'payment'): boolean {
  return transitions[from].includes(to) || (kind === 'payout' && isReturn(from, to))
}

/** The beneficiary's bank sent the money of a payout back. */
function isReturn(from: StateNumber, to: StateNumber): boolean {
  return from === State.succeeded && to === State.failed
}

/** Not decided yet, so in no daily total. */
export function isOpen(state: StateNumber): boolean {
  return state === State.processing || isInReview(state)
}

/** Its money has arrived and waits for an operator. */
export function isInReview(state: StateNumber): boolean {
  return state === State.informationAsked || state === State.inReview
}

/** The order was paid, whatever happened to its money since. */
export function wasPaid(state: StateNumber): boolean {
  return !isOpen(state) && state !== State.failed && state !== State.cancelled
}

/** Recorded before the call; waiting for the payer; outcome unknown; and the two final states. */
export type AttemptState = 'calling' | 'pending' | 'unknown' | 'succeeded' | 'failed'

export function isDecided(state: AttemptState): state is 'succeeded' | 'failed' {
  return state === 'succeeded' || state === 'failed'
}

export type OrderKey = { readonly merNo: number; readonly tradeNo: string }
export type AttemptKey = OrderKey & { readonly attemptNo: number }

/** The order in which several orders are locked. */
export function compareKeys(one: OrderKey, other: OrderKey): number {
  if (one.merNo !== other.merNo) return one.merNo - other.merNo
  if (one.tradeNo === other.tradeNo) return 0
  return one.tradeNo < other.tradeNo ? -1 : 1
}

/** A list of orders as the first parameters of a statement. */
export const orderKeys = listOf<OrderKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

/**
 * For `from`: the orders of a list `g` that has their keys, locked one after the other as the list has them. A join in this
 * order would sort, and where sorting is off PostgreSQL reads the whole index instead.
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

/** One reference for all retries of an attempt. It contains the trade number and differs from it. */
export function attemptReference(tradeNo: string, attemptNo: number): string {
  return `A${tradeNo.slice(1)}${attemptNo}`
}

/** The same in SQL, for a row with the attempt's key. */
export function referenceText(row: string): string {
  return `'A' || substr(${row}.trade_no, 2) || ${row}.attempt_no`
}

/** The attempt that a reference names; undefined when it cannot be one of ours. */
export function attemptOf(reference: string): { tradeNo: string; attemptNo: number } | undefined {
  const [, rest = '', attemptNo = ''] = /^A([0-9A-Z]{26})([1-9]\d?)$/.exec(reference) ?? []
  return rest === '' ? undefined : { tradeNo: `T${rest}`, attemptNo: Number(attemptNo) }
}
