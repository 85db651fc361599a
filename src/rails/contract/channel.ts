// The contract of every pay-in channel. A channel reaches the database only through the tools of settings.ts.
//
// Unknown is not failed: `failed` means that this reference can never be charged any more. A time-out, a connection
// that breaks after sending, or a malformed response is `unknown`: `ask` with the same reference finds the outcome.
// See docs/decisions/0010-unknown-is-not-failed.md.
import type { Money } from '../../platform/base/money.ts'
import type { Method } from '../methods/methods.ts'
import type { Terminal } from '../methods/terminal.ts'
import type { MethodTraits } from '../methods/traits.ts'
import type { PayoutOutcome } from './payout-outcome.ts'
import type { Returned } from './returned.ts'

export type Outcome = Succeeded | Failed | Pending | Received | Unknown

export type Pending = {
  readonly kind: 'pending'
  readonly channelRef: string
  readonly action: PayerAction
}

/**
 * The payer has made transfers, whose sum may be less or more than the amount. Every report lists all deposits so far.
 * Once the deposits add up to the amount, the payment succeeds.
 */
export type Received = {
  readonly kind: 'received'
  readonly channelRef: string
  readonly deposits: readonly Deposit[]
  /** The payer's new action. If unset, the action of the last report still applies. */
  readonly action?: PayerAction
}

/** A final transfer. While a transfer can still be reversed, it is not a deposit. */
export type Deposit = {
  /**
   * The channel's own id of the deposit, unique within the channel. Two reports with the same id are about the same
   * money.
   */
  readonly depositRef: string
  readonly money: Money
  readonly at: Date
  readonly payerName?: string
  readonly payerAccount?: string
  readonly txHash?: string
  readonly gasFee?: string
}

/**
 * `pending` means that the counterparty has not decided the refund yet. A further call of `refund` returns the current
 * outcome.
 */
export type RefundOutcome =
  | Succeeded
  | Failed
  | { readonly kind: 'pending'; readonly channelRef: string }
  | Returned
  | Unknown

export type { Returned } from './returned.ts'

export type Succeeded = {
  readonly kind: 'succeeded'
  readonly money: Money
  readonly channelRef: string
}
export type Unknown = {
  readonly kind: 'unknown'
  readonly why: string
  /** True if the counterparty answered, but the answer does not decide the outcome. */
  readonly isAnswered?: true
}

export type Failed = {
  readonly kind: 'failed'
  /**
   * - declined: the payer's bank declined.
   * - refused: the channel does not accept such payments.
   * - unauthorised: the counterparty did not accept our credentials.
   * - unreachable: the request was never sent.
   * - cancelled: we or the payer cancelled.
   */
  readonly cause: 'declined' | 'refused' | 'unauthorised' | 'unreachable' | 'cancelled'
  /**
   * True if the failure was decided before any call. Such a failure says nothing about the state of the counterparty.
   */
  readonly isLocal?: true
  /** The reason, for the merchant and the payer. The text never contains card data. */
  readonly message: string
  readonly channelRef?: string
  /** All deposits of the reference so far. Their sum was too small, or they came too late. */
  readonly deposits?: readonly Deposit[]
  /**
   * Advice on another attempt, only for cards. challenge: the issuer requires 3-D Secure first. never: the card network
   * forbids another attempt.
   */
  readonly advice?: 'challenge' | 'never'
}

/** The payer's next step. Our pages show the texts of the action (names, accounts, references) unchanged. */
export type PayerAction =
  /** The payer's browser posts `creq` to the issuer's page. That page posts `cres` to the order's `completeUrl`. */
  | { readonly kind: 'challenge'; readonly acsUrl: string; readonly creq: string }
  /** The payer goes to the wallet's page, which leads back to the order's `completeUrl`. */
  | {
      readonly kind: 'redirect'
      readonly url: string
      /** The fields of a form that is posted to the page. Set if the page cannot be opened by a link. */
      readonly fields?: Readonly<Record<string, string>>
      /** `origin` means that the wallet opens its page only if the browser's Referer header names our origin. */
      readonly referrer?: 'origin'
    }
  /** The merchant's own app or mini program calls the wallet's SDK with these parameters. Browsers cannot do so. */
  | { readonly kind: 'app'; readonly sdkParams: string }
  | {
      readonly kind: 'qr'
      readonly qrCode: string
      readonly account?: string
      readonly reference?: string
      readonly payee?: string
      /** The name of the bank. Set if the payer may also transfer to the account by hand. */
      readonly bank?: string
      readonly bic?: string
      /** A link that opens the bank's or the wallet's app on the payer's own phone. */
      readonly appUrl?: string
    }
  | {
      readonly kind: 'transfer'
      readonly account: string
      readonly accountKind: 'clabe' | 'cci' | 'iban' | 'va'
      readonly payee: string
      readonly bank?: string
      readonly bic?: string
      readonly reference?: string
      readonly qrCode?: string
      readonly appUrl?: string
    }
  /** The payer sends exactly `coinAmount` of the coin, on this network only. */
  | {
      readonly kind: 'crypto'
      readonly account: string
      readonly coin: string
      readonly network: string
      readonly coinAmount: string
      /** The payment URI. Our page also shows it as a QR code. */
      readonly qrCode: string
      readonly confirmationsNeeded: number
      /** The confirmations so far. Set while a transfer has fewer than `confirmationsNeeded`. */
      readonly confirmations?: number
      readonly appUrl?: string
    }

/** A card, which is in memory for one call to the channel only, and is never stored or logged. */
export type CardDetails = {
  readonly number: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly securityCode: string
}

export type StartRequest = {
  /** Our reference. All retries of this attempt use the same reference. */
  readonly reference: string
  readonly money: Money
  readonly merNo: number
  readonly card?: CardDetails | undefined
  /** The token of Apple Pay or Google Pay. Like a card, it is never stored or logged. */
  readonly walletToken?: string | undefined
  /**
   * The identity and tax numbers that the method needs. The plain text is in memory for one call only, and the database
   * has the numbers encrypted.
   */
  readonly personal: Readonly<Record<string, unknown>>
  // The other fields, as the merchant sent them. Our pages ask card payers for street, city, state and phone number
  // only if the channel requests these fields. So a card channel that does not request them must accept an order
  // without them.
  readonly details: Readonly<Record<string, unknown>>
  /** The payer's terminal. If a channel distinguishes terminals, it gets only terminals that it serves. */
  readonly terminal: Terminal
  readonly merchantName: string
  readonly expiresAt: Date
  /** The address to which the counterparty redirects the payer's browser after the challenge or payment. */
  readonly completeUrl: string
  readonly callbackUrl: string
  /** True if the issuer must challenge the payer by 3-D Secure. Only for cards. */
  readonly challenge?: boolean | undefined
}

export type AttemptRef = {
  readonly reference: string
  /** The channel's own reference. Unset while it is unknown. */
  readonly channelRef?: string
  /**
   * The payer's action. Unset while it is unknown. The gateway passes it because some counterparties send it only once.
   */
  readonly action?: PayerAction
  readonly money: Money
}

export type CompleteRequest = AttemptRef & {
  /** The fields that the payer's browser sent, such as `cres`. */
  readonly answer: Readonly<Record<string, string>>
}

export type RefundRequest = AttemptRef & { readonly refundReference: string; readonly refund: Money }

/** A report about a dispute: the payer's bank asks about a payment, takes the money back, or has decided. */
export type Dispute = {
  /** The channel's own id of the dispute. Two reports with the same id are about the same dispute. */
  readonly disputeRef: string
  /** Our reference of the paid attempt. */
  readonly reference: string
  readonly money: Money
  /** The channel's reason code, or '' if the channel gave no reason. */
  readonly reason: string
  readonly at: Date
  /**
   * - inquiry: the bank asks, and no money has moved.
   * - open (the default): the money was taken.
   * - won: the money is ours again.
   * - lost: the money stays with the payer.
   *
   * Only won and lost end a dispute, and a later report may reopen it.
   */
  readonly stage?: 'inquiry' | 'open' | 'won' | 'lost'
  /** The deadline for sending evidence. */
  readonly respondBy?: Date
}

export type Disputes = { readonly kind: 'listed'; readonly list: readonly Dispute[] } | Unknown

/** A message that claims to come from the counterparty. */
export type Callback = {
  readonly method: string
  readonly path: string
  /** The query string without the question mark. */
  readonly query: string
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export type CallbackResult =
  /**
   * The message is authentic. The gateway sends the answer only after it has recorded everything that the message
   * reports.
   */
  | {
      readonly kind: 'accepted'
      readonly reports: readonly { readonly reference: string; readonly outcome: Outcome }[]
      readonly refunds?: readonly { readonly refundReference: string; readonly outcome: RefundOutcome }[]
      readonly payouts?: readonly { readonly reference: string; readonly outcome: PayoutOutcome }[]
      readonly disputes?: readonly Dispute[]
      readonly answer: CallbackAnswer
    }
  /** The message is not authentic, or cannot be read or processed. The gateway records no report of it. */
  | { readonly kind: 'refused'; readonly why: string; readonly answer: CallbackAnswer }

export type CallbackAnswer = { readonly status: number; readonly type: string; readonly body: string }

/** A channel serves one method. All channels of one entry in the channels file have the entry's name. */
export type Channel = {
  readonly name: string
  readonly method: Method
  readonly traits: ChannelTraits
  start(request: StartRequest): Promise<Outcome>
  complete(request: CompleteRequest): Promise<Outcome>
  /**
   * Returns the current outcome. If the counterparty does not know the reference, `ask` first voids the reference, so
   * that it can never be charged, and then returns `failed`.
   */
  ask(request: AttemptRef): Promise<Outcome>
  /**
   * Returns the current outcome of a payment that waits for its payer. Returns `unknown` if the counterparty does not
   * find the reference, and changes nothing at the counterparty. A channel has `askWaiting` only if its counterparty
   * knows the payment from its start. Such a channel is polled until the payer's time is over.
   */
  askWaiting?(request: AttemptRef): Promise<Outcome>
  /** Ensures that the reference can no longer be charged. If it was charged already, returns that outcome. */
  cancel(request: AttemptRef): Promise<Outcome>
  /** Requests a refund. The call is idempotent per refund reference: a further call returns the current outcome. */
  refund(request: RefundRequest): Promise<RefundOutcome>
  /** Verifies and reads a callback. If a channel has no callbacks, it is only polled. */
  readCallback?(callback: Callback): Promise<CallbackResult>
  /**
   * Lists the disputes at or after `since`, oldest first. The list may include older disputes, because a channel may
   * learn late of a dispute or of its new stage. For the next page, the caller passes the time of the last dispute.
   */
  disputes?(since: Date): Promise<Disputes>
}

/** The traits of a channel, which may support fewer currencies and terminals than its method. */
export type ChannelTraits = MethodTraits & {
  /** True if the channel has no payment sheet. Merchants must then send the wallet token. */
  readonly needsToken?: boolean
  /**
   * The maximum duration of a call. During that time, the resolver (which decides open attempts) does not touch the
   * attempt.
   */
  readonly timeoutMs: number
  /** The payers' countries that the channel serves. Undefined if the channel serves all countries. */
  readonly countries?: readonly string[]
  /** The bounds of an amount by currency, in minor units. A currency without an entry has no bounds. */
  readonly amounts?: ReadonlyMap<string, AmountBounds>
}

export type AmountBounds = { readonly least?: bigint; readonly most?: bigint }
