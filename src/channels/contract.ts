// What every rail promises. A channel makes no money move by itself: it starts, completes, asks about, cancels and
// refunds at its counterparty, and says what it learnt. It never touches the database.
//
// Unknown is not failed: `failed` means that this reference can never be charged any more. A time-out, a broken
// connection after sending, or an answer that makes no sense is `unknown`, and `ask` with the same reference tells later.
import type { Money } from '../base/money.ts'
import type { Method } from './method.ts'

export type Outcome =
  | Succeeded
  | Failed
  | { readonly kind: 'pending'; readonly channelRef: string; readonly action: PayerAction }
  | Unknown

/** Pending: the counterparty has it and has not decided. Nobody need act; the same refund again tells. */
export type RefundOutcome =
  | Succeeded
  | Failed
  | { readonly kind: 'pending'; readonly channelRef: string }
  | Unknown

export type Succeeded = { readonly kind: 'succeeded'; readonly money: Money; readonly channelRef: string }
export type Unknown = { readonly kind: 'unknown'; readonly why: string }

export type Failed = {
  readonly kind: 'failed'
  /** declined: the payer's side said no. refused: the channel would not open it. unreachable: never sent. cancelled: by us or the payer. */
  readonly cause: 'declined' | 'refused' | 'unreachable' | 'cancelled'
  /** The reason in words for the merchant and payer; never card data. */
  readonly message: string
  readonly channelRef?: string
}

/** What the payer must do before the outcome is known. */
export type PayerAction =
  /** Post `creq` to the issuer's page in the payer's browser; it posts `cres` back to the order's complete address. */
  { readonly kind: 'challenge'; readonly acsUrl: string; readonly creq: string }

/** Lives in memory for the one call that hands it to the channel; never stored, never logged. */
export type CardDetails = {
  readonly number: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly securityCode: string
}

export type StartRequest = {
  /** Ours, one for all retries of this attempt. */
  readonly reference: string
  readonly money: Money
  readonly merNo: number
  readonly card?: CardDetails
  /** The other fields of the request (billing, shipping, device), as the merchant sent them. */
  readonly details: Readonly<Record<string, unknown>>
  /** Where the counterparty sends the payer's browser when it is done. */
  readonly completeUrl: string
}

export type AttemptRef = {
  readonly reference: string
  /** The channel's own reference, once it has told one. */
  readonly channelRef?: string
  readonly money: Money
}

export type CompleteRequest = AttemptRef & {
  /** What the payer's browser brought back, for example `cres`. */
  readonly answer: Readonly<Record<string, string>>
}

export type RefundRequest = AttemptRef & { readonly refundReference: string; readonly refund: Money }

/** A payer's bank takes money of a payment back. */
export type Dispute = {
  /** The channel's own name of it: told again, it has the same. */
  readonly disputeRef: string
  /** Ours, of the attempt that took the money. */
  readonly reference: string
  readonly money: Money
  /** The channel's code; '' when it told none. */
  readonly reason: string
  readonly at: Date
}

export type Disputes = { readonly kind: 'told'; readonly list: readonly Dispute[] } | Unknown

export type Channel = {
  readonly name: string
  readonly method: Method
  readonly traits: ChannelTraits
  start(request: StartRequest): Promise<Outcome>
  complete(request: CompleteRequest): Promise<Outcome>
  /** What became of the reference. One the channel never saw is made void first, then `failed`. */
  ask(request: AttemptRef): Promise<Outcome>
  /** Makes sure it is not charged any more, or tells that it was. */
  cancel(request: AttemptRef): Promise<Outcome>
  /** One refund however often it is called with the same refund reference: calling again is how to ask. */
  refund(request: RefundRequest): Promise<RefundOutcome>
  /** Disputes from then on, that moment included, the oldest first; what did not fit comes when asked from the last. */
  disputes?(since: Date): Promise<Disputes>
}

export type ChannelTraits = {
  readonly refundable: boolean
  /** How long a pending attempt waits for its payer. */
  readonly awaitsPayerMinutes: number
  /** How long a call may take; the resolver leaves the attempt alone for that long. */
  readonly timeoutMs: number
}
