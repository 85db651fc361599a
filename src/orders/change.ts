// What a change of an order is, and what follows from it. Pure: domains plan a change; history, limits, ledger, daily
// totals, dues and notification are derived from it here and nowhere else.

import type { PayerAction } from '../channels/contract.ts'
import { assert } from '../errors/catalogue.ts'
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

/** One change of a locked order. What is left out stays as it is. */
export type PlannedChange = {
  /** As it was locked, or accepted a moment ago: the change fails unless it is still like that. */
  readonly order: Order
  readonly at: Date
  readonly state: StateNumber
  /** For the history and, until the order is paid, for merchants and payers. */
  readonly message?: string | undefined
  /** All that arrived so far. */
  readonly received?: bigint | undefined
  /** What became of the order's attempt. */
  readonly attempt?: AttemptChange | undefined
  /** An attempt that begins with this change. */
  readonly next?: NextAttempt | undefined
  /** Of a payment that succeeds. */
  readonly charges?: Charges | undefined
  /** Of a payout that succeeds. */
  readonly fees?: PayoutFees | undefined
  /** Of an order that was paid: how its money lies from now on. */
  readonly moved?: Omit<Paid, 'fees' | 'settleAmount'> | undefined
  /** Movements of money that do not follow from the above. */
  readonly transfers?: readonly Transfer[] | undefined
  /** The order takes over method and terms from what the payer chose. */
  readonly choice?: Choice | undefined
  readonly needsReview?: boolean | undefined
  /** Further fields of its notification. */
  readonly arrival?: Readonly<Record<string, string>> | undefined
  /** The merchant wants to know when information is asked for. */
  readonly notifiesReview?: boolean | undefined
}

export type AttemptChange = {
  readonly state: AttemptState
  readonly channelRef?: string | undefined
  readonly action?: PayerAction | undefined
  /** When to ask about it again; undefined once it is decided. */
  readonly askAt: Date | undefined
}

/** Begun by the payer, with what was entered; or, with no card and fields of its own, with those of the one before. */
export type NextAttempt = Pick<NewAttempt, 'channel' | 'askAt'> & {
  readonly no: number
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

export type PayoutFees = { readonly handlingFee: bigint; readonly processingFee: bigint }

export function changesState({ order, state }: PlannedChange): boolean {
  return state !== order.state
}

export function checkChange(change: PlannedChange): void {
  const { order, state } = change
  assert(!changesState(change) || mayBecome(order.state, state), `an order may go ${order.state} → ${state}`)
}

export type PaidChange = {
  readonly order: PaidOrder
  /** The position after the event, and the transfers that lead there. */
  readonly moved: Moved
  readonly refundsOpen?: number
  readonly chargeback?: ChargebackState
  /** For the history: one sentence. */
  readonly why: string
  readonly at: Date
}

/** The money of a paid order moves; its state follows from where the money lies then. */
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

/** It ended unpaid: it counts against no limit. */
export function givesBackLimits(change: PlannedChange): boolean {
  return changesState(change) && isUnpaidEnd(change.state)
}

/** It was over, had given its limits back, and is paid after all. */
export function takesLimits(change: PlannedChange): boolean {
  return changesState(change) && isUnpaidEnd(change.order.state)
}

function isUnpaidEnd(state: StateNumber): boolean {
  return state === State.failed || state === State.cancelled
}

/** What the order counts for after the change. */
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

/** A success moves the amount to the merchant, then takes the fees and the margin from it. */
function paymentEntries({ order, at }: PlannedChange, charges: Charges): Entry[] {
  const { merNo, tradeNo: subject, money } = order
  const entry = (step: string, debit: string, credit: string, amount: bigint): Entry => {
    return { merNo, subject, step, debit, credit, money: { amount, currency: money.currency }, at }
  }
  return [
    entry('payment', sourceOf(order), UNSETTLED, charges.amount),
    entry('handling-fee', UNSETTLED, FEES, charges.handlingFee),
    entry('processing-fee', UNSETTLED, FEES, charges.processingFee),
    entry('margin', UNSETTLED, MARGIN, charges.margin),
  ]
}

/** Where the money of an order that becomes paid lies until then. */
function sourceOf(order: Order): string {
  if (isInReview(order.state)) return REVIEW
  return order.state === State.cancelled ? SUSPENSE : railOf(order)
}

function railOf({ attempt }: Order): string {
  assert(attempt !== undefined, 'money comes by an attempt')
  return channelAccount(attempt.channel)
}

/** Money that waits for a review enters its account, and leaves it again when it goes back to the payer. */
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

/** The order leaves one cell of the daily totals and enters another. While it is open, it is in none. */
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

/** When settlement has to come back to an order that is now paid. */
export function duesAfter({ order, charges, choice, at }: PlannedChange): OrderDues[] {
  if (charges === undefined) return []
  return [{ order, dues: duesOf(choice?.terms ?? order.terms, charges.margin, order.timezone, at) }]
}

const codes: Readonly<Partial<Record<StateNumber, string>>> = {
  [State.succeeded]: '0',
  [State.informationAsked]: '3',
}

/** Only an order's end is reported to every merchant. What happens to paid money is reported by the domain that moves it. */
export function notificationOf(change: PlannedChange): Notification | undefined {
  const { order, state, message = '', arrival, at } = change
  if (state === order.state || change.moved !== undefined) return undefined
  if (isOpen(state) && change.notifiesReview !== true) return undefined
  const { merNo, tradeNo, merOrderNo, notifyUrl: url } = order
  const event = order.kind === 'payout' ? 'payout' : isOpen(state) ? 'review' : 'payment'
  const own = { tradeNo, merOrderNo, code: codes[state] ?? '1', message }
  const fields = arrival === undefined ? own : { ...own, ...arrival }
  // An order that may be reviewed can have had a notification before.
  const isFirst = order.state === State.processing && !order.needsReview
  return { merNo, tradeNo, event, url, fields, at, isFirst }
}
