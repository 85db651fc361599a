// The payer's pages for an order: on to the bank, wait, or the result.
import type { PayerAction } from '../channels/contract.ts'
import { money } from '../pages/amount.ts'
import { type Html, html, symbol, webAddress } from '../pages/page.ts'
import { type Frame, page, type Step } from './framed-page.ts'

export type CheckoutOrder = {
  readonly merchantName: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly amount: string
  readonly currency: string
  readonly status: 'awaiting-payer' | 'processing' | 'succeeded' | 'failed'
  /** Why it failed, in words for the payer. */
  readonly message: string
  readonly action: PayerAction | undefined
  /** The merchant's address with the signed result, once there is one. */
  readonly returnUrl: string
}

const REFRESH_S = 3
const RETURN_S = 5

export function payPage(frame: Frame, order: CheckoutOrder): string {
  const { title, step, refreshS } = stepOf(order)
  return page(frame, `${title} – ${order.merchantName}`, step, { order: summary(order), refreshS })
}

export function missingPage(frame: Frame): string {
  return page(
    frame,
    'Page not found',
    html`${symbol('failed')}
<h1>This payment page does not exist</h1>
<p>The link is incomplete or too old. Go back to the shop and start the payment again.</p>`,
  )
}

export function brokenPage(frame: Frame): string {
  return page(
    frame,
    'Something went wrong',
    html`${symbol('failed')}
<h1>Something went wrong on our side</h1>
<p>Load this page again in a moment. If you have confirmed the payment already, the shop learns the result.</p>`,
  )
}

function stepOf(order: CheckoutOrder): Step {
  if (order.status === 'succeeded') return succeeded(order)
  if (order.status === 'failed') return failed(order)
  if (order.status === 'awaiting-payer' && order.action !== undefined) return challenge(order.action)
  return waiting()
}

function challenge(action: PayerAction): Step {
  return {
    title: 'Confirm your payment',
    step: html`<h1>Your bank wants to know that it is you</h1>
<p>Confirm the payment on your bank's page. You come back here afterwards.</p>
<form method="post" action="${action.acsUrl}" data-auto-submit>
<input type="hidden" name="creq" value="${action.creq}">
<button class="button">Continue to your bank</button>
</form>`,
  }
}

function waiting(): Step {
  return {
    title: 'Payment in progress',
    refreshS: REFRESH_S,
    step: html`${symbol('waiting')}
<div role="status"><h1>Waiting for your bank</h1>
<p>We are asking your bank whether the payment went through. This page refreshes by itself.</p></div>
<p class="soft">It is safe to leave: you are not charged twice, and the shop learns the result.</p>`,
  }
}

function succeeded(order: CheckoutOrder): Step {
  return {
    title: 'Payment successful',
    step: html`${symbol('done')}
<h1>Your payment went through</h1>
<p>Thank you. You can go back to the shop now.</p>
${wayBack(order)}`,
  }
}

function failed(order: CheckoutOrder): Step {
  return {
    title: 'Payment failed',
    step: html`${symbol('failed')}
<h1>Your payment did not go through</h1>
<p>${order.message === '' ? 'You were not charged.' : sentence(order.message)}</p>
${wayBack(order)}`,
  }
}

function wayBack(order: CheckoutOrder): Html | undefined {
  const url = webAddress(order.returnUrl)
  return (
    url &&
    html`<a class="button" href="${url.href}" rel="noreferrer" data-auto-return="${RETURN_S}">Return to shop</a>
<p class="soft" data-timer></p>`
  )
}

function summary(order: CheckoutOrder): Html {
  return html`<p class="merchant">${order.merchantName}</p>
<p class="total">${money(order.amount, order.currency)}</p>
<dl><dt>Order</dt><dd>${order.merOrderNo}</dd><dt>Payment</dt><dd>${order.tradeNo}</dd></dl>`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
