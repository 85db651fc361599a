// The contract of every channel. A channel calls its counterparty to start, complete, query, cancel and refund payments, and
// returns the outcome. It never touches the database.
//
// Unknown is not failed: `failed` means that this reference can never be charged any more. A time-out, a connection that
// breaks after sending, or a malformed response is `unknown`; `ask` with the same reference finds the outcome later.
import type { Money } from '../base/money.ts'
import type { Method } from './method.ts'
import type { PayoutOutcome } from './payout/outcome.ts'
import type { Returned } from './returned.ts'
import type { Terminal } from './terminal.ts'
import type { MethodTraits } from './traits.ts'

export type Outcome = Succeeded | Failed | Pending | Received | Unknown

export type Pending = {
  readonly kind: 'pending'
  readonly channelRef: string
  readonly action: PayerAction
}

/**
 * Transfers that the payer made, which may be less or more than the amount. Every report lists all deposits of the reference
 * so far. The payment succeeds once they add up to the amount.
 */
export type Received = {
  readonly kind: 'received'
  readonly channelRef: string
  readonly deposits: readonly Deposit[]
  /** Unset: the one that was reported before stays. */
  readonly action?: PayerAction
}

/** A final transfer. One that can still be reversed is not a deposit yet. */
export type Deposit = {
  /** The channel's own id, unique within the channel: the same id is the same money. */
  readonly depositRef: string
  readonly money: Money
  readonly at: Date
  readonly payerName?: string
  readonly payerAccount?: string
  /** Crypto only. */
  readonly txHash?: string
  readonly gasFee?: string
}

/** Pending: the counterparty has not decided yet. Calling `refund` again returns the current outcome. */
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
export type Unknown = { readonly kind: 'unknown'; readonly why: string }

export type Failed = {
  readonly kind: 'failed'
  /**
   * declined: by the payer's bank. refused: the channel takes no such payment. unauthorised: the counterparty did not accept our
   * credentials. unreachable: never sent. cancelled: by us or the payer.
   */
  readonly cause: 'declined' | 'refused' | 'unauthorised' | 'unreachable' | 'cancelled'
  /** Decided before any call, so it says nothing about the counterparty. */
  readonly isLocal?: true
  /** The reason, for the merchant and the payer; never card data. */
  readonly message: string
  readonly channelRef?: string
  /** Deposits so far, too little to pay the order. */
  readonly deposits?: readonly Deposit[]
  /** Cards. challenge: the issuer wants 3-D Secure first. never: the network forbids trying this card again. */
  readonly advice?: 'challenge' | 'never'
}

/** What the payer must do next. Its texts (names, accounts, references) are shown unchanged. */
export type PayerAction =
  /** Post `creq` to the issuer's page in the payer's browser; it posts `cres` back to the order's complete address. */
  | { readonly kind: 'challenge'; readonly acsUrl: string; readonly creq: string }
  /** Go to the wallet's page; it leads back to the order's complete address. */
  | {
      readonly kind: 'redirect'
      readonly url: string
      /** Posted there by a form, if the page takes no link. */
      readonly fields?: Readonly<Record<string, string>>
      /** The wallet opens it only for payers whose Referer names our origin. */
      readonly referrer?: 'origin'
    }
  /** Call the wallet's SDK with this in the merchant's own app or mini program: no browser can pay it. */
  | { readonly kind: 'app'; readonly sdkParams: string }
  /** Scan this with the wallet or banking app. */
  | {
      readonly kind: 'qr'
      readonly qrCode: string
      readonly account?: string
      readonly reference?: string
      readonly payee?: string
      /** Set when the payer may also transfer to the account by hand. */
      readonly bank?: string
      readonly bic?: string
      /** Opens the app on the payer's own phone. */
      readonly appUrl?: string
    }
  /** Transfer to this account. */
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
  /** Send exactly this much of the coin, on this network and no other. */
  | {
      readonly kind: 'crypto'
      readonly account: string
      readonly coin: string
      readonly network: string
      readonly coinAmount: string
      /** The payment URI, shown as a QR code too. */
      readonly qrCode: string
      readonly confirmationsNeeded: number
      /** Set while a transfer lacks confirmations. */
      readonly confirmations?: number
      readonly appUrl?: string
    }

/** In memory for one call to the channel; never stored, never logged. */
export type CardDetails = {
  readonly number: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly securityCode: string
}

export type StartRequest = {
  /** Our reference, the same for all retries of this attempt. */
  readonly reference: string
  readonly money: Money
  readonly merNo: number
  readonly card?: CardDetails | undefined
  /** The token of Apple Pay or Google Pay; in memory like a card. */
  readonly walletToken?: string | undefined
  /** Personal numbers (identity, tax) that the method needs; in memory for one call. */
  readonly personal: Readonly<Record<string, unknown>>
  /** The other fields of the request (billing, shipping, device), as the merchant sent them. */
  readonly details: Readonly<Record<string, unknown>>
  /** The payer's terminal: one that the channel serves, if it distinguishes them. */
  readonly terminal: Terminal
  /** The name that the payer knows the shop by. */
  readonly merchantName: string
  /** Until when the payer may pay. */
  readonly expiresAt: Date
  /** Where the counterparty sends the payer's browser afterwards. */
  readonly completeUrl: string
  /** Where the counterparty sends callbacks. */
  readonly callbackUrl: string
  /** Cards: the issuer must challenge the payer by 3-D Secure. */
  readonly challenge?: boolean | undefined
}

export type AttemptRef = {
  readonly reference: string
  /** The channel's own reference, once known. */
  readonly channelRef?: string
  /** The payer's action, once known: some counterparties send it only once. */
  readonly action?: PayerAction
  readonly money: Money
}

export type CompleteRequest = AttemptRef & {
  /** What the payer's browser sent back, such as `cres`. */
  readonly answer: Readonly<Record<string, string>>
}

export type RefundRequest = AttemptRef & { readonly refundReference: string; readonly refund: Money }

/** The payer's bank disputes a payment and takes the money back. */
export type Dispute = {
  /** The channel's own id: the same id is the same dispute. */
  readonly disputeRef: string
  /** Our reference of the attempt that was paid. */
  readonly reference: string
  readonly money: Money
  /** The channel's reason code; '' when it gave none. */
  readonly reason: string
  readonly at: Date
  /**
   * inquiry: a question, and no money has moved. open: the money was taken; the default. won: the money is ours again.
   * lost: it stays with the payer. Only won and lost end a dispute, and a later stage may open it again.
   */
  readonly stage?: 'inquiry' | 'open' | 'won' | 'lost'
  /** Until when evidence may be sent. */
  readonly respondBy?: Date
}

export type Disputes = { readonly kind: 'listed'; readonly list: readonly Dispute[] } | Unknown

/** A message that claims to be from the counterparty. */
export type Callback = {
  readonly method: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export type CallbackResult =
  /** Authentic. The response is sent after the reports are recorded; an empty list is a message that we ignore. */
  | {
      readonly kind: 'accepted'
      readonly reports: readonly { readonly reference: string; readonly outcome: Outcome }[]
      readonly refunds?: readonly { readonly refundReference: string; readonly outcome: RefundOutcome }[]
      readonly payouts?: readonly { readonly reference: string; readonly outcome: PayoutOutcome }[]
      readonly disputes?: readonly Dispute[]
      readonly answer: CallbackAnswer
    }
  /** Not authentic or malformed: nothing is recorded. */
  | { readonly kind: 'refused'; readonly why: string; readonly answer: CallbackAnswer }

export type CallbackAnswer = { readonly status: number; readonly type: string; readonly body: string }

/** The channels of one entry of the settings have one name. They differ in method, traits, `start`, and whether they refund. */
export type Channel = {
  readonly name: string
  readonly method: Method
  readonly traits: ChannelTraits
  start(request: StartRequest): Promise<Outcome>
  complete(request: CompleteRequest): Promise<Outcome>
  /** The current outcome of the reference. A reference that the channel never saw is voided first, and then `failed`. */
  ask(request: AttemptRef): Promise<Outcome>
  /**
   * The current outcome of a payment that waits for its payer. It changes nothing there, and a reference that is not found is
   * `unknown`. Only for counterparties that have the payment from its start: they are asked until the payer's time is over.
   */
  askWaiting?(request: AttemptRef): Promise<Outcome>
  /** Ensures that it can no longer be charged, or returns that it was. */
  cancel(request: AttemptRef): Promise<Outcome>
  /** Idempotent per refund reference: calling it again is also how to query a refund. */
  refund(request: RefundRequest): Promise<RefundOutcome>
  /** Verifies and reads a callback. A channel without callbacks is only polled. */
  readCallback?(callback: Callback): Promise<CallbackResult>
  /**
   * Disputes since that moment, inclusive, oldest first; older ones too if the channel may have learned of them late. For the
   * next page, call it with the time of the last one.
   */
  disputes?(since: Date): Promise<Disputes>
}

/** A channel may support fewer currencies and terminals than its method. */
export type ChannelTraits = MethodTraits & {
  /** Accepts only wallet tokens sent by merchants: it has no payment sheet. */
  readonly needsToken?: boolean
  /** Maximum duration of a call. The resolver leaves the attempt alone for that long. */
  readonly timeoutMs: number
  /** Countries of payers; undefined: all. */
  readonly countries?: readonly string[]
  /** By currency, in minor units; a currency that is not listed has no bounds. */
  readonly amounts?: ReadonlyMap<string, AmountBounds>
}

export type AmountBounds = { readonly least?: bigint; readonly most?: bigint }
