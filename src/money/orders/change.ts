// Pure rules: the planned change of an order, and its effects. Other domains plan the change, and may add ledger
// entries to the plan. Only this file derives the effects of a planned change: history, limits, ledger entries, daily
// totals, dues and the notification about the order's result. See docs/decisions/0176-one-planned-change.md.

import { type Money, wireAmount } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { PayerAction } from '../../rails/contract/channel.ts'
import { channelAccount, FEES, MARGIN, REVIEW, SUSPENSE, UNSETTLED } from '../ledger/account.ts'
import type { Entry } from '../ledger/post-entries.ts'
import type { Notification } from '../notifications/notification.ts'
import type { Step } from './daily-totals.ts'
import { duesOf, type OrderDues } from './dues.ts'
import type { Charges } from './fees.ts'
import type { Counted } from './limit-usage.ts'
import type { NewAttempt } from './new-order.ts'
import {
  type AttemptState,
  type ChargebackState,
  type Choice,
  isInReview,
  isOpen,
  mayBecome,
  type Order,
  type Paid,
  type PaidOrder,
  paidState,
  State,
  type StateNumber,
} from './order.ts'
import { checkPosition, type Moved, type Transfer } from './position.ts'

/** A change of an order. A missing field leaves that part of the order unchanged. */
export type PlannedChange = {
  /** The order as it was locked, or as it was just accepted. The change fails if the order has changed since. */
  readonly order: Order
  readonly at: Date
  readonly state: StateNumber
  /** The message for the history. Merchants and payers see the message too, unless the change has `moved`. */
  readonly message?: string | undefined
  /** The amount received so far. */
  readonly received?: bigint | undefined
  readonly attempt?: AttemptChange | undefined
  /** An attempt that begins with this change. */
  readonly next?: NextAttempt | undefined
  /** The fees and the margin of a payment that succeeds. */
  readonly charges?: Charges | undefined
  /** The fees of a payout that succeeds. */
  readonly fees?: PayoutFees | undefined
  /** The new position of a paid order's money. */
  readonly moved?: Omit<Paid, 'fees' | 'settleAmount'> | undefined
  /** The ledger entries that follow neither from `charges` nor from a review. */
  readonly transfers?: readonly Transfer[] | undefined
  /** The method that the payer chose, with its terms. */
  readonly choice?: Choice | undefined
  readonly needsReview?: boolean | undefined
  /** Further fields of the notification. */
  readonly receivedFields?: Readonly<Record<string, string>> | undefined
  /** True if the merchant wants a notification when a review needs information. */
  readonly notifiesReview?: boolean | undefined
}

export type AttemptChange = {
  readonly state: AttemptState
  readonly channelRef?: string | undefined
  readonly action?: PayerAction | undefined
  /** The time from which the resolver may claim the attempt. Undefined once the attempt is decided. */
  readonly askAt: Date | undefined
}

/** An attempt that begins after acceptance. Without `entered`, it uses the card and fields of the previous attempt. */
export type NextAttempt = Pick<NewAttempt, 'channel' | 'askAt'> & {
  readonly no: number
  /** The card and fields that the payer entered. */
  readonly entered?: {
    readonly card: NewAttempt['card']
    readonly details: Readonly<Record<string, unknown>>
    readonly sealed: Buffer | undefined
  }
}

export type Begun = PlannedChange & { readonly next: NextAttempt }

export function isBegun(change: PlannedChange): change is Begun {
  return change.next !== undefined
}

/** The state of a compact order, by the state of its only attempt. */
const decidedBy: Readonly<Partial<Record<AttemptState, StateNumber>>> = {
  succeeded: State.succeeded,
  failed: State.failed,
}

/** True if the channel's first outcome decides a compact order, so that its attempt and history need no rows. */
export function decidesCompact({ order, state, attempt, next }: PlannedChange): boolean {
  return (
    order.compact === true &&
    order.attempt?.state === 'calling' &&
    attempt !== undefined &&
    decidedBy[attempt.state] === state &&
    attempt.action === undefined &&
    next === undefined
  )
}

/**
 * True if the change turns the attempt and the history of a compact order into rows of their own. Every change does so,
 * except movements of a paid order's money and a change for which `decidesCompact` is true.
 */
export function expands(change: PlannedChange): boolean {
  return change.order.compact === true && change.moved === undefined && !decidesCompact(change)
}

export type PayoutFees = { readonly handlingFee: bigint; readonly processingFee: bigint }

export function changesState({ order, state }: PlannedChange): boolean {
  return state !== order.state
}

export function checkChange(change: PlannedChange): void {
  const { order, state } = change
  assert(
    !changesState(change) || mayBecome(order.state, state, order.kind),
    `an order may go ${order.state} → ${state}`,
  )
}

export type PaidChange = {
  readonly order: PaidOrder
  /** The position after the movement, and the transfers of the movement. */
  readonly moved: Moved
  readonly refundsOpen?: number
  readonly chargeback?: ChargebackState
  /** The message for the history. */
  readonly why: string
  readonly at: Date
}

/** Plans a movement of a paid order's money. The new state follows from the new position. */
export function planMove({ order, moved, refundsOpen, chargeback, why, at }: PaidChange): PlannedChange {
  const { position, transfers } = moved
  checkPosition(position, order.paid.fees)
  const next = {
    position,
    refundsOpen: refundsOpen ?? order.paid.refundsOpen,
    chargeback: chargeback ?? order.paid.chargeback,
  }
  return { order, at, state: paidState(next), message: why, moved: next, transfers }
}

/** True if the order fails or is cancelled by the change. From then on, it no longer counts against limits. */
export function givesBackLimits(change: PlannedChange): boolean {
  return changesState(change) && isUnpaidEnd(change.state)
}

/** True if the order had ended unpaid and is now paid late. From then on, the order counts against limits again. */
export function takesLimits(change: PlannedChange): boolean {
  return changesState(change) && isUnpaidEnd(change.order.state)
}

function isUnpaidEnd(state: StateNumber): boolean {
  return state === State.failed || state === State.cancelled
}

/** Returns the fields that decide which limits the order counts against after the change. */
export function countedOf({ order, choice }: PlannedChange): Counted {
  return choice === undefined ? order : { ...order, ...choice }
}

export function entriesOf(change: PlannedChange): Entry[] {
  const { order, charges, transfers, at } = change
  if (charges !== undefined) return paymentEntries(change, charges)
  const { merNo, tradeNo: subject } = order
  if (transfers !== undefined) return transfers.map((transfer) => ({ merNo, subject, at, ...transfer }))
  return reviewEntries(change)
}

/** Returns the entries of a success, which move the amount to the merchant and then take the fees and the margin. */
function paymentEntries({ order, at }: PlannedChange, charges: Charges): Entry[] {
  const { merNo, tradeNo: subject, money } = order
  const entry = (step: string, debit: string, credit: string, amount: bigint): Entry => {
    const own = { amount, currency: money.currency }
    return { merNo, subject, booking: 'payment', step, debit, credit, money: own, at }
  }
  return [
    entry('payment', sourceOf(order), UNSETTLED, charges.amount),
    entry('handling-fee', UNSETTLED, FEES, charges.handlingFee),
    entry('processing-fee', UNSETTLED, FEES, charges.processingFee),
    entry('margin', UNSETTLED, MARGIN, charges.margin),
  ]
}

/** Returns the account that holds the order's money before the order is paid. */
function sourceOf(order: Order): string {
  if (isInReview(order.state)) return REVIEW
  return order.state === State.cancelled ? SUSPENSE : railOf(order)
}

function railOf({ attempt }: Order): string {
  assert(attempt !== undefined, 'money arrives through an attempt')
  return channelAccount(attempt.channel)
}

/**
 * Returns the entries of a review. The money enters the review account when the review begins, and goes back to the
 * channel's account if the payment is rejected. If the payment succeeds, `paymentEntries` moves the money.
 */
function reviewEntries(change: PlannedChange): Entry[] {
  const { order, state, at } = change
  const { merNo, tradeNo: subject, money } = order
  const [before, after] = [isInReview(order.state), isInReview(state)]
  if (!before && after)
    return [{ merNo, subject, step: 'review', debit: railOf(order), credit: REVIEW, money, at }]
  if (before && state === State.failed)
    return [{ merNo, subject, step: 'review-returned', debit: REVIEW, credit: railOf(order), money, at }]
  return []
}

/** Returns the order's steps out of one cell of the daily totals into another. An open order is in no cell. */
export function stepsOf(change: PlannedChange): Step[] {
  const { order, state, charges, moved, choice, at } = change
  if (order.kind !== 'payment') return []
  const wasSettled = order.paid?.position.settled ?? false
  const settled = moved?.position.settled ?? wasSettled
  if (state === order.state && settled === wasSettled) return []
  if (isOpen(order.state) && isOpen(state)) return []
  const { merNo, localDay, money, terms } = order
  const { currency, amount: sourceAmount } = money
  const settleCurrency = choice?.terms.settleCurrency ?? terms.settleCurrency
  const cell = { merNo, localDay, state, currency, settleCurrency, settled }
  const before = order.paid?.settleAmount ?? 0n
  const entered: Step = { cell, sign: 1n, sourceAmount, settleAmount: charges?.settleAmount ?? before, at }
  if (isOpen(order.state)) return [entered]
  const old = { ...cell, state: order.state, settleCurrency: terms.settleCurrency, settled: wasSettled }
  return [{ cell: old, sign: -1n, sourceAmount, settleAmount: before, at }, entered]
}

/** Returns the due dates of a newly paid order. */
export function duesAfter({ order, charges, choice, at }: PlannedChange): OrderDues[] {
  if (charges === undefined) return []
  return [{ order, dues: duesOf(choice?.terms ?? order.terms, charges.margin, order.timezone, at) }]
}

/** The amounts in a notification. The body contains the amounts only if the merchant has switched them on. */
function amountFields(money: Money) {
  return { currencyCode: money.currency, sourceAmount: wireAmount(money) }
}

const codes: Readonly<Partial<Record<StateNumber, string>>> = {
  [State.succeeded]: '0',
  [State.informationAsked]: '3',
}

/**
 * Returns the notification about an order's end, or about a review if the merchant wants one. Undefined for any other
 * change. A movement of a paid order's money is one of them: the domain that plans the movement notifies the merchant.
 */
export function notificationOf(change: PlannedChange): Notification | undefined {
  const { order, state, message = '', receivedFields, at } = change
  if (state === order.state || change.moved !== undefined) return undefined
  if (isOpen(state) && change.notifiesReview !== true) return undefined
  const { merNo, tradeNo, merOrderNo, notifyUrl: url, money } = order
  const event = order.kind === 'payout' ? 'payout' : isOpen(state) ? 'review' : 'payment'
  const own = { tradeNo, merOrderNo, code: codes[state] ?? '1', message }
  const amounts = event === 'review' ? undefined : amountFields(money)
  const fields = { ...own, ...amounts, ...receivedFields }
  // A reviewed order may already have a notification, so the notification about its end is not marked as the first one.
  const isFirst = order.state === State.processing && !order.needsReview
  return { merNo, tradeNo, event, url, fields, at, isFirst }
}
