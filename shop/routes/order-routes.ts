// The routes of a placed order: its page, the payer's return, queries, refunds and another attempt.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Secrets, type Tollgate, TollgateError, verifyReturn } from '../../sdk/src/entry.ts'
import { formOf } from '../../src/platform/pages/form.ts'
import { webLink } from '../../src/platform/pages/page.ts'
import { cartCookie } from '../cart.ts'
import type { Orders, ShopOrder } from '../orders.ts'
import type { Show } from '../pages/layout.ts'
import { orderPage } from '../pages/order-page.ts'
import { goPage, messagePage, ordersPage } from '../pages/other-pages.ts'
import { findOutcome } from '../place-order.ts'
import { payerApp } from '../play-payer.ts'
import { refundOrder } from '../refund-order.ts'
import { newNumber } from './buying.ts'

export type OrderDeps = {
  readonly tollgate: Tollgate
  readonly orders: Orders
  readonly secrets: Secrets
  readonly show: Show
  /** The gateway's address. */
  readonly baseUrl: string
  readonly at: { readonly shopUrl: string; readonly notifyUrl: string }
  readonly signal: AbortSignal
}

type OrderRequest = FastifyRequest<{ Params: { number: string } }>
type Act = (
  order: ShopOrder,
  request: OrderRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>

export function registerOrders(app: FastifyInstance, deps: OrderDeps): void {
  const { orders, show } = deps
  /** Calls `act` with the order in the address. For an unknown order, sends a page with the possible reasons. */
  const withOrder = (act: Act) => (request: OrderRequest, reply: FastifyReply) => {
    const order = orders.find(request.params.number)
    return order === undefined ? show(request, reply, unknownOrder, 404) : act(order, request, reply)
  }
  const toOrder = (reply: FastifyReply, { number }: ShopOrder) => reply.redirect(`/orders/${number}`, 303)

  app.get('/orders', (request, reply) => show(request, reply, ordersPage(orders.list())))
  app.get(
    '/orders/:number',
    withOrder((order, request, reply) => show(request, reply, viewOf(deps, order))),
  )
  app.get(
    '/orders/:number/pay',
    withOrder((order, request, reply) => {
      const payUrl = webLink(order.answer?.payUrl ?? '')
      if (order.status !== 'pending' || payUrl === undefined) return toOrder(reply, order)
      return show(request, reply, goPage(payUrl))
    }),
  )
  app.get(
    '/orders/:number/play',
    withOrder(async (order, _request, reply) => {
      const payUrl = webLink(order.answer?.payUrl ?? '')
      return payUrl === undefined ? toOrder(reply, order) : reply.redirect(await payerApp(payUrl), 303)
    }),
  )
  app.get(
    '/orders/:number/back',
    withOrder(async (order, request, reply) => {
      const isGenuine = await isReturn(deps.secrets, request.url, order)
      if (!isGenuine) return show(request, reply, changedAddress(order), 400)
      // The payer may arrive before the notification. The result in the address is only for the payer, so the shop
      // queries the gateway.
      if (isOpen(order)) await findOutcome({ ...deps, ...deps.at }, order.number, 0)
      return toOrder(reply, order)
    }),
  )
  app.post(
    '/orders/:number/ask',
    withOrder(async (order, _request, reply) => {
      if (isOpen(order)) await findOutcome({ ...deps, ...deps.at }, order.number, 0)
      return toOrder(reply, order)
    }),
  )
  app.post(
    '/orders/:number/again',
    withOrder((order, _request, reply) => {
      const to = order.status === 'not-sent' ? `/checkout?again=${order.number}` : '/checkout'
      return reply.header('set-cookie', cartCookie(order.lines)).redirect(to, 303)
    }),
  )
  app.post(
    '/orders/:number/refund',
    withOrder(async (order, request, reply) => {
      const { number = '', amount = '' } = formOf(request.body)
      const refundNumber = /^R-[0-9A-F]{18}$/.test(number) ? number : newNumber('R')
      const problem = await refundOrder(
        { ...deps, notifyUrl: deps.at.notifyUrl },
        order,
        refundNumber,
        amount,
      )
      if (problem === undefined) return toOrder(reply, order)
      return show(request, reply, viewOf(deps, order, problem, amount), 422)
    }),
  )
}

function isOpen({ status }: ShopOrder): boolean {
  return status === 'pending' || status === 'unknown' || status === 'sending'
}

function viewOf({ baseUrl }: OrderDeps, order: ShopOrder, refundProblem?: string, typed?: string) {
  const refundNumber = newNumber('R')
  return orderPage({
    order,
    gatewayUrl: baseUrl,
    refundNumber,
    refundProblem,
    ...(typed !== undefined && { typed }),
  })
}

async function isReturn(secrets: Secrets, address: string, { number }: ShopOrder): Promise<boolean> {
  try {
    return (await verifyReturn(address, secrets)).merOrderNo === number
  } catch (error) {
    if (error instanceof TollgateError) return false
    throw error
  }
}

const unknownOrder = messagePage({
  heading: 'The shop does not know this order',
  text: 'The number is mistyped, or the shop was started again: it keeps orders in memory. The gateway still has what was paid.',
  link: { href: '/orders', label: 'See the orders' },
})

function changedAddress({ number }: ShopOrder) {
  return messagePage({
    heading: 'This address was changed on the way',
    text: 'Its signature does not fit, so the shop does not believe what it says. The order page shows what is true.',
    link: { href: `/orders/${number}`, label: 'See the order' },
  })
}
