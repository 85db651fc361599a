// What a counterparty lists as final on one day: its own account of our payments, refunds, payouts and disputes.
import type { Money } from '../base/money.ts'
import type { Unknown } from './contract.ts'

export const movementTypes = ['payment', 'refund', 'payout', 'chargeback'] as const
export type MovementType = (typeof movementTypes)[number]

export type ListedMovement = {
  /** Ours, as we gave it to the counterparty. */
  readonly reference: string
  readonly type: MovementType
  readonly money: Money
  /** What the counterparty keeps, in the same currency. */
  readonly fee: bigint
}

export type DayStatement = { readonly kind: 'listed'; readonly lines: readonly ListedMovement[] } | Unknown
