// A chargeback: a payer's bank takes a payment back, or first asks about it. Types, and the merchants' notification.
import { formatAmount, type Money } from '../base/money.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Notification } from '../notifications/notification.ts'
import type { ChargebackState, PaidOrder } from '../orders/order.ts'

/** The bank only asks in an inquiry; the other states took money. */
export type DisputeState = 'inquiry' | 'closed' | ChargebackState

/** A chargeback that took money. */
export type BookedChargeback = Chargeback & { readonly state: ChargebackState }

export type Chargeback = {
  readonly merNo: number
  readonly chargebackId: string
  readonly tradeNo: string
  readonly state: DisputeState
  /** A code of the reference list of reasons. */
  readonly reason: string
  readonly money: Money
  readonly fee: bigint
  /** The channel's id of the dispute; undefined while only an operator has entered it. */
  readonly disputeRef: string | undefined
  readonly openedAt: Date
  readonly resolvedAt: Date | undefined
  /** Until when the merchant may answer with evidence; undefined for one that ended before there were deadlines. */
  readonly answerBy: Date | undefined
}

/** A merchant has this many days for its evidence, unless the operator sets another day. */
export const ANSWER_DAYS = 10

const transitions: Readonly<Record<DisputeState, readonly DisputeState[]>> = {
  /** The payer's bank asks about the payment; no money was taken. */
  inquiry: ['closed'],
  /** The inquiry ended. If the bank took the money then, the chargeback has its own row. */
  closed: [],
  /** The amount and the fee were taken from the merchant. */
  open: ['won', 'lost'],
  /** The merchant has the amount back. The order may be charged back again, in a new row. */
  won: [],
  /** The amount is gone for good. */
  lost: [],
}

export const chargebackStates: readonly DisputeState[] = ['inquiry', 'closed', 'open', 'won', 'lost']

export function mayFollow(from: DisputeState, to: DisputeState): boolean {
  return transitions[from].includes(to)
}

export function isBooked(chargeback: Chargeback): chargeback is BookedChargeback {
  return chargeback.state !== 'inquiry' && chargeback.state !== 'closed'
}

/** The text that merchants read for each state, in notifications and queries. */
export const stateCodes: Readonly<Record<ChargebackState, 1 | 2 | 3>> = { open: 1, won: 2, lost: 3 }

const messages: Readonly<Record<ChargebackState, string>> = {
  open: 'Chargeback opened',
  won: 'Chargeback won',
  lost: 'Chargeback lost',
}

/** One sentence, for the merchant and for the history. */
export function messageOf({ state }: Pick<BookedChargeback, 'state'>, reasonInWords: string): string {
  return `${messages[state]}: ${reasonInWords}`
}

/** The amount that is lost for good. */
export function lostOf({ state, money }: Chargeback): bigint {
  return state === 'lost' ? money.amount : 0n
}

/** The disputed amount, and the part that was finally lost: zero while the chargeback is open. */
export function refusedAmounts(chargeback: BookedChargeback) {
  const { amount, currency } = chargeback.money
  return {
    refuseAmount: formatAmount(amount, currency),
    refuseCurrency: currency,
    actualRefuseAmount: formatAmount(lostOf(chargeback), currency),
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
