// An order, its details and its merchant as the payer's pages want them.
import { type Fields, isObject } from '../base/object.ts'
import { type Method, traitsOf } from '../channels/method.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { FoundPayment } from '../payments/find-payment.ts'
import type { Course } from './course.ts'
import type { CheckoutView, MethodChoice, Product } from './view.ts'

export type ViewParts = {
  readonly payment: FoundPayment
  readonly merchant: Merchant
  /** All that the merchant sent, personal numbers too. */
  readonly held: Fields
  /** What this merchant and currency may be paid by. */
  readonly offered: readonly Method[]
  readonly returnUrl: string
  readonly course: Course
}

export function makeView(parts: ViewParts): CheckoutView {
  const { payment, merchant, held, offered, returnUrl, course } = parts
  const { name, accent, hasLogo } = merchant
  return {
    ...course,
    merchant: { name, accent, hasLogo },
    tradeNo: payment.tradeNo,
    merOrderNo: payment.merOrderNo,
    money: payment.money,
    products: productsOf(held.productInfoList),
    choices: course.status === 'choosing' ? choicesOf(offered, payment.hosted?.method, held) : [],
    method: payment.method,
    returnUrl,
    language: textOf(held.language),
  }
}

function choicesOf(offered: readonly Method[], chosen: Method | undefined, held: Fields): MethodChoice[] {
  const methods = chosen === undefined ? offered : offered.filter((method) => method === chosen)
  return methods.map((method) => ({ method, asks: asksOf(method, held) }))
}

function asksOf(method: Method, held: Fields): MethodChoice['asks'] {
  return traitsOf(method).asks.filter(({ name }) => held[name] === undefined || held[name] === '')
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
