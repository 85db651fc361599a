// The list of orders, the page of requests, the step to the gateway, and the pages for problems.
import { html, symbol } from '../../src/platform/pages/page.ts'
import { leftToRefund, type ShopOrder } from '../orders.ts'
import { shown } from '../prices.ts'
import type { Page } from './layout.ts'
import { clock } from './panel.ts'

export function ordersPage(orders: readonly ShopOrder[]): Page {
  if (orders.length === 0)
    return {
      title: 'Orders',
      content: html`<h1>No orders yet</h1><p>The shop keeps its orders in memory, so they are gone when it stops.</p>
<a class="button" href="/">See the products</a>`,
    }
  return {
    title: 'Orders',
    content: html`<h1>Orders</h1><p class="soft">In memory: they are gone when the shop stops. The gateway keeps its own.</p>
<ul class="orders">${orders.map(
      (
        order,
      ) => html`<li><a href="/orders/${order.number}">${order.number}</a><span>${shown(order.money)} · ${order.way}</span>
<span class="state ${order.status}">${wordFor(order)}</span><span class="soft">${clock(order.at)}</span></li>`,
    )}</ul>`,
  }
}

function wordFor(order: ShopOrder): string {
  if (order.status !== 'succeeded') return words[order.status]
  return leftToRefund(order) <= 0n ? 'refunded' : 'paid'
}

const words = {
  sending: 'being sent',
  pending: 'waiting for payment',
  unknown: 'finding out',
  'not-sent': 'not sent',
  refused: 'refused',
  failed: 'not paid',
} as const

/** The page with only the panel. In a browser without scripts, the link "Requests" leads to this page. */
export function requestsPage(): Page {
  return { title: 'Requests', content: html`<h1 class="unseen">Requests</h1>`, panelOnly: true }
}

export function goPage(payUrl: string): Page {
  return {
    title: 'To the payment page',
    goTo: payUrl,
    content: html`${symbol('waiting')}<h1>Taking you to the payment page</h1>
<a class="button" href="${payUrl}">Continue to payment</a>`,
  }
}

export type Message = {
  readonly heading: string
  readonly text: string
  readonly link?: { readonly href: string; readonly label: string }
}

export function messagePage({ heading, text, link }: Message): Page {
  const { href, label } = link ?? { href: '/', label: 'See the products' }
  return {
    title: heading,
    content: html`${symbol('failed')}<h1>${heading}</h1><p>${text}</p><a class="button" href="${href}">${label}</a>`,
  }
}
