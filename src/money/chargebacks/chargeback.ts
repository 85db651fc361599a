// Chargebacks and inquiries. With a chargeback, the payer's bank takes a payment back. With an inquiry, the bank first
// asks about the payment. This file has the states and transitions of both, the merchant's notification, and the
// evidence.
import { formatAmount, type Money } from '../../platform/base/money.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Notification } from '../notifications/notification.ts'
import type { ChargebackState, PaidOrder } from '../orders/order.ts'

/** An inquiry has the state `inquiry` or `closed`. All other states are states of a chargeback. */
export type DisputeState = 'inquiry' | 'closed' | ChargebackState

export type BookedChargeback = Chargeback & { readonly state: ChargebackState }

export type Chargeback = {
  readonly merNo: number
  readonly chargebackId: string
  readonly tradeNo: string
  readonly state: DisputeState
  /** The reason, as a code of the reference list of dispute reasons. */
  readonly reason: string
  readonly money: Money
  readonly fee: bigint
  /** The channel's id of the dispute. Undefined while only an operator has entered the chargeback. */
  readonly disputeRef: string | undefined
  readonly openedAt: Date
  readonly resolvedAt: Date | undefined
  /** The merchant's deadline for evidence. Undefined for a chargeback that ended before deadlines existed. */
  readonly answerBy: Date | undefined
}

/** The days that a merchant has for its evidence, if neither the channel nor an operator sets a deadline. */
export const ANSWER_DAYS = 10

const transitions: Readonly<Record<DisputeState, readonly DisputeState[]>> = {
  /** The payer's bank asks about the payment. No money was taken. */
  inquiry: ['closed'],
  /** The inquiry ended. If the bank took the money after the inquiry, this chargeback has its own row. */
  closed: [],
  /** The amount and the fee were taken from the merchant. */
  open: ['won', 'lost'],
  /** The merchant has the amount back. A further chargeback of the order has a new row. */
  won: [],
  /** The merchant finally loses the amount. */
  lost: [],
}

export const chargebackStates: readonly DisputeState[] = ['inquiry', 'closed', 'open', 'won', 'lost']

export function mayFollow(from: DisputeState, to: DisputeState): boolean {
  return transitions[from].includes(to)
}

export function isBooked(chargeback: Chargeback): chargeback is BookedChargeback {
  return chargeback.state !== 'inquiry' && chargeback.state !== 'closed'
}

export function isUndecided({ state }: Pick<Chargeback, 'state'>): boolean {
  return state === 'open' || state === 'inquiry'
}

/** True if the deadline for evidence has passed and the dispute is not decided yet. */
export function isOverdue(chargeback: Pick<Chargeback, 'state' | 'answerBy'>, now: Date): boolean {
  const { answerBy } = chargeback
  return isUndecided(chargeback) && answerBy !== undefined && answerBy < now
}

/** The page cursor of the list by deadline: an open dispute's deadline, or the time at which an ended one opened. */
export type DisputePosition = {
  readonly isEnded: boolean
  readonly at: Date
  readonly chargebackId: string
}

export function positionOf(chargeback: Chargeback): DisputePosition {
  const { chargebackId, openedAt, answerBy } = chargeback
  const isEnded = !isUndecided(chargeback)
  return { isEnded, at: isEnded ? openedAt : (answerBy ?? openedAt), chargebackId }
}

/** The state codes in notifications to merchants and in responses to their queries. */
export const stateCodes: Readonly<Record<ChargebackState, 1 | 2 | 3>> = { open: 1, won: 2, lost: 3 }

const messages: Readonly<Record<ChargebackState, string>> = {
  open: 'Chargeback opened',
  won: 'Chargeback won',
  lost: 'Chargeback lost',
}

/** Returns a sentence about the chargeback, for the merchant and for the history. */
export function messageOf({ state }: Pick<BookedChargeback, 'state'>, reasonInWords: string): string {
  return `${messages[state]}: ${reasonInWords}`
}

/** Returns the disputed amount, and the amount that the merchant finally lost. */
export function refusedAmounts({ state, money: { amount, currency } }: BookedChargeback) {
  return {
    refuseAmount: formatAmount(amount, currency),
    refuseCurrency: currency,
    actualRefuseAmount: formatAmount(state === 'lost' ? amount : 0n, currency),
    actualRefuseCurrency: currency,
  }
}

export function toNotification(
  chargeback: BookedChargeback,
  message: string,
  order: Pick<PaidOrder, 'merOrderNo' | 'protestNotifyUrl'>,
  merchant: Pick<Merchant, 'chargebackUrl'>,
  at: Date,
): Notification {
  const { merNo, tradeNo, reason, money } = chargeback
  return {
    merNo,
    tradeNo,
    event: 'chargeback',
    url: order.protestNotifyUrl || merchant.chargebackUrl,
    fields: {
      tradeNo,
      merOrderNo: order.merOrderNo,
      code: String(stateCodes[chargeback.state]),
      message,
      reason,
      currency: money.currency,
      amount: formatAmount(money.amount, money.currency),
    },
    at,
  }
}

export type EvidenceFile = { readonly name: string; readonly bytes: number; readonly sha256: string }

export type Evidence = {
  readonly merNo: number
  readonly evidenceId: string
  readonly tradeNo: string
  readonly note: string
  readonly file: EvidenceFile | undefined
  /** The name of the person who added the evidence. Undefined for evidence of older versions, which stored no files. */
  readonly by: string | undefined
  readonly at: Date
}

/** Returns the encryption context that binds the file to its row: with another id the file cannot be decrypted. */
export function evidenceContext(evidenceId: string): string {
  return `evidence:${evidenceId}`
}
