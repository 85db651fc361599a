// A payout that passed every check and waits to be accepted.
import type { NewPayoutOrder } from '../orders/new-order.ts'
import type { PayoutKind, PayoutState, StoredAccount } from './payout.ts'

export type NewPayout = NewPayoutOrder & {
  readonly kind: PayoutKind
  readonly state: PayoutState
  readonly rail: string
  readonly reference: string
  /** Undefined for CheckOut until the beneficiary enters it, and for a card until it has a token. */
  readonly account: StoredAccount | undefined
  readonly beneficiary: Readonly<Record<string, unknown>>
  readonly accountMasked: string
  readonly needsApproval: boolean
  readonly askAt: Date | undefined
}
