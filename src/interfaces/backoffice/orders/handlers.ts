import type { Merchant } from '../../../money/merchants/merchant.ts'
import { countOrders, findOrders, type OrderFilter } from '../../../money/order-queries/search/find-orders.ts'
import type { Searched } from '../../../money/order-queries/search/scan-orders.ts'
import type { OrderKey } from '../../../money/orders/order.ts'
import { type ApplyDeps, applyRefund } from '../../../money/refunds/apply-refund.ts'
import { actorOf, type Caller, isOperator } from '../../../people/roles/caller.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { merNoOf } from '../../../platform/base/id.ts'
import type { RefusalCode } from '../../../platform/errors/catalogue.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import { refusalAt } from '../field-problems.ts'
import { listedOf, needMerchant } from '../merchant-of-call.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { ordersApi } from './api.ts'
import { findCustomer, viewCustomer } from './customer.ts'
import { readFilter, readPosition, writePosition } from './read-filter.ts'
import { type SearchDeps, searchEverything } from './search.ts'
import { toRow, type ViewDeps, viewOrder, viewPast } from './view-order.ts'

export type OrderHandlerDeps = ViewDeps &
  SearchDeps &
  ApplyDeps & {
    readonly clock: Clock
    findMerchant(merNo: number): Promise<Merchant | undefined>
  }

export function createOrderHandlers(deps: OrderHandlerDeps): Handlers<typeof ordersApi> {
  const { db } = deps

  async function pageOf(caller: Caller, merNo: Searched, filter: OrderFilter, after: string | undefined) {
    const page = await findOrders(db, merNo, filter, readPosition(after), PAGE_ROWS)
    return {
      rows: page.orders.map((order) => toRow(order, isOperator(caller))),
      isCut: page.isCut,
      ...(page.next !== undefined && { next: writePosition(page.next) }),
    }
  }

  return {
    async 'GET /orders'({ caller, query }) {
      const { after, ...fields } = query
      const { merNo, timezone } = await listedOf(deps, caller, query.merNo)
      return pageOf(caller, merNo, readFilter(fields, timezone, deps.clock.now()), after)
    },

    async 'GET /orders/count'({ caller, query }) {
      const { merNo, timezone } = await listedOf(deps, caller, query.merNo)
      return countOrders(db, merNo, readFilter(query, timezone, deps.clock.now()))
    },

    async 'GET /orders/:tradeNo'({ caller, params }) {
      const view = await viewOrder(deps, orderKeyOf(caller, params.tradeNo), {
        isOperator: isOperator(caller),
        seesRequests: caller.permissions.has('developers.read'),
      })
      if (view === undefined) throw noOrder()
      return view
    },

    async 'GET /orders/:tradeNo/at'({ caller, params, query }) {
      const key = orderKeyOf(caller, params.tradeNo)
      const { orders } = await findOrders(db, key.merNo, { tradeNos: [key.tradeNo] }, undefined, 1)
      if (orders.length === 0) throw noOrder()
      return viewPast(db, key, new Date(query.moment))
    },

    async 'GET /orders/:tradeNo/customer'({ caller, params, query }) {
      return viewCustomer(db, orderKeyOf(caller, params.tradeNo), query.by)
    },

    async 'GET /orders/:tradeNo/customer/orders'({ caller, params, query }) {
      const key = orderKeyOf(caller, params.tradeNo)
      const { customer } = await findCustomer(db, key, query.by)
      return pageOf(caller, key.merNo, customer, query.after)
    },

    async 'POST /orders/:tradeNo/refunds'({ caller, params, body }) {
      const key = orderKeyOf(caller, params.tradeNo)
      const { orders } = await findOrders(db, key.merNo, { tradeNos: [key.tradeNo] }, undefined, 1)
      const [order] = orders
      if (order === undefined) throw noOrder()
      const merchant = await needMerchant(deps, key.merNo)
      const wanted = {
        tradeNo: key.tradeNo,
        merOrderNo: order.merOrderNo,
        amount: readAmount(body.amount),
        merRefundNo: body.merRefundNo,
        remark: body.reason,
        notifyUrl: '',
        isReplayProof: true,
        by: { actor: actorOf(caller), reason: body.reason },
      }
      const refund = await refusalAt('amount', aboutAmount, () => applyRefund(deps, merchant, wanted))
      const { refundNo, state } = refund
      return { refundNo, state, money: toMoney(refund.money) }
    },

    async 'GET /search'({ caller, query }) {
      return { groups: await searchEverything(deps, caller, query.merNo, query.q) }
    },
  }
}

/**
 * The refusals that are shown at the amount field: the amount exceeds what can be refunded, exceeds the balance, or has
 * decimals that the currency does not have.
 */
const aboutAmount: readonly RefusalCode[] = ['10101', '10104', '99997']

export function orderKeyOf(caller: Caller, tradeNo: string): OrderKey {
  const merNo = merNoOf(tradeNo)
  if (merNo === undefined || (!isOperator(caller) && merNo !== caller.merNo)) throw noOrder()
  return { merNo, tradeNo }
}

export function noOrder(): Problem {
  return new Problem('not-found', 'There is no such order.')
}

/**
 * Returns the amount with two decimals, as the merchant interface requires. Further decimals must be zeros, as in
 * 12.500, which the page suggests for a currency with three decimals.
 */
export function readAmount(text: string): string {
  const match = /^(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(text.trim())
  if (match === null)
    throw new Problem('invalid', 'Check the marked fields.', { amount: 'Enter an amount such as 12.50.' })
  return `${Number(match[1])}.${(match[2] ?? '').padEnd(2, '0')}`
}
