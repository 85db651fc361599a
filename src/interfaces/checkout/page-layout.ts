// The common layout of payment and payout pages: the order on one side, the current step on the other.

import { money, moneyOf } from '../../platform/pages/amount.ts'
import { chooseLanguage, type Translation, translationOf } from '../../platform/pages/language.ts'
import { type FrameFacts, type Html, html, type Live, renderPage, symbol } from '../../platform/pages/page.ts'
import type { Brand, CheckoutView, Product } from './view.ts'

/**
 * Where a page is, and for whom it is rendered. Addresses are relative, so that they also work behind a proxy that adds
 * a path.
 */
export type PageContext = {
  readonly sandbox: boolean
  /** The path of the assets: `../assets` at /pay/TOKEN, `../../assets` one level below. */
  readonly assets: string
  /**
   * The prefix of the paths `pay`, `switch`, `cancel`, `events`, `status` and `logo`. The prefix is `TOKEN/` for the
   * page at /pay/TOKEN, and `./` one level below.
   */
  readonly basePath: string
  /**
   * True if the script continues to the wallet or the bank without a click. If missing, the script continues only to
   * the bank's challenge.
   */
  readonly autoContinue?: boolean
  readonly isFramed?: boolean
  readonly acceptLanguage?: string | undefined
}

export type Step = {
  readonly title: string
  readonly step: Html
  /** True if the page may change by itself. The page then listens for updates or, without script, reloads itself. */
  readonly live?: boolean
}

type OrderColumn = {
  readonly brand: Brand
  readonly bar: Html
  readonly items: Html
  /** The version that the page shows, and the address of the stream that reports changes. */
  readonly live: Live
  readonly facts?: Omit<FrameFacts, 'close'>
}

export function page(
  context: PageContext,
  translation: Translation,
  { title, step, live }: Step,
  column: OrderColumn,
): string {
  const { brand, bar, items } = column
  return renderPage({
    ...files(context),
    translation,
    title: `${title} – ${brand.name}`,
    accent: brand.accent && `${context.assets}/accent/${brand.accent.slice(1)}.css`,
    order: bar,
    items,
    step,
    live: live === true ? column.live : undefined,
    framed: context.isFramed ? { ...column.facts, close: translation.words.ways.close } : undefined,
  })
}

/** Returns a page with only a message. Used if there is no order to show. */
export function messagePage(
  context: PageContext,
  translation: Translation,
  texts: Readonly<Record<'title' | 'heading' | 'text', string>>,
) {
  const { title, heading, text } = texts
  const step = html`${symbol('failed')}<h1>${heading}</h1><p>${text}</p>`
  return renderPage({ ...files(context), translation, title, step })
}

/** Returns the translation for the order's language. If the order has none, the browser's language is used. */
export function translationFor(context: PageContext, language = ''): Translation {
  return translationOf(chooseLanguage(language, context.acceptLanguage))
}

function files({ sandbox, assets }: PageContext) {
  return { sandbox, assets }
}

/** The maximum number of products in the list. The page says how many more products there are. */
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
