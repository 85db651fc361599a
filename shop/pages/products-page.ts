import { type Html, html } from '../../src/platform/pages/page.ts'
import { shown } from '../prices.ts'
import { type Product, productOf, products } from '../products.ts'
import type { Page } from './layout.ts'

/** `added` is the product that was just put into the cart. */
export function productsPage(added: string | undefined): Page {
  const product = productOf(added ?? '')
  return {
    title: 'Products',
    content: html`${product && html`<p class="note good-note" role="status">${product.name} is in your cart. <a href="/cart">Go to the cart</a></p>`}
<h1>Things for a long walk</h1>
<p class="lead">Nothing here is shipped and no money moves: buy as much as you like, and watch what the shop and the gateway say to each other.</p>
<ul class="products">${products.map(tile)}</ul>`,
  }
}

function tile({ sku, name, about, cents, drawing }: Product): Html {
  return html`<li>${drawing}
<h2>${name}</h2><p class="soft">${about}</p>
<form method="post" action="/cart"><span class="price">${shown({ amount: cents, currency: 'USD' })}</span>
<button class="button small" name="add" value="${sku}">Add to cart<span class="unseen"> ${name}</span></button></form></li>`
}
