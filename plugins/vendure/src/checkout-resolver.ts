// The shop API's mutation `createTollgateCheckout`.
import { Inject } from '@nestjs/common'
import { Mutation, Resolver } from '@nestjs/graphql'
import {
  ActiveOrderService,
  Allow,
  Ctx,
  Permission,
  type RequestContext,
  UserInputError,
} from '@vendure/core'
import { parse } from 'graphql'
import { TollgatePayments } from './tollgate-payments.ts'

export const checkoutSchema = parse(`
  extend type Mutation {
    "Opens a page on which the payer chooses a method and pays. Returns its address."
    createTollgateCheckout: String!
  }
`)

@Resolver()
export class CheckoutResolver {
  readonly #activeOrders: ActiveOrderService
  readonly #payments: TollgatePayments

  constructor(
    @Inject(ActiveOrderService) activeOrders: ActiveOrderService,
    @Inject(TollgatePayments) payments: TollgatePayments,
  ) {
    this.#activeOrders = activeOrders
    this.#payments = payments
  }

  @Mutation()
  @Allow(Permission.Owner)
  async createTollgateCheckout(@Ctx() ctx: RequestContext): Promise<string> {
    const order = await this.#activeOrders.getActiveOrder(ctx, undefined)
    if (order?.state !== 'ArrangingPayment')
      throw new UserInputError('there is no order to pay: transition it to ArrangingPayment first')
    return this.#payments.open(ctx, order)
  }
}
