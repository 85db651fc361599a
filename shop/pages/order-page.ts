// The page of an order: the meaning of its status for the customer, and the next steps. The page updates itself.
import { type Html, html, symbol } from '../../src/platform/pages/page.ts'
import { leftToRefund, type OrderStatus, type ShopOrder, type ShopRefund } from '../orders.ts'
import { shown, wireAmount } from '../prices.ts'
import { summary } from './cart-page.ts'
import type { Page } from './layout.ts'
import { clock } from './panel.ts'
import { payHere } from './pay-here.ts'

export type OrderView = {
  readonly order: ShopOrder
  /** The gateway's address, for its window and the link to its back office. */
  readonly gatewayUrl: string
  /** The number of the next refund, which the form sends. */
  readonly refundNumber: string
  readonly refundProblem?: string | undefined
  readonly typed?: string
}

export function orderPage(view: OrderView): Page {
  const { order } = view
  const { kind, heading, text } = states[order.status](order)
  return {
    title: heading,
    order: { number: order.number, mark: markOf(order) },
    ...(order.status === 'pending' && order.paidAt === 'window' && { dropIn: view.gatewayUrl }),
    content: html`<div class="two"><section>${symbol(kind)}
<h1>${heading}</h1>
<p>${text}</p>
${order.dispute && html`<p class="note wait-note">${disputes[order.dispute]}</p>`}
${nextStep(order)}
${order.status === 'succeeded' && refunds(view)}
<h2>What happened</h2>
<ol class="happenings">${order.happenings.toReversed().map(({ at, text: line }) => html`<li>${clock(at)} ${line}</li>`)}</ol>
</section>
<section class="side"><h2>Order</h2>${summary(order.lines)}
<dl class="facts">
<div><dt>Order number</dt><dd>${order.number}</dd></div>
<div><dt>Way to pay</dt><dd>${order.way}</dd></div>
<div><dt>Amount in ${order.money.currency}</dt><dd>${shown(order.money)}</dd></div>
${order.tradeNo && html`<div><dt>Number at the gateway</dt><dd><a href="${view.gatewayUrl}/backoffice/orders/${order.tradeNo}">${order.tradeNo}</a></dd></div>`}
</dl></section></div>`,
  }
}

/** Every change of an order adds a line to the order's history, so a new last line means a new mark. */
function markOf({ happenings }: ShopOrder): string {
  return `${happenings.length}-${happenings.at(-1)?.at.getTime()}`
}

type State = {
  readonly kind: 'done' | 'failed' | 'waiting' | 'notice'
  readonly heading: string
  readonly text: string
}

const states: Readonly<Record<OrderStatus, (order: ShopOrder) => State>> = {
  sending: () => ({
    kind: 'waiting',
    heading: 'Your order is on its way',
    text: 'The gateway has yet to answer. This page changes by itself.',
  }),
  pending: ({ money }) => ({
    kind: 'waiting',
    heading: 'Waiting for your payment',
    text: `${shown(money)} is to be paid. This page changes by itself when the gateway reports it.`,
  }),
  unknown: ({ message }) => ({
    kind: 'notice',
    heading: 'The shop is finding out what happened',
    text: `The gateway did not answer: ${message}. The payment may have been made, so it is not sent again; the shop asks by the order number. Make sure that the gateway runs ("npm start").`,
  }),
  'not-sent': ({ message }) => ({
    kind: 'failed',
    heading: 'The order did not reach the gateway',
    text: `Nothing was charged (${message}). Send it again: it keeps its number, so it cannot be charged twice.`,
  }),
  refused: ({ message, advice }) => ({
    kind: 'failed',
    heading: 'The gateway refused the order',
    text: `Nothing was charged. It said: ${message}. ${advice}`,
  }),
  failed: ({ message }) => ({
    kind: 'failed',
    heading: 'The payment did not go through',
    text: `You were not charged${message === '' ? '' : `: ${message}`}. You can try again, or choose another way to pay.`,
  }),
  succeeded: (order) =>
    leftToRefund(order) <= 0n && order.refunds.every(({ status }) => status !== 'pending')
      ? { kind: 'done', heading: 'Your money is on its way back', text: 'The order was refunded in full.' }
      : { kind: 'done', heading: 'Thank you, your order is paid', text: `${shown(order.money)} arrived.` },
}

const disputes: Readonly<Record<NonNullable<ShopOrder['dispute']>, string>> = {
  opened: 'The cardholder disputes this payment at the bank. The gateway reported a chargeback.',
  won: 'The chargeback was decided for the shop.',
  lost: 'The chargeback was decided against the shop.',
}

function nextStep(order: ShopOrder): Html | undefined {
  if (order.status === 'pending') return html`${payHere(order)}${askButton(order)}`
  if (order.status === 'unknown') return askButton(order)
  const again = { refused: 'Back to checkout', failed: 'Try again', 'not-sent': 'Send it again' } as const
  const { status } = order
  if (status !== 'refused' && status !== 'failed' && status !== 'not-sent') return undefined
  return html`<form method="post" action="/orders/${order.number}/again"><button class="button">${again[status]}</button></form>`
}

function askButton({ number }: ShopOrder): Html {
  return html`<form method="post" action="/orders/${number}/ask"><button class="link">Ask the gateway now</button></form>`
}

function refunds({ order, refundNumber, refundProblem, typed }: OrderView): Html {
  const left = { amount: leftToRefund(order), currency: order.money.currency }
  const problem = refundProblem ?? ''
  return html`<h2>Refund</h2>
${order.refunds.length > 0 && html`<ul class="refunds">${order.refunds.map(refundLine)}</ul>`}
${
  left.amount > 0n &&
  html`<form class="refund" method="post" action="/orders/${order.number}/refund">
<input type="hidden" name="number" value="${refundNumber}">
<div class="field"><label for="amount">Amount (${left.currency})</label>
<input id="amount" name="amount" inputmode="decimal" maxlength="15" autocomplete="off" value="${typed ?? wireAmount(left)}" aria-describedby="amount-hint"${problem !== '' && html` aria-invalid="true"`}>
<p class="hint${problem !== '' && ' bad'}" id="amount-hint">${problem || `Up to ${shown(left)}. The sandbox declines a refund of exactly 6.66.`}</p></div>
<button class="button quiet">Refund</button></form>`
}`
}

const refundWords = {
  sending: 'is being sent',
  pending: 'is under way',
  failed: 'was declined',
  succeeded: 'was paid back',
} as const

function refundLine({ money, status, message }: ShopRefund): Html {
  return html`<li class="${status}">${shown(money)} ${refundWords[status]}${status === 'failed' && html`<span class="soft"> ${message}</span>`}</li>`
}
