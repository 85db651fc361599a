// What a payout rail promises: it hands money to a beneficiary, and tells what became of it. It never touches the database.
//
// One reference is one payout, however often it is sent. Unknown is not failed: `failed` means that this reference can
// never be paid any more.
import type { Money } from '../../base/money.ts'

/** How a beneficiary can be paid. */
export const accountKinds = ['card', 'bank_account', 'pix', 'per_transfer', 'spei'] as const
export type AccountKind = (typeof accountKinds)[number]

export type Beneficiary = {
  /** The account; of a card the rail's own token, never the number. */
  readonly account: string
  /** Names, address, bank code, identity: as the merchant or the beneficiary gave them. */
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
  /** The rail has it, and has not decided. */
  | { readonly kind: 'processing'; readonly railRef: string }
  | { readonly kind: 'unknown'; readonly why: string }

export type PayoutFailed = {
  readonly kind: 'failed'
  /** declined: the beneficiary's side said no. refused: the rail would not take it. unreachable: never sent. */
  readonly cause: 'declined' | 'refused' | 'unreachable'
  /** The reason in words for the merchant; never account data. */
  readonly message: string
  readonly railRef?: string
}

/** Moves no money: without a token, nothing can have been paid. */
export type Tokenised = { readonly kind: 'token'; readonly token: string } | PayoutFailed

export type PayoutRail = {
  readonly name: string
  /** How long a call may take; the worker leaves the payout alone for that long. */
  readonly timeoutMs: number
  /** Exchanges a card number for a token that only this rail can use. The number is in memory for this call alone. */
  tokenise(cardNumber: string): Promise<Tokenised>
  send(request: PayoutRequest): Promise<PayoutOutcome>
  /** What became of a reference; `absent` when the rail never saw it: it may be sent, by the same reference. */
  ask(reference: string): Promise<PayoutOutcome | { readonly kind: 'absent' }>
}
