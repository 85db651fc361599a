// An order, its details and its merchant as the payer's pages want them.
import { type Fields, isObject } from '../base/object.ts'
import type { Method } from '../channels/method.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { FoundPayment } from '../order-queries/find-payment.ts'
import type { Course } from './payer-status.ts'
import type { CheckoutView, MethodChoice, Product } from './view.ts'

export type ViewParts = {
  readonly payment: FoundPayment
  readonly merchant: Merchant
  /** All that the merchant sent, personal numbers too. */
  readonly held: Fields
  /** What this merchant and currency may be paid by. */
  readonly offered: readonly Method[]
  /** What a method must still know of the payer. */
  readonly asksOf: (method: Method) => MethodChoice['asks']
  readonly returnUrl: string
  readonly course: Course
}

export function makeView(parts: ViewParts): CheckoutView {
  const { payment, merchant, held, returnUrl, course } = parts
  const { name, accent, hasLogo } = merchant
  return {
    ...course,
    merchant: { name, accent, hasLogo },
    tradeNo: payment.tradeNo,
    merOrderNo: payment.merOrderNo,
    money: payment.money,
    products: productsOf(held.productInfoList),
    choices: course.status === 'choosing' ? choicesOf(parts, payment.hosted?.method) : [],
    method: payment.method,
    returnUrl,
    language: textOf(held.language),
  }
}

function choicesOf({ offered, asksOf }: ViewParts, chosen: Method | undefined): MethodChoice[] {
  const methods = chosen === undefined ? offered : offered.filter((method) => method === chosen)
  return methods.map((method) => ({ method, asks: asksOf(method) }))
}

function productsOf(list: unknown): Product[] {
  return (Array.isArray(list) ? list : []).filter(isObject).map((product) => ({
    name: textOf(product.productName),
    quantity: textOf(product.quantity),
    price: textOf(product.price),
  }))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
