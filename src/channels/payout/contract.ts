// The contract of a payout rail: it sends money to a beneficiary and returns the outcome. It never touches the database.
//
// Sending is idempotent per reference. Unknown is not failed: `failed` means that this reference can never be paid any more.

import type { Money } from '../../base/money.ts'
import type { Callback, CallbackResult, Returned } from '../contract.ts'

/** The kinds of accounts that a payout can go to. */
export const accountKinds = ['card', 'bank_account', 'pix', 'per_transfer', 'spei'] as const
export type AccountKind = (typeof accountKinds)[number]

export type Beneficiary = {
  /** The account; for a card the rail's token, never the number. */
  readonly account: string
  /** Names, address, bank code, identity, as the merchant or the beneficiary entered them. */
  readonly details: Readonly<Record<string, unknown>>
}

export type PayoutRequest = {
  readonly reference: string
  readonly kind: AccountKind
  readonly money: Money
  readonly beneficiary: Beneficiary
}

export type PayoutOutcome =
  | { readonly kind: 'succeeded'; readonly money: Money; readonly railRef: string }
  | PayoutFailed
  /** The rail has accepted it and not decided yet. */
  | { readonly kind: 'processing'; readonly railRef: string }
  | Returned
  | { readonly kind: 'unknown'; readonly why: string }

export type PayoutFailed = {
  readonly kind: 'failed'
  /**
   * declined: by the beneficiary's bank. refused: the rail accepts no such payout. The others are true of one call only:
   * unauthorised: the rail did not accept our signature. unreachable: never sent.
   */
  readonly cause: 'declined' | 'refused' | 'unauthorised' | 'unreachable'
  /** The reason, for the merchant; never account data. */
  readonly message: string
  readonly railRef?: string
}

/** Tokenising moves no money, so a failure is always certain. */
export type Tokenised = { readonly kind: 'token'; readonly token: string } | PayoutFailed

export type PayoutRail = {
  readonly name: string
  /** The accounts that it can pay to. */
  readonly kinds: readonly AccountKind[]
  /** 'any': all currencies of the merchant. */
  readonly currencies: readonly string[] | 'any'
  /** Maximum duration of a call. The worker leaves the payout alone for that long. */
  readonly timeoutMs: number
  /** Exchanges a card number for a token that only this rail can use. The number is in memory for this call only. */
  tokenise(cardNumber: string): Promise<Tokenised>
  send(request: PayoutRequest): Promise<PayoutOutcome>
  /** The current outcome; `absent` when the rail never saw the reference, which may then be sent again. */
  ask(reference: string): Promise<PayoutOutcome | { readonly kind: 'absent' }>
  /** Verifies and reads a callback, like a channel's. An entry with channels and a rail has one reader for both. */
  readCallback?(callback: Callback): Promise<CallbackResult>
}
