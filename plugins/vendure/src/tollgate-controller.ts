// Receives the gateway's notifications and returning payers. A notification about a payment and a returning payer only
// tell when to ask the gateway. The result of a refund is taken from its signed notification.
import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common'
import {
  type FoundPayment,
  type Notification,
  type NotificationHandlers,
  notificationHandlers,
  verifyReturn,
} from '@tollgate/sdk'
import { Logger } from '@vendure/core'
import type { Request, Response } from 'express'
import { PATH, secretsOf } from './options.ts'
import { orderCodeOf } from './order-number.ts'
import { LOG, TollgatePayments } from './tollgate-payments.ts'
import { TollgateRefunds } from './tollgate-refunds.ts'

@Controller(PATH)
export class TollgateController {
  readonly #payments: TollgatePayments
  readonly #refunds: TollgateRefunds
  readonly #handlers: NotificationHandlers

  /** Throws if a secret is missing: Vendure does not start then. */
  constructor(
    @Inject(TollgatePayments) payments: TollgatePayments,
    @Inject(TollgateRefunds) refunds: TollgateRefunds,
  ) {
    this.#payments = payments
    this.#refunds = refunds
    const onError = (error: unknown) => Logger.error(String(error), LOG)
    this.#handlers = notificationHandlers(secretsOf(payments.options), (one) => this.#receive(one), {
      onError,
    })
  }

  @Post()
  async notified(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#handlers.express(request, response)
  }

  async #receive(notification: Notification): Promise<void> {
    const { event, status, data } = notification
    if (event === 'payment' && status === 'succeeded') await this.#payments.record(data.merOrderNo)
    if (event === 'refund') await this.#refunds.decide({ ...data, status })
    if (event === 'chargeback') Logger.warn(`chargeback ${status} for ${data.merOrderNo}`, LOG)
  }

  @Get('return')
  async returned(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { options } = this.#payments
    const returned = await verifyReturn(request.originalUrl, secretsOf(options)).catch(() => undefined)
    if (returned === undefined) {
      response.status(400).type('text/plain').send('This address was changed. Please go back to the shop.')
      return
    }
    const { merOrderNo } = returned
    const url = new URL(options.returnUrl)
    url.searchParams.set('order', orderCodeOf(merOrderNo))
    url.searchParams.set('payment', await this.#statusOf(merOrderNo))
    response.redirect(303, url.href)
  }

  /** If the gateway cannot be asked now, its notification comes later. */
  async #statusOf(merOrderNo: string): Promise<FoundPayment['status']> {
    try {
      return await this.#payments.record(merOrderNo)
    } catch (error) {
      Logger.error(String(error), LOG)
      return 'pending'
    }
  }
}
