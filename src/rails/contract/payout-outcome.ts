// The outcomes of a payout rail. A separate file prevents an import cycle: callbacks of channels (channel.ts) report
// these outcomes, too, and payout-rail.ts imports channel.ts.
import type { Money } from '../../platform/base/money.ts'
import type { Returned } from './returned.ts'

export type PayoutOutcome =
  | { readonly kind: 'succeeded'; readonly money: Money; readonly railRef: string }
  | PayoutFailed
  /** The rail has accepted the payout, but has not paid or declined it yet. */
  | { readonly kind: 'processing'; readonly railRef: string }
  | Returned
  | PayoutUnknown

export type PayoutUnknown = {
  readonly kind: 'unknown'
  readonly why: string
  /** True if the rail accepted the payout earlier, but does not list it now. Such a payout must not be sent again. */
  readonly isUnlisted?: true
}

export type PayoutFailed = {
  readonly kind: 'failed'
  /**
   * declined: the beneficiary's bank declined. refused: the rail does not accept such payouts. unauthorised: the rail
   * did not accept our credentials. unreachable: the request was never sent. After unauthorised and unreachable a later
   * call may succeed.
   */
  readonly cause: 'declined' | 'refused' | 'unauthorised' | 'unreachable'
  /** True if the failure was decided before any call, so it says nothing about the counterparty. */
  readonly isLocal?: true
  /** The reason, for the merchant; never account data. */
  readonly message: string
  readonly railRef?: string
}
