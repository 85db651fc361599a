import type { Clock } from '../../base/clock.ts'
import { merNoOf } from '../../base/id.ts'
import type { RefusalCode } from '../../errors/catalogue.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { findOrders } from '../../order-queries/search/find-orders.ts'
import type { OrderKey } from '../../orders/order.ts'
import { type ApplyDeps, applyRefund } from '../../refunds/apply-refund.ts'
import { actorOf, type Caller, isOperator, merchantOf } from '../caller.ts'
import { needMerchant } from '../need-merchant.ts'
import { Problem } from '../problem.ts'
import { refusalAt } from '../refusal-at.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { ordersApi } from './api.ts'
import { money, toRow } from './order-row.ts'
import { readFilter, readPosition, writePosition } from './read-filter.ts'
import { searchEverything } from './search-everything.ts'
import type { SearchDeps } from './search-named.ts'
import { type ViewDeps, viewOrder } from './view-order.ts'
import { viewPast } from './view-past.ts'

export type OrderHandlerDeps = ViewDeps &
  SearchDeps &
  ApplyDeps & {
    readonly clock: Clock
    findMerchant(merNo: number): Promise<Merchant | undefined>
  }

export function createOrderHandlers(deps: OrderHandlerDeps): Handlers<typeof ordersApi> {
  const { db } = deps
  return {
    async 'GET /orders'({ caller, query }) {
      const { after, ...fields } = query
      const merchant = await needMerchant(deps, merchantOf(caller, query.merNo))
      const filter = readFilter(fields, merchant.timezone)
      const page = await findOrders(db, merchant.merNo, filter, readPosition(after), PAGE_ROWS)
      return {
        rows: page.orders.map((order) => toRow(order, isOperator(caller))),
        isCut: page.isCut,
        ...(page.next !== undefined && { next: writePosition(page.next) }),
      }
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
      const { orders } = await findOrders(db, key.merNo, { number: key.tradeNo }, undefined, 1)
      if (orders.length === 0) throw noOrder()
      return viewPast(db, key, new Date(query.moment))
    },

    async 'POST /orders/:tradeNo/refunds'({ caller, params, body }) {
      const key = orderKeyOf(caller, params.tradeNo)
      const { orders } = await findOrders(db, key.merNo, { number: key.tradeNo }, undefined, 1)
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
      return { refundNo, state, money: money(refund.money.amount, refund.money.currency) }
    },

    async 'GET /search'({ caller, query }) {
      return { groups: await searchEverything(deps, caller, query.merNo, query.q) }
    },
  }
}

/** More than is left, more than the balance, decimals that the currency does not have. */
const aboutAmount: readonly RefusalCode[] = ['10101', '10104', '99997']

/** An order of another merchant looks to staff as if it did not exist. */
export function orderKeyOf(caller: Caller, tradeNo: string): OrderKey {
  const merNo = merNoOf(tradeNo)
  if (merNo === undefined || (!isOperator(caller) && merNo !== caller.merNo)) throw noOrder()
  return { merNo, tradeNo }
}

export function noOrder(): Problem {
  return new Problem('not-found', 'There is no such order.')
}

/** People may write 12, 12.5 or 12.50; the interface always has two decimals. */
export function readAmount(text: string): string {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (match === null)
    throw new Problem('invalid', 'Check the marked fields.', { amount: 'Enter an amount such as 12.50.' })
  return `${Number(match[1])}.${(match[2] ?? '').padEnd(2, '0')}`
}
