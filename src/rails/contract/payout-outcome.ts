// What a payout rail says about a payout.
import type { Money } from '../../base/money.ts'
import type { Returned } from '../returned.ts'

export type PayoutOutcome =
  | { readonly kind: 'succeeded'; readonly money: Money; readonly railRef: string }
  | PayoutFailed
  /** The rail has accepted it and not decided yet. */
  | { readonly kind: 'processing'; readonly railRef: string }
  | Returned
  | PayoutUnknown

export type PayoutUnknown = {
  readonly kind: 'unknown'
  readonly why: string
  /** The rail had it, and does not list it any more. Not absent: it must not be sent again. */
  readonly isUnlisted?: true
}

export type PayoutFailed = {
  readonly kind: 'failed'
  /**
   * declined: by the beneficiary's bank. refused: the rail accepts no such payout. The others are true of one call only:
   * unauthorised: the rail did not accept our signature. unreachable: never sent.
   */
  readonly cause: 'declined' | 'refused' | 'unauthorised' | 'unreachable'
  /** Decided before any call, so it says nothing about the counterparty. */
  readonly isLocal?: true
  /** The reason, for the merchant; never account data. */
  readonly message: string
  readonly railRef?: string
}
