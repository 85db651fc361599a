import { type Html, html } from '../../src/platform/pages/page.ts'
import { type Line, MOST_PIECES } from '../cart.ts'
import { priceOf, shown, totalOf } from '../prices.ts'
import type { Page } from './layout.ts'

export function cartPage(lines: readonly Line[]): Page {
  if (lines.length === 0) return emptyCart()
  return {
    title: 'Cart',
    content: html`<h1>Your cart</h1>
<ul class="lines">${lines.map(line)}</ul>
<p class="sum"><span>Total</span> <strong>${shown(totalOf(lines, 'USD'))}</strong></p>
<a class="button" href="/checkout">Go to checkout</a>`,
  }
}

export function emptyCart(): Page {
  return {
    title: 'Cart',
    content: html`<h1>Your cart is empty</h1><p>Choose something first: it costs nothing here.</p>
<a class="button" href="/">See the products</a>`,
  }
}

function line(one: Line): Html {
  const { product, quantity } = one
  const field = `pieces-${product.sku}`
  return html`<li>${product.drawing}<div class="grow"><strong>${product.name}</strong>
<span class="soft">${shown(priceOf(one, 'USD'))} each</span></div>
<form method="post" action="/cart"><input type="hidden" name="set" value="${product.sku}">
<label for="${field}">Pieces<span class="unseen"> of ${product.name}</span></label>
<input id="${field}" name="quantity" type="number" min="0" max="${MOST_PIECES}" value="${quantity}" inputmode="numeric">
<button class="button small quiet">Change</button></form>
<form method="post" action="/cart"><input type="hidden" name="quantity" value="0">
<button class="link" name="set" value="${product.sku}">Remove<span class="unseen"> ${product.name}</span></button></form></li>`
}

/** The lines of the cart without buttons, with prices in US dollars. */
export function summary(lines: readonly Line[]): Html {
  return html`<ul class="summary">${lines.map(
    (one) =>
      html`<li><span>${one.quantity} × ${one.product.name}</span><span>${shown(totalOf([one], 'USD'))}</span></li>`,
  )}</ul>
<p class="sum"><span>Total</span> <strong>${shown(totalOf(lines, 'USD'))}</strong></p>`
}
