// Opens payment pages, and records what was paid on them. A payment is recorded once: its order is locked, and the payments that it
// already has are read under the lock. So notification and returning payer may come at once.
import { Inject, Injectable } from '@nestjs/common'
import { type FoundPayment, orderStates, Tollgate } from '@tollgate/sdk'
import {
  isGraphQlErrorResult,
  Logger,
  Order,
  OrderService,
  PaymentMethodService,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
  totalCoveredByPayments,
} from '@vendure/core'
import { amountText } from './amount.ts'
import { isLockable } from './lockable.ts'
import { addressOf, OPTIONS, type TollgateOptions } from './options.ts'
import { lateRefundNumber, newOrderNumber, orderCodeOf } from './order-number.ts'

export const HANDLER_CODE = 'tollgate'
export const LOG = 'Tollgate'

@Injectable()
export class TollgatePayments {
  readonly tollgate: Tollgate
  readonly options: TollgateOptions
  readonly #connection: TransactionalConnection
  readonly #orders: OrderService
  readonly #methods: PaymentMethodService
  readonly #contexts: RequestContextService

  constructor(
    @Inject(OPTIONS) options: TollgateOptions,
    @Inject(TransactionalConnection) connection: TransactionalConnection,
    @Inject(OrderService) orders: OrderService,
    @Inject(PaymentMethodService) methods: PaymentMethodService,
    @Inject(RequestContextService) contexts: RequestContextService,
  ) {
    this.options = options
    this.tollgate = new Tollgate(options)
    this.#connection = connection
    this.#orders = orders
    this.#methods = methods
    this.#contexts = contexts
  }

  /** Returns the address of the page. A lost answer leaves a page that nobody knows, so nobody can pay it. */
  async open(ctx: RequestContext, order: Order): Promise<string> {
    const amount = amountText(await this.#readDue(ctx, order))
    const merOrderNo = newOrderNumber(order.code)
    const { payUrl = '' } = await this.tollgate.checkout({
      merOrderNo,
      currencyCode: order.currencyCode,
      sourceAmount: amount,
      returnUrl: addressOf(this.options, '/return'),
      notifyUrl: addressOf(this.options),
      ipAddress: ctx.req?.ip ?? '0.0.0.0',
      email: order.customer?.emailAddress,
      productInfoList: [
        { sku: order.code, productName: `Order ${order.code}`, price: amount, quantity: '1' },
      ],
    })
    return payUrl
  }

  /** Asks the gateway, and adds the payment to its order if it is paid. Unknown is not failed, but pending. */
  async record(merOrderNo: string): Promise<FoundPayment['status']> {
    const found = await this.tollgate.findPayment(merOrderNo)
    if (found === undefined) return 'pending'
    if (found.status !== 'succeeded') return found.status
    // Given back, or charged back.
    if (found.item.state !== orderStates.succeeded) return 'failed'
    const ctx = await this.adminContext()
    if (await this.#connection.withTransaction(ctx, (inner) => this.#add(inner, merOrderNo, found)))
      return 'succeeded'
    await this.#giveBack(merOrderNo, found)
    return 'failed'
  }

  /** A context of the default channel, which has all orders. */
  adminContext(): Promise<RequestContext> {
    return this.#contexts.create({ apiType: 'admin' })
  }

  /** False if no order awaits exactly this. */
  async #add(ctx: RequestContext, merOrderNo: string, found: FoundPayment): Promise<boolean> {
    const order = await this.#lockOrder(ctx, orderCodeOf(merOrderNo))
    if (order === null) return false
    const due = await this.#readDue(ctx, order)
    if (order.payments.some(({ transactionId }) => transactionId === merOrderNo)) return true
    if (due <= 0 || amountText(due) !== found.amount || order.currencyCode !== found.currency) return false
    if (!(await this.#isPayable(ctx, order))) return false
    const metadata = { merOrderNo, tradeNo: found.tradeNo }
    const method = await this.#methodCode(ctx)
    const added = await this.#orders.addPaymentToOrder(ctx, order.id, { method, metadata })
    if (isGraphQlErrorResult(added)) throw new Error(`${merOrderNo} was not added: ${added.message}`)
    return true
  }

  async #lockOrder(ctx: RequestContext, code: string): Promise<Order | null> {
    const query = this.#connection.getRepository(ctx, Order).createQueryBuilder('o').where({ code })
    return isLockable(this.#connection) ? query.setLock('pessimistic_write').getOne() : query.getOne()
  }

  /** Reads the order's payments, and returns the amount that is still due. */
  async #readDue(ctx: RequestContext, order: Order): Promise<number> {
    order.payments = await this.#orders.getOrderPayments(ctx, order.id)
    return order.totalWithTax - totalCoveredByPayments(order)
  }

  /** The payer may have gone back to the cart without changing it. */
  async #isPayable(ctx: RequestContext, { id, state }: Order): Promise<boolean> {
    if (state === 'ArrangingPayment' || state === 'ArrangingAdditionalPayment') return true
    return !isGraphQlErrorResult(await this.#orders.transitionToState(ctx, id, 'ArrangingPayment'))
  }

  async #methodCode(ctx: RequestContext): Promise<string> {
    const { items } = await this.#methods.findAll(ctx)
    const method = items.find(({ handler }) => handler.code === HANDLER_CODE)
    if (method === undefined) throw new Error('no payment method has the Tollgate handler: create one')
    return method.code
  }

  /** The order changed, was cancelled or is paid already: nobody expects this money. */
  async #giveBack(merOrderNo: string, { tradeNo, amount }: FoundPayment): Promise<void> {
    Logger.warn(`no order awaits ${amount} of ${merOrderNo}; refunding it`, LOG)
    await this.tollgate.refund({ merOrderNo, tradeNo, amount, merRefundNo: lateRefundNumber(merOrderNo) })
  }
}
