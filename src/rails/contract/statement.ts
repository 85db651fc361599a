// Statements: the payments, refunds, payouts and disputes that a counterparty lists as final on one day. Also the
// movements of our own books, with which reconciliation compares the statements.
import type { Money } from '../../platform/base/money.ts'
import type { Unknown } from './channel.ts'

export const movementTypes = ['payment', 'refund', 'payout', 'chargeback'] as const
export type MovementType = (typeof movementTypes)[number]

export type ListedMovement = {
  /**
   * The counterparty's own id of the movement, which is the same on every statement. Undefined if the movement has no
   * id.
   */
  readonly id?: string | undefined
  /** Our reference, as we sent it to the counterparty. */
  readonly reference: string
  readonly type: MovementType
  /** The amount, which is negative if the counterparty took the movement back. */
  readonly money: Money
  /** The fee that the counterparty keeps, in the currency of `money`. */
  readonly fee: bigint
}

export type DayStatement = { readonly kind: 'listed'; readonly lines: readonly ListedMovement[] } | Unknown

/** A movement in our books: money that moved at a channel under a reference of ours. */
export type Movement = {
  readonly merNo: number
  readonly tradeNo: string
  /** The channel that moved the money, which may differ from the channel whose statement lists it. */
  readonly channel: string
  readonly money: Money
  readonly standing: 'done' | 'open' | 'failed'
  readonly reference: string
}

/** A movement as it comes from the database. */
export type MovementRow = {
  readonly mer_no: bigint
  readonly trade_no: string
  readonly channel: string
  readonly currency: string
  readonly amount: bigint
  readonly state: string
}

export function toMovement(row: MovementRow, reference: string): Movement {
  const { mer_no, trade_no: tradeNo, channel, currency, amount, state } = row
  // A returned payout or refund was paid before it came back, so the statement of the day of payment lists it.
  const isDone = state === 'succeeded' || state === 'returned'
  const standing = isDone ? 'done' : state === 'failed' ? 'failed' : 'open'
  return { merNo: Number(mer_no), tradeNo, channel, money: { amount, currency }, standing, reference }
}

export type MovementPeriod = { readonly channel: string; readonly from: Date; readonly until: Date }
