import type { Merchant } from '../../money/merchants/merchant.ts'
import type { FoundPayment } from '../../money/order-queries/find-payment.ts'
import { linkKeyOf } from '../../money/payment-links/find-link.ts'
import { type Fields, isObject } from '../../platform/base/object.ts'
import type { Method } from '../../rails/methods/methods.ts'
import { frameAncestors } from './frames.ts'
import type { PayerStatus } from './status/payer-status.ts'
import type { CheckoutView, MethodChoice, Product } from './view.ts'

export type ViewParts = {
  readonly payment: FoundPayment
  readonly merchant: Merchant
  /** All fields that the merchant sent, including personal numbers. */
  readonly merchantFields: Fields
  readonly offered: readonly Method[]
  readonly asksOf: (method: Method) => MethodChoice['asks']
  readonly returnUrl: string
  readonly payerStatus: PayerStatus
  readonly receipt?: string | undefined
  readonly sandbox: boolean
}

export function makeView(parts: ViewParts): CheckoutView {
  const { payment, merchant, merchantFields, returnUrl, payerStatus, receipt, sandbox } = parts
  const { name, accent, hasLogo, cardBrands } = merchant
  return {
    ...payerStatus,
    merchant: { name, accent, hasLogo },
    tradeNo: payment.tradeNo,
    merOrderNo: payment.merOrderNo,
    money: payment.money,
    products: productsOf(merchantFields.productInfoList),
    choices: payerStatus.status === 'choosing' ? choicesOf(parts, payment.hosted?.method) : [],
    cardBrands: cardBrands && [...cardBrands],
    method: payment.method,
    returnUrl,
    language: textOf(merchantFields.language),
    receipt,
    paymentLink: linkKeyOf(textOf(merchantFields.paymentLink))?.linkId,
    frameAncestors: frameAncestors(merchant.websites, sandbox),
  }
}

function choicesOf({ offered, asksOf }: ViewParts, chosen: Method | undefined): MethodChoice[] {
  const methods = chosen === undefined ? offered : offered.filter((method) => method === chosen)
  return methods.map((method) => ({ method, asks: asksOf(method) }))
}

export function productsOf(list: unknown): Product[] {
  return (Array.isArray(list) ? list : []).filter(isObject).map((product) => ({
    name: textOf(product.productName),
    quantity: textOf(product.quantity),
    price: textOf(product.price),
  }))
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
