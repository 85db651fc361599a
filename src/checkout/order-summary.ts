// The order next to the step: the merchant, the amount and the products.
import { money, moneyOf } from '../pages/amount.ts'
import type { Translation } from '../pages/language.ts'
import { type Html, html } from '../pages/page.ts'
import type { PageContext } from './page-layout.ts'
import type { Brand, CheckoutView, Product } from './view.ts'

/** Only this many are listed; the page shows the number of the others. */
const MAX_PRODUCTS = 30

export function brandBar(context: PageContext, brand: Brand, title: string, amount: string): Html {
  return html`<p class="merchant">${brand.hasLogo && html`<img class="logo" src="${context.basePath}logo" alt="">`}<span>${title}</span></p>
<p class="total">${amount}</p>`
}

export function orderItems(view: CheckoutView, translation: Translation): Html {
  const { order } = translation.words
  return html`<details class="items"><summary>${order.items}</summary>
${view.products.length > 0 && productList(view, translation)}
<dl class="sum"><div class="all"><dt>${order.total}</dt><dd>${moneyOf(view.money, translation.locale)}</dd></div>
<div><dt>${order.number}</dt><dd><bdi>${view.merOrderNo}</bdi></dd></div>
<div><dt>${order.payment}</dt><dd><bdi>${view.tradeNo}</bdi></dd></div></dl></details>`
}

function productList({ products, money: { currency } }: CheckoutView, { locale }: Translation): Html {
  const shown = products.slice(0, MAX_PRODUCTS)
  const more = products.length - shown.length
  return html`<ul>${shown.map((product) => item(product, currency, locale))}${more > 0 && html`<li>+ ${more}</li>`}</ul>`
}

function item({ name, quantity, price }: Product, currency: string, locale: string): Html {
  return html`<li><span>${name}</span><span class="price">${quantity} × ${money(price, currency, locale)}</span></li>`
}
