// An order that was paid, as refunds, chargebacks and settlement see it. Pure rules.
import { State, type StateNumber } from './order.ts'
import type { Position } from './position.ts'

export type ChargebackState = 'open' | 'won' | 'lost'

export type PaidOrder = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly method: string
  /** The channel that took the money, and how it knows the payment. */
  readonly channel: string
  readonly attemptNo: number
  readonly channelRef: string | undefined
  readonly state: StateNumber
  readonly version: number
  readonly localDay: string
  /** What was asked for; the position's amount is what was paid of it. */
  readonly sourceAmount: bigint
  readonly protestNotifyUrl: string
  /** Percentage and fixed fee, as taken at success. */
  readonly fees: bigint
  readonly settleAmount: bigint
  readonly refundsOpen: number
  readonly chargeback: ChargebackState | undefined
  readonly position: Position
}

/** What became of the order's money: the state follows from it. */
export function paidState(order: Pick<PaidOrder, 'refundsOpen' | 'chargeback' | 'position'>): StateNumber {
  const { refundsOpen, chargeback, position } = order
  if (chargeback === 'open') return State.disputed
  if (chargeback === 'lost') return position.refunded > 0n ? State.chargedBackAfterRefund : State.chargedBack
  if (refundsOpen > 0) return State.refunding
  return position.refunded === position.amount ? State.refunded : State.succeeded
}

const paidStates: readonly StateNumber[] = [
  State.succeeded,
  State.refunded,
  State.refunding,
  State.chargedBack,
  State.disputed,
  State.chargedBackAfterRefund,
]

/** It was paid, whatever became of the money since. */
export function wasPaid(state: StateNumber): boolean {
  return paidStates.includes(state)
}
