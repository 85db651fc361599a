// An order as its payer sees it. Apart from the payer's own input, the pages show only data of this view.
import type { Money } from '../../platform/base/money.ts'
import type { Form } from '../../platform/pages/form.ts'
import type { Notice, Problem } from '../../platform/pages/translations/en.ts'
import type { PayerAction } from '../../rails/contract/channel.ts'
import type { Method } from '../../rails/methods/methods.ts'
import type { AskedField } from '../../rails/methods/traits.ts'

export type CheckoutView = {
  readonly merchant: Brand
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly products: readonly Product[]
  readonly status: CheckoutStatus
  /** Why the last attempt failed. Empty if it did not fail, or if the payer cancelled it. */
  readonly message: string
  /** The number of attempts so far. Each form contains this number, so that a form that is sent twice pays once. */
  readonly attempts: number
  /**
   * The methods to choose from. If the merchant chose the method, there is only this method. Empty if the status is not
   * `choosing`.
   */
  readonly choices: readonly MethodChoice[]
  readonly method: Method | undefined
  readonly action: PayerAction | undefined
  readonly expiresAt: Date | undefined
  /** The money received so far, while the payer still has to pay the rest. Otherwise undefined. */
  readonly received: Money | undefined
  /** True if the payer may cancel the current attempt and pay with another method. */
  readonly maySwitch: boolean
  /** True if the payer may cancel the order and return to the shop. */
  readonly mayCancel: boolean
  /** The merchant's address with the signed result. Empty if the merchant sent no web address. */
  readonly returnUrl: string
  /** The language tag that the merchant sent. Empty if the merchant sent none. */
  readonly language: string
  /** The card brands that the merchant accepts, by the names that `brandOf` returns. Undefined for every brand. */
  readonly cardBrands?: readonly string[] | undefined
  readonly receipt?: string | undefined
  readonly paymentLink?: string | undefined
  readonly frameAncestors: readonly string[]
}

export type CheckoutStatus =
  /** No attempt is in progress, and the payer can start one. */
  | 'choosing'
  /** The payer must take the action in `action`. */
  | 'awaiting-payer'
  /**
   * The channel has not responded yet, the payment is in review, or the order has expired and no worker has closed it
   * yet.
   */
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'expired'

export type MethodChoice = {
  readonly method: Method
  /** The fields that the method needs and the merchant did not send. */
  readonly asks: readonly AskedField[]
}

export type Product = { readonly name: string; readonly quantity: string; readonly price: string }

export type Brand = {
  readonly name: string
  /** The colour as #rrggbb, or undefined for our default. */
  readonly accent: string | undefined
  readonly hasLogo: boolean
}

export type Problems = Readonly<Record<string, Problem>>

export type FormState = {
  /**
   * The chosen method. If undefined, the page unfolds the method of the declined attempt or, if there is none, the
   * first method.
   */
  readonly method?: Method | undefined
  readonly values: Form
  readonly problems: Problems
  readonly notice?: Notice | undefined
}

/**
 * Reads a text that the payer entered, by the rules of the merchant interface. Returns undefined if the text breaks a
 * rule.
 */
export type ReadEntered = (
  method: Method,
  asked: Pick<AskedField, 'name' | 'maxLength'>,
  text: string,
) => { readonly value: unknown } | undefined
