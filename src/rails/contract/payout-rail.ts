// The contract of a payout rail: it sends money to a beneficiary and returns the outcome. It never touches the database.
//
// Sending is idempotent per reference. Unknown is not failed: `failed` means that this reference can never be paid any more.

import type { Money } from '../../base/money.ts'
import type { AmountBounds, Callback, CallbackResult } from '../contract.ts'
import type { PayoutFailed, PayoutOutcome } from './outcome.ts'

export type { PayoutFailed, PayoutOutcome } from './outcome.ts'

/** The kinds of accounts that the interface and the beneficiary's page know. */
export const accountKinds = ['card', 'bank_account', 'pix', 'per_transfer', 'spei'] as const
export type InterfaceAccount = (typeof accountKinds)[number]

/** The back office also pays to an address of a chain; `details` then name `coin` and `network`. */
export type AccountKind = InterfaceAccount | 'coin'

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

/** What a payout comes to in coin at the price of now, or why it cannot be sent. */
export type Quoted =
  | { readonly kind: 'quoted'; readonly amount: string; readonly coin: string }
  | { readonly kind: 'refused'; readonly why: string }

/** In memory for one call, like the number. Two digits and four. */
export type CardExpiry = { readonly month: string; readonly year: string }

/** Tokenising moves no money, so a failure is always certain. */
export type Tokenised = { readonly kind: 'token'; readonly token: string } | PayoutFailed

export type PayoutRail = {
  readonly name: string
  /** The accounts that it can pay to. */
  readonly kinds: readonly AccountKind[]
  /** 'any': all currencies of the merchant. */
  readonly currencies: readonly string[] | 'any'
  /** To cards, if these are fewer. */
  readonly cardCurrencies?: readonly string[]
  /** By currency, in minor units; a currency that is not listed has no bounds. */
  readonly amounts?: ReadonlyMap<string, AmountBounds>
  /** Takes a card only together with its expiry date. */
  readonly needsExpiry?: boolean
  /** What the beneficiary's details must name, such as the network of a coin; unset: anything. */
  readonly serves?: Readonly<Record<string, readonly string[]>>
  /** Maximum duration of a call. The worker leaves the payout alone for that long. */
  readonly timeoutMs: number
  /** Exchanges a card number for a token that only this rail can use. The number is in memory for this call only. */
  tokenise(cardNumber: string, expiry?: CardExpiry): Promise<Tokenised>
  /** For a preview, by a rail that pays in another unit than the payout's currency. It stores and promises nothing. */
  quote?(request: Pick<PayoutRequest, 'money' | 'beneficiary'>): Quoted
  send(request: PayoutRequest): Promise<PayoutOutcome>
  /** The current outcome; `absent` when the rail never saw the reference, which may then be sent again. */
  ask(reference: string): Promise<PayoutOutcome | { readonly kind: 'absent' }>
  /** Verifies and reads a callback, like a channel's. An entry with channels and a rail has one reader for both. */
  readCallback?(callback: Callback): Promise<CallbackResult>
}
