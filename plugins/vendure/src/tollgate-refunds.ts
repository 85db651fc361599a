// Refunds. The gateway decides about a refund after it has accepted it, so they are pending until its notification.
import { Inject, Injectable } from '@nestjs/common'
import { TollgateError } from '@tollgate/sdk'
import {
  type CreateRefundResult,
  OrderService,
  Payment,
  Refund,
  type RequestContext,
  TransactionalConnection,
} from '@vendure/core'
import { amountText } from './amount.ts'
import { isLockable } from './lockable.ts'
import { addressOf } from './options.ts'
import { refundNumber } from './order-number.ts'
import { TollgatePayments } from './tollgate-payments.ts'

/** The facts that a notification reports about a refund. */
export type DecidedRefund = {
  readonly merOrderNo: string
  readonly refundNo: string
  readonly status: 'succeeded' | 'failed'
}

@Injectable()
export class TollgateRefunds {
  readonly #payments: TollgatePayments
  readonly #connection: TransactionalConnection
  readonly #orders: OrderService

  constructor(
    @Inject(TollgatePayments) payments: TollgatePayments,
    @Inject(TransactionalConnection) connection: TransactionalConnection,
    @Inject(OrderService) orders: OrderService,
  ) {
    this.#payments = payments
    this.#connection = connection
    this.#orders = orders
  }

  /** Unknown is not failed: without an answer the refund is pending, too, under a number of its own. */
  async create(ctx: RequestContext, payment: Payment, amount: number): Promise<CreateRefundResult> {
    const merOrderNo = payment.transactionId
    const merRefundNo = refundNumber(merOrderNo, await this.#nextCount(ctx, payment))
    const { tollgate, options } = this.#payments
    const tradeNo = String(payment.metadata.tradeNo)
    const fields = {
      merOrderNo,
      tradeNo,
      amount: amountText(amount),
      merRefundNo,
      notifyUrl: addressOf(options),
    }
    try {
      const { refundNo } = await tollgate.refund(fields)
      return { state: 'Pending', transactionId: refundNo, metadata: { merRefundNo } }
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error
      const state = isUnknown(error) ? 'Pending' : 'Failed'
      return { state, metadata: { merRefundNo, message: error.message } }
    }
  }

  /**
   * The number of the payment's next refund. If the refund of the first call was never stored, a repeated call gets the
   * same number, so that the gateway makes one refund of both. The lock keeps concurrent refunds apart.
   */
  async #nextCount(ctx: RequestContext, { id }: Payment): Promise<number> {
    const query = this.#connection.getRepository(ctx, Payment).createQueryBuilder('p').where({ id })
    if (isLockable(this.#connection)) await query.setLock('pessimistic_write').getOne()
    return 1 + (await this.#connection.getRepository(ctx, Refund).countBy({ payment: { id } }))
  }

  /** Throws for a refund that is not stored yet: the gateway tells it again. */
  async decide({ merOrderNo, refundNo, status }: DecidedRefund): Promise<void> {
    const ctx = await this.#payments.adminContext()
    const refund = await this.#find(ctx, merOrderNo, refundNo)
    if (refund === undefined) throw new Error(`refund ${refundNo} of ${merOrderNo} is not stored`)
    if (refund.state !== 'Pending') return
    const state = status === 'succeeded' ? 'Settled' : 'Failed'
    await this.#orders.transitionRefundToState(ctx, refund.id, state, refundNo)
  }

  async #find(ctx: RequestContext, merOrderNo: string, refundNo: string): Promise<Refund | undefined> {
    const refunds = await this.#connection
      .getRepository(ctx, Refund)
      .find({ where: { payment: { transactionId: merOrderNo } } })
    const known = refunds.find(({ transactionId }) => transactionId === refundNo)
    if (known !== undefined) return known
    for (const refund of refunds.filter(({ transactionId }) => transactionId === '')) {
      const merRefundNo = String(refund.metadata.merRefundNo)
      const asked = await this.#payments.tollgate.queryRefund({ merOrderNo, merRefundNo })
      if (asked.refundNo === refundNo) return refund
    }
    return undefined
  }
}

/** The gateway did not answer, or could not say what happened. */
function isUnknown({ code, status }: TollgateError): boolean {
  return code === undefined || (code === '99999' && status !== 503)
}
