// A payment or payout as its caller knows it, and the options of the calls about it.
import type { PaymentAnswer, PayoutAnswer, SalesQueryAnswer } from './generated.ts'

export type CallOptions = { readonly signal?: AbortSignal | undefined }

export type ResolveOptions = CallOptions & {
  /** The longest time to poll: 30 seconds unless given, 0 to query once. */
  readonly waitMs?: number | undefined
}

export type OrderStatus =
  | 'succeeded'
  /** The order was declined, was cancelled or has expired. The order number is used up. */
  | 'failed'
  /** The order waits for the payer, the beneficiary or a bank. */
  | 'pending'
  /** The gateway has no such order. The order may be sent again under the same number: if it arrives twice, one is refused. */
  | 'not-found'

export type Order<Answer = PaymentAnswer | PayoutAnswer> = {
  readonly status: OrderStatus
  readonly merOrderNo: string
  /** The gateway's number; undefined while it is unknown. */
  readonly tradeNo: string | undefined
  /** The gateway's words, for example why a card was declined. */
  readonly message: string
  /** The address to send the payer or the beneficiary to. */
  readonly payUrl: string | undefined
  /** The answer to the request; undefined if none came. */
  readonly answer: Answer | undefined
  /** The answer to the last query; undefined before it. */
  readonly queried: SalesQueryAnswer | undefined
  /** Queries by the order number until the order is decided or the time is over. The order is never sent again. */
  resolve(options?: ResolveOptions): Promise<Order<Answer>>
}
