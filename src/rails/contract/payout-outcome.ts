// The outcomes of a payout rail. Callbacks of channels (channel.ts) report these outcomes, too, and payout-rail.ts
// imports channel.ts. So the outcomes have a file of their own, to prevent an import cycle.
import type { Money } from '../../platform/base/money.ts'
import type { Returned } from './returned.ts'

export type PayoutOutcome =
  | { readonly kind: 'succeeded'; readonly money: Money; readonly railRef: string }
  | PayoutFailed
  /** The rail has accepted the payout, but has neither paid nor declined it yet. */
  | { readonly kind: 'processing'; readonly railRef: string }
  | Returned
  | PayoutUnknown

export type PayoutUnknown = {
  readonly kind: 'unknown'
  readonly why: string
  /** True if the rail accepted the payout earlier, but does not list it now. The payout must not be sent again. */
  readonly isUnlisted?: true
}

export type PayoutFailed = {
  readonly kind: 'failed'
  /**
   * - declined: the beneficiary's bank declined.
   * - refused: the rail does not accept such payouts.
   * - unauthorised: the rail did not accept our credentials.
   * - unreachable: the request was never sent.
   *
   * After unauthorised and unreachable, a later call may succeed.
   */
  readonly cause: 'declined' | 'refused' | 'unauthorised' | 'unreachable'
  /**
   * True if the failure was decided before any call. Such a failure says nothing about the state of the counterparty.
   */
  readonly isLocal?: true
  /** The reason, for the merchant. The text never contains account data. */
  readonly message: string
  readonly railRef?: string
}
