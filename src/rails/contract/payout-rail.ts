// The contract of a payout rail: it sends money to a beneficiary and returns the outcome. A rail reaches the database
// only through the tools of settings.ts. Sending is idempotent per reference. Unknown is not failed: `failed` means
// that this reference can never be paid any more.
import type { Money } from '../../platform/base/money.ts'
import type { AmountBounds, Callback, CallbackResult } from './channel.ts'
import type { PayoutFailed, PayoutOutcome } from './payout-outcome.ts'

export type { PayoutFailed, PayoutOutcome } from './payout-outcome.ts'

/** The kinds of accounts that merchants (by the API) and beneficiaries (on their page) can enter. */
export const accountKinds = ['card', 'bank_account', 'pix', 'per_transfer', 'spei'] as const
export type InterfaceAccount = (typeof accountKinds)[number]

/**
 * `coin` is an address on a chain. Payouts to it are made only from the back office. Its `Beneficiary.details` contain
 * `coin` and `network`.
 */
export type AccountKind = InterfaceAccount | 'coin'

export type Beneficiary = {
  /** The account number or address. For a card: the rail's token, never the card number. */
  readonly account: string
  /** Names, address, bank code and identity, as the merchant or the beneficiary entered them. */
  readonly details: Readonly<Record<string, unknown>>
}

export type PayoutRequest = {
  readonly reference: string
  readonly kind: AccountKind
  readonly money: Money
  readonly beneficiary: Beneficiary
}

/** The amount of coin for a payout at the current price, or the reason why the payout cannot be sent. */
type Quoted =
  | { readonly kind: 'quoted'; readonly amount: string; readonly coin: string }
  | { readonly kind: 'refused'; readonly why: string }

/** The expiry date of a card, which is in memory for one call only. The month has two digits, and the year has four. */
export type CardExpiry = { readonly month: string; readonly year: string }

/** The result of tokenising. There is no unknown outcome, because tokenising moves no money. */
export type Tokenised = { readonly kind: 'token'; readonly token: string } | PayoutFailed

export type PayoutRail = {
  readonly name: string
  readonly kinds: readonly AccountKind[]
  /** The currencies that the rail can pay. 'any' means that the rail sets no limit. */
  readonly currencies: readonly string[] | 'any'
  /** The currencies of payouts to cards. Default: `currencies`. */
  readonly cardCurrencies?: readonly string[]
  /** The bounds of an amount by currency, in minor units. A currency without an entry has no bounds. */
  readonly amounts?: ReadonlyMap<string, AmountBounds>
  /** True if the rail accepts a card only together with its expiry date. */
  readonly needsExpiry?: boolean
  /**
   * The values that the rail accepts in the beneficiary's details, by field, such as the networks of a coin. A field
   * without an entry may have any value.
   */
  readonly serves?: Readonly<Record<string, readonly string[]>>
  /**
   * The maximum duration of a call. The lease of a payout is longer, so no other worker claims the payout during the
   * call.
   */
  readonly timeoutMs: number
  /**
   * Exchanges a card number for a token that only this rail can use. The card number is in memory for this call only.
   */
  tokenise(cardNumber: string, expiry?: CardExpiry): Promise<Tokenised>
  /**
   * Returns a preview of the amount of coin. Only rails that pay in a coin have it. The quote is neither stored nor
   * binding.
   */
  quote?(request: Pick<PayoutRequest, 'money' | 'beneficiary'>): Quoted
  send(request: PayoutRequest): Promise<PayoutOutcome>
  /**
   * Returns the current outcome. `absent` means that the rail never received the reference, so the payout may be sent
   * again.
   */
  ask(reference: string): Promise<PayoutOutcome | { readonly kind: 'absent' }>
  /**
   * Verifies and reads a callback. If the entry also has channels, a channel's `readCallback` reads the callback
   * instead.
   */
  readCallback?(callback: Callback): Promise<CallbackResult>
}

/**
 * The name of each kind of account in the channels file and in the routes of merchants, which list it like a method.
 */
const names = {
  card: 'payout_card',
  bank_account: 'payout_bank',
  pix: 'payout_pix',
  per_transfer: 'payout_per',
  spei: 'payout_spei',
  coin: 'payout_coin',
} as const satisfies Record<AccountKind, string>

export type PayoutMethod = (typeof names)[AccountKind]

export function payoutMethodOf(kind: AccountKind): PayoutMethod {
  return names[kind]
}

const kinds: readonly AccountKind[] = [...accountKinds, 'coin']

export const payoutMethodNames: readonly PayoutMethod[] = kinds.map(payoutMethodOf)

export const payoutMethods: ReadonlyMap<string, AccountKind> = new Map(
  kinds.map((kind) => [names[kind], kind]),
)
