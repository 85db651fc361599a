// A payment or payout as the caller knows it, and options of calls.
import type { PaymentAnswer, PayoutAnswer, SalesQueryAnswer } from './generated.ts'

export type CallOptions = { readonly signal?: AbortSignal | undefined }

export type ResolveOptions = CallOptions & {
  /** The longest time to poll. The default is 30 seconds. With 0, a single query is sent. */
  readonly waitMs?: number | undefined
}

export type OrderStatus =
  | 'succeeded'
  /** The order was declined, was cancelled or has expired. Its number cannot be used again. */
  | 'failed'
  /** The order waits for the payer, the beneficiary or a bank, or its status is not known yet. */
  | 'pending'
  /**
   * The gateway has no such order. You may send the order again with the same number, because the gateway accepts a
   * number only once.
   */
  | 'not-found'

export type Order<Answer = PaymentAnswer | PayoutAnswer> = {
  readonly status: OrderStatus
  readonly merOrderNo: string
  /** The gateway's number. Undefined while it is unknown. */
  readonly tradeNo: string | undefined
  /** The gateway's message, for example why a card was declined. */
  readonly message: string
  /** The address to send the payer or the beneficiary to. */
  readonly payUrl: string | undefined
  /** The answer to the request. Undefined after an error, and for an order that is known only by its number. */
  readonly answer: Answer | undefined
  /** The answer to the last query. Undefined before the first query, and for the status `not-found`. */
  readonly queried: SalesQueryAnswer | undefined
  /** Polls by the order number until the order is decided or the time is over. Never sends the order again. */
  resolve(options?: ResolveOptions): Promise<Order<Answer>>
}
