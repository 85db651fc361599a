// A merchant's client of the gateway: one function for each operation of the merchant interface.
import type { Fields } from './canonical.ts'
import { type FoundPayment, findPayment } from './find-payment.ts'
import {
  type AmountQueryAnswer,
  type AmountQueryFields,
  type BalanceQueryAnswer,
  type BalanceQueryFields,
  type ChargebackQueryAnswer,
  type CheckoutFields,
  type CheckoutPaymentFields,
  type ListItem,
  type Method,
  methods,
  type PaymentAnswer,
  type PaymentFields,
  type PayoutAnswer,
  type PayoutFields,
  type PayoutKind,
  payoutKinds,
  type RefundFields,
  type ReviewAnswer,
  type ReviewFields,
  type UploadAnswer,
  type UploadFields,
} from './generated.ts'
import type { CallOptions, Order } from './known-order.ts'
import { listOrders, type OrderFilter } from './list-orders.ts'
import { sendOrder, sendOrderForPage, unknownOrder } from './order.ts'
import { queryRefund, type Refund, type RefundNumbers, sendRefund } from './refund.ts'
import { checkSigningKey } from './secrets.ts'
import { type Settings, send } from './send.ts'
import type { Path } from './sign.ts'

export type OrderNumbers = { readonly merOrderNo: string; readonly tradeNo?: string | undefined }

export class Tollgate {
  readonly #settings: Settings

  /** Throws a TollgateError if the key is missing, too short or malformed. */
  constructor(settings: Settings) {
    checkSigningKey(settings)
    this.#settings = settings
  }

  /** Takes a payment by the given method. Resolves to its status, with a `payUrl` if the payer must act. */
  pay<M extends Method>(
    method: M,
    fields: PaymentFields[M],
    options: CallOptions = {},
  ): Promise<Order<PaymentAnswer>> {
    const { paymentType } = methods[method]
    const headers = paymentType === '' ? {} : { paymentType }
    return sendOrder(this.#settings, { path: '/payment', fields, headers }, options)
  }

  /** Opens a page on which the payer chooses the method. Send the payer to the `payUrl` of the order. */
  checkout(fields: CheckoutFields, options: CallOptions = {}): Promise<Order<PaymentAnswer>> {
    return sendOrder(this.#settings, { path: '/cashier/checkStandPay', fields }, options)
  }

  /** Opens a page for one method. The page asks the payer for missing fields. */
  checkoutBy<M extends Method>(
    method: M,
    fields: CheckoutPaymentFields[M],
    options: CallOptions = {},
  ): Promise<Order<PaymentAnswer>> {
    const given = { ...fields, paymentMode: methods[method].paymentMode }
    return sendOrder(this.#settings, { path: '/cashier/checkStandPayment', fields: given }, options)
  }

  /**
   * Resolves to HTML that takes the payer to the payment page. Serve the HTML unchanged, even if it shows a refusal.
   */
  checkoutPage(fields: CheckoutFields, options: CallOptions = {}): Promise<string> {
    return sendOrderForPage(this.#settings, { path: '/cashier/checkStand', fields }, options)
  }

  payOut<K extends PayoutKind>(
    kind: K,
    fields: PayoutFields[K],
    options: CallOptions = {},
  ): Promise<Order<PayoutAnswer>> {
    const given = { ...fields, withdrawType: payoutKinds[kind] }
    return sendOrder(this.#settings, { path: '/payout', fields: given }, options)
  }

  /** Refunds a payment, in full or in part. With your own `merRefundNo`, you can safely repeat the call. */
  refund(fields: RefundFields, options: CallOptions = {}): Promise<Refund> {
    return sendRefund(this.#settings, fields, options)
  }

  /** Returns a payment or payout by its numbers, without a request to the gateway. Call `resolve` to get the status. */
  order(numbers: OrderNumbers): Order {
    return unknownOrder(this.#settings, numbers)
  }

  /** Queries once for a payment by your own number. Resolves to undefined if the gateway has no such payment. */
  findPayment(merOrderNo: string, options: CallOptions = {}): Promise<FoundPayment | undefined> {
    return findPayment(this.#settings, merOrderNo, options)
  }

  /** The state of a refund, by the gateway's number or your own. */
  queryRefund(numbers: RefundNumbers, options: CallOptions = {}): Promise<Refund> {
    return queryRefund(this.#settings, numbers, options)
  }

  /** The latest chargeback of a payment. */
  queryChargeback(
    { merOrderNo, tradeNo = '' }: OrderNumbers,
    options: CallOptions = {},
  ): Promise<ChargebackQueryAnswer> {
    return this.#query('/order/query', { merOrderNo, tradeNo, queryType: 'chargeback' }, options)
  }

  /** All matching payments, newest first: `for await (const order of tollgate.orders(…))`. */
  orders(filter: OrderFilter, options: CallOptions = {}): AsyncGenerator<ListItem, void, undefined> {
    return listOrders(this.#settings, filter, options)
  }

  /** The balance in one currency, or in all currencies with their sum in US dollars. */
  balance(fields: BalanceQueryFields = {}, options: CallOptions = {}): Promise<BalanceQueryAnswer> {
    return this.#query('/balance/query', fields, options)
  }

  /** The totals of the matching payments, by currency. */
  totals(filter: AmountQueryFields = {}, options: CallOptions = {}): Promise<AmountQueryAnswer> {
    return this.#query('/order/queryAmount', filter, options)
  }

  /** Stores a file for a review. `type` is its suffix: `.pdf`, `.png` or `.jpg`. */
  uploadFile(fields: UploadFields, file: Blob, options: CallOptions = {}): Promise<UploadAnswer> {
    return send(this.#settings, { path: '/file/upload', fields, file, isRepeatable: false }, options)
  }

  /** Answers a review's questions about a payment. */
  submitReview(fields: ReviewFields, options: CallOptions = {}): Promise<ReviewAnswer> {
    return send(this.#settings, { path: '/review/submit', fields, isRepeatable: false }, options)
  }

  #query<Data>(path: Path, fields: Fields, options: CallOptions): Promise<Data> {
    return send<Data>(this.#settings, { path, fields, isRepeatable: true }, options)
  }
}
