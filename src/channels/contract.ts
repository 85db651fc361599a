// What every rail promises. A channel makes no money move by itself: it starts, completes, asks about, cancels and
// refunds at its counterparty, and says what it learnt. It never touches the database.
//
// Unknown is not failed: `failed` means that this reference can never be charged any more. A time-out, a broken
// connection after sending, or an answer that makes no sense is `unknown`, and `ask` with the same reference tells later.
import type { Money } from '../base/money.ts'
import type { Method } from './method.ts'
import type { Terminal } from './terminal.ts'
import type { MethodTraits } from './traits.ts'

export type Outcome = Succeeded | Failed | Pending | Received | Unknown

export type Pending = {
  readonly kind: 'pending'
  readonly channelRef: string
  readonly action: PayerAction
}

/**
 * Money that payers sent by themselves and that may be less or more than was asked: all that came for the reference so far,
 * every time. The payment succeeds once it adds up to the amount; until then the payer may send the rest.
 */
export type Received = {
  readonly kind: 'received'
  readonly channelRef: string
  readonly deposits: readonly Deposit[]
  readonly action: PayerAction
}

/** Final money only: a transfer that could still be taken back is none yet. */
export type Deposit = {
  /** The channel's own name of this money, unique within the channel: reported again, it is the same money. */
  readonly depositRef: string
  readonly money: Money
  readonly at: Date
  readonly payerName?: string
  readonly payerAccount?: string
  /** Crypto only. */
  readonly txHash?: string
  readonly gasFee?: string
}

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
  /** What had come by then, too little to pay the order. */
  readonly deposits?: readonly Deposit[]
}

/** What the payer must do before the outcome is known. Texts in it are shown as they are: names, accounts, references. */
export type PayerAction =
  /** Post `creq` to the issuer's page in the payer's browser; it posts `cres` back to the order's complete address. */
  | { readonly kind: 'challenge'; readonly acsUrl: string; readonly creq: string }
  /** Go to the wallet's page; it leads back to the order's complete address. */
  | {
      readonly kind: 'redirect'
      readonly url: string
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
      /** Where the account is one at a bank that the payer may also transfer to by hand. */
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
      /** Set while a transfer is seen that is not deep enough yet. */
      readonly confirmations?: number
      readonly appUrl?: string
    }

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
  readonly card?: CardDetails | undefined
  /** What Apple Pay or Google Pay made; in memory like a card. */
  readonly walletToken?: string | undefined
  /** Personal numbers (identity, tax) that the method asks for; in memory for the call. */
  readonly personal: Readonly<Record<string, unknown>>
  /** The other fields of the request (billing, shipping, device), as the merchant sent them. */
  readonly details: Readonly<Record<string, unknown>>
  /** Where the payer pays: one that the channel serves, if it tells them apart. */
  readonly terminal: Terminal
  /** The name that the payer knows the shop by. */
  readonly merchantName: string
  /** Until when the payer may pay. */
  readonly expiresAt: Date
  /** Where the counterparty sends the payer's browser when it is done. */
  readonly completeUrl: string
  /** Where the counterparty tells by itself what happened. */
  readonly callbackUrl: string
}

export type AttemptRef = {
  readonly reference: string
  /** The channel's own reference, once it has told one. */
  readonly channelRef?: string
  /** What the payer was told to do, once told: some counterparties tell it only once. */
  readonly action?: PayerAction
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

/** A message that claims to be from the counterparty. */
export type Callback = {
  readonly method: string
  readonly path: string
  /** After the question mark. */
  readonly query: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export type Heard =
  /** Proven by its signature. The answer is sent once the reports are recorded; an empty list is a message of no interest. */
  | {
      readonly kind: 'heard'
      readonly reports: readonly { readonly reference: string; readonly outcome: Outcome }[]
      readonly answer: CallbackAnswer
    }
  /** Not proven, or it makes no sense: nothing is believed. */
  | { readonly kind: 'refused'; readonly why: string; readonly answer: CallbackAnswer }

export type CallbackAnswer = { readonly status: number; readonly type: string; readonly body: string }

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
  /** Judges a message from the counterparty. Without it the channel is only ever asked. */
  hear?(callback: Callback): Promise<Heard>
  /** Disputes from then on, that moment included, the oldest first; what did not fit comes when asked from the last. */
  disputes?(since: Date): Promise<Disputes>
}

/** A channel may take fewer currencies and serve fewer terminals than its method. */
export type ChannelTraits = MethodTraits & {
  /** Takes only wallet tokens that merchants send: it has no sheet to open for a payer. */
  readonly needsToken?: boolean
  /** How long a call may take; the resolver leaves the attempt alone for that long. */
  readonly timeoutMs: number
}
