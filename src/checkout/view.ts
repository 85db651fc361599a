// An order as its payer sees it: all that the pages are made from, and nothing else of the merchant or the order.
import type { Money } from '../base/money.ts'
import type { PayerAction } from '../channels/contract.ts'
import type { Method } from '../channels/method.ts'
import type { AskedField } from '../channels/traits.ts'

export type CheckoutView = {
  readonly merchant: Brand
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly products: readonly Product[]
  readonly status: CheckoutStatus
  /** Why the last attempt failed, in words for the payer; '' when there is nothing to say. */
  readonly message: string
  /** How many attempts there were: a form names the number it was made for, so that sending it twice pays once. */
  readonly attempts: number
  /** What the payer may choose among; one where the merchant chose. Empty unless the status is `choosing`. */
  readonly choices: readonly MethodChoice[]
  /** Of the attempt under way or decided. */
  readonly method: Method | undefined
  readonly action: PayerAction | undefined
  /** Until when the payer may act. */
  readonly expiresAt: Date | undefined
  /** What came so far, when it is less than the amount. */
  readonly received: Money | undefined
  /** The payer may give up the attempt under way and pay in another way. */
  readonly maySwitch: boolean
  /** The payer may give up the order and go back to the shop. */
  readonly mayCancel: boolean
  /** The merchant's address with the signed result. */
  readonly returnUrl: string
  /** As the merchant asked for it: a language tag, or ''. */
  readonly language: string
}

export type CheckoutStatus =
  /** The payer chooses how to pay: nothing is under way. */
  | 'choosing'
  /** The payer has something to do, by `action`. */
  | 'awaiting-payer'
  /** The channel was asked and has not answered, or money is looked at. */
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  /** Nobody paid in time. */
  | 'expired'

export type MethodChoice = {
  readonly method: Method
  /** What the merchant did not send and the method needs. */
  readonly asks: readonly AskedField[]
}

export type Product = { readonly name: string; readonly quantity: string; readonly price: string }

/** How the merchant's pages look. */
export type Brand = {
  readonly name: string
  /** #rrggbb; undefined: ours. */
  readonly accent: string | undefined
  readonly hasLogo: boolean
}
