// Medusa's payment provider. The payer pays on the gateway's page; whatever happens then, the gateway is asked by the order
// number. It takes the money at once, so an authorized payment is a captured one, and only a refund gives money back.
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types'
import { AbstractPaymentProvider, MedusaError } from '@medusajs/framework/utils'
import {
  type FoundPayment,
  type Notification,
  orderStates,
  Tollgate,
  TollgateError,
  verifyNotification,
} from '@tollgate/sdk'
import { checkOptions, secretsOf, type TollgateOptions } from './options.ts'
import { lateRefundNumber, refundOnce } from './refunds.ts'
import { askedAmount, orderNumberOf, readSessionData, type SessionData, sessionIdOf } from './session-data.ts'

/** The gateway records the address of the browser that pays. Medusa does not pass one to providers. */
const UNKNOWN_ADDRESS = '0.0.0.0'

/** The services for providers in the payment module's container. */
type Container = {
  readonly logger: Logger
  readonly paymentSessionService: { list(filters: { readonly id: string }): Promise<readonly unknown[]> }
}

export class TollgateProvider extends AbstractPaymentProvider<TollgateOptions> {
  static override identifier = 'tollgate'

  static override validateOptions(options: Readonly<Record<string, unknown>>): void {
    checkOptions(options)
  }

  readonly #parts: Container
  readonly #options: TollgateOptions
  readonly #tollgate: Tollgate

  constructor(container: Container, options: TollgateOptions) {
    super(container, options)
    this.#parts = container
    this.#options = options
    this.#tollgate = new Tollgate(options)
  }

  /** A lost answer leaves an order whose page nobody knows, so nobody can pay it: the next session has another number. */
  async initiatePayment({
    amount,
    currency_code,
    data,
    context,
  }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const merOrderNo = orderNumberOf(data?.session_id)
    const asked = askedAmount(amount, currency_code)
    const { returnUrl, notifyUrl, productName = 'Order' } = this.#options
    const order = await this.#tollgate
      .checkout({
        merOrderNo,
        currencyCode: asked.currency,
        sourceAmount: asked.amount,
        returnUrl,
        notifyUrl,
        ipAddress: UNKNOWN_ADDRESS,
        userId: context?.customer?.id,
        email: context?.customer?.email,
        productInfoList: [{ sku: merOrderNo, productName, price: asked.amount, quantity: '1' }],
      })
      .catch(refuse)
    const { tradeNo = '', payUrl = '' } = order
    return { id: merOrderNo, status: 'pending', data: { merOrderNo, tradeNo, payUrl, ...asked } }
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const asked = readSessionData(data)
    if (asked === undefined) return { status: 'pending', data: { ...data } }
    const found = await this.#tollgate.findPayment(asked.merOrderNo).catch(refuse)
    return { status: this.#statusOf(asked, found), data: { ...data } }
  }

  /** Unknown is not failed: what the gateway does not know yet, or awaits, is pending. */
  #statusOf(asked: SessionData, found: FoundPayment | undefined): PaymentSessionStatus {
    if (found === undefined || found.status === 'pending') return 'pending'
    if (found.status === 'failed') return 'error'
    if (found.amount !== asked.amount || found.currency !== asked.currency) {
      const was = `${found.amount} ${found.currency} instead of ${asked.amount} ${asked.currency}`
      this.#parts.logger.error(
        `Tollgate: ${asked.merOrderNo} was paid with ${was}; it does not count as paid.`,
      )
      return 'error'
    }
    return isKept(found) ? 'captured' : 'canceled'
  }

  authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return this.getPaymentStatus(input)
  }

  /** Medusa calls it only for a payment that it has not recorded as captured. */
  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const { status, data } = await this.getPaymentStatus(input)
    if (status === 'captured') return { data: { ...data } }
    throw notAllowed(`The gateway has this payment as ${status}: only the payer can pay it.`)
  }

  /**
   * There is nothing to do. An unpaid page expires by itself. A paid payment is given back by a refund, which Medusa asks for
   * separately; and after a lost race for storing the payment, it must stay paid.
   */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return { data: { ...data } }
  }

  /** A session that was paid stays, so that its cart can still be completed. */
  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    const { status, data } = await this.getPaymentStatus(input)
    if (status === 'captured') throw notAllowed('This session is already paid: complete the cart.')
    return { data: { ...data } }
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const { status, data } = await this.getPaymentStatus(input)
    return { data: { ...data, status } }
  }

  /** An order at the gateway keeps its amount. */
  async updatePayment({ amount, currency_code, data }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const now = askedAmount(amount, currency_code)
    const asked = readSessionData(data)
    if (asked?.amount === now.amount && asked.currency === now.currency) return { data: { ...data } }
    throw notAllowed('The amount of a payment page cannot change: create a new payment session.')
  }

  async refundPayment({ amount, data, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const asked = readSessionData(data)
    const merRefundNo = context?.idempotency_key
    if (asked === undefined || merRefundNo === undefined)
      throw notAllowed('A refund needs the data of its payment and an idempotency key.')
    const { merOrderNo, tradeNo } = asked
    const { notifyUrl } = this.#options
    const fields = {
      merOrderNo,
      tradeNo,
      amount: askedAmount(amount, asked.currency).amount,
      merRefundNo,
      notifyUrl,
    }
    const refund = await refundOnce(this.#tollgate, fields).catch(refuse)
    if (refund.status === 'failed') throw notAllowed(`The gateway did not refund: ${refund.message}`)
    return { data: { ...data } }
  }

  async getWebhookActionAndData({
    rawData,
    headers,
  }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const notification = await verifyNotification(rawData, secretsOf(this.#options), textsOf(headers))
    const ignored: WebhookActionResult = { action: 'not_supported' }
    if (notification.event !== 'payment' || notification.status !== 'succeeded') {
      this.#report(notification)
      return ignored
    }
    const { merOrderNo } = notification.data
    const found = await this.#tollgate.findPayment(merOrderNo)
    if (found === undefined || !isKept(found)) return ignored
    const session_id = sessionIdOf(merOrderNo)
    // Medusa's workflow must not get the id of a deleted session: it would look for the cart with an undefined filter,
    // and find a cart of somebody else.
    if (await this.#hasSession(session_id))
      return { action: 'captured', data: { session_id, amount: found.amount } }
    await this.#giveBack(merOrderNo, found)
    return ignored
  }

  async #hasSession(id: string): Promise<boolean> {
    return (await this.#parts.paymentSessionService.list({ id })).length > 0
  }

  /** The payer paid the page of a session that Medusa has deleted, because the cart changed: nobody expects this money. */
  async #giveBack(merOrderNo: string, { tradeNo, amount }: FoundPayment): Promise<void> {
    const merRefundNo = lateRefundNumber(merOrderNo)
    this.#parts.logger.warn(`Tollgate: ${merOrderNo} has no payment session any more; refunding ${amount}.`)
    const { notifyUrl } = this.#options
    await this.#tollgate.refund({ merOrderNo, tradeNo, amount, merRefundNo, notifyUrl })
  }

  /** Medusa has no place for these. */
  #report({ event, status, data }: Notification): void {
    if (event === 'chargeback')
      this.#parts.logger.warn(`Tollgate: chargeback ${status} for ${data.merOrderNo}.`)
    if (event === 'refund' && status === 'failed')
      this.#parts.logger.error(`Tollgate: a refund of ${data.merOrderNo} failed: ${data.message}`)
  }
}

/** Paid, and nothing of it is going back. */
function isKept({ item }: FoundPayment): boolean {
  return item.state === orderStates.succeeded
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(texts)
}

function notAllowed(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, message)
}

/** The storefront and the admin see the gateway's words. */
function refuse(error: unknown): never {
  if (!(error instanceof TollgateError)) throw error
  const type =
    error.next === 'declined' || error.next === 'fix-request'
      ? MedusaError.Types.NOT_ALLOWED
      : MedusaError.Types.UNEXPECTED_STATE
  throw new MedusaError(type, `Tollgate: ${error.message}`)
}
