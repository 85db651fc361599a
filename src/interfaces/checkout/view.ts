// An order as its payer sees it. The pages are rendered from this view alone, so they cannot show anything else.
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
  /** Why the last attempt failed, for the payer to read; '' if it did not. */
  readonly message: string
  /** The number of attempts so far. Each form contains the number it was made for, so that sending it twice pays once. */
  readonly attempts: number
  /** The methods to choose from; only one if the merchant chose. Empty unless the status is `choosing`. */
  readonly choices: readonly MethodChoice[]
  /** The method of the current or last attempt. */
  readonly method: Method | undefined
  readonly action: PayerAction | undefined
  /** Until when the payer may act. */
  readonly expiresAt: Date | undefined
  /** The money received so far, if it is less than the amount. */
  readonly received: Money | undefined
  /** The payer may cancel the current attempt and pay with another method. */
  readonly maySwitch: boolean
  /** The payer may cancel the order and return to the shop. */
  readonly mayCancel: boolean
  /** The merchant's address with the signed result. */
  readonly returnUrl: string
  /** The language tag that the merchant sent, or ''. */
  readonly language: string
  /** The token of the receipt, once the order is paid. */
  readonly receipt?: string | undefined
  /** The payment link by which the order was made. */
  readonly paymentLink?: string | undefined
  /** The sources of sites that may show the page in a frame. */
  readonly frameAncestors: readonly string[]
}

export type CheckoutStatus =
  /** The payer chooses a method: no attempt is under way. */
  | 'choosing'
  /** The payer has to do what `action` says. */
  | 'awaiting-payer'
  /** The channel has not responded yet, or the money is in review. */
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  /** The order was not paid in time. */
  | 'expired'

export type MethodChoice = {
  readonly method: Method
  /** The fields that the method needs and the merchant did not send. */
  readonly asks: readonly AskedField[]
}

export type Product = { readonly name: string; readonly quantity: string; readonly price: string }

/** How the merchant's pages look. */
export type Brand = {
  readonly name: string
  /** #rrggbb; undefined for our default. */
  readonly accent: string | undefined
  readonly hasLogo: boolean
}
