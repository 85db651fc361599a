// The receipt of a paid order, to read and to print.
import type { Money } from '../../base/money.ts'
import type { Receipt } from '../../order-queries/find-receipt.ts'
import { moneyOf } from '../../pages/amount.ts'
import type { Translation } from '../../pages/language.ts'
import { datedMoment } from '../../pages/moment.ts'
import { type Html, html, renderPage } from '../../pages/page.ts'
import { messagePage, type PageContext, translationFor } from '../page-layout.ts'
import type { Brand, Product } from '../view.ts'

export type ReceiptView = Receipt & {
  readonly merchant: Brand
  readonly products: readonly Product[]
  /** Refunds that the payer has received. */
  readonly refunds: readonly { readonly money: Money; readonly at: Date }[]
  readonly language: string
}

export function receiptPage(context: PageContext, view: ReceiptView): string {
  const translation = translationFor(context, view.language)
  const { title, print } = translation.words.links.receipt
  const { merchant } = view
  return renderPage({
    sandbox: context.sandbox,
    assets: context.assets,
    translation,
    title: `${title} – ${merchant.name}`,
    accent: merchant.accent && `${context.assets}/accent/${merchant.accent.slice(1)}.css`,
    step: html`<article class="receipt">
<p class="merchant">${merchant.hasLogo && html`<img class="logo" src="${context.basePath}logo" alt="">`}<span>${merchant.name}</span></p>
<h1>${title}</h1>
<p class="amount">${moneyOf(view.money, translation.locale)}</p>
${facts(view, translation)}
${refunds(view, translation)}
</article>
<button type="button" class="button quiet copy" data-print>${print}</button>`,
  })
}

export function missingReceiptPage(context: PageContext): string {
  const { missing, links } = translationFor(context).words
  return messagePage(context, translationFor(context), { ...links.receipt.missing, title: missing.title })
}

function facts(view: ReceiptView, { words, locale }: Translation): Html {
  const { order, links } = words
  const names = view.products.map(({ name }) => name).filter((name) => name !== '')
  return html`<dl class="sum">
${names.length > 0 && row(order.items, names.slice(0, MOST_NAMED).join(', '))}
${row(links.receipt.paidOn, datedMoment(view.paidAt, locale))}
${row(links.receipt.method, methodOf(view, words))}
${row(order.number, html`<bdi>${view.merOrderNo}</bdi>`)}
${row(order.payment, html`<bdi>${view.tradeNo}</bdi>`)}
</dl>`
}

const MOST_NAMED = 10

function row(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function refunds({ refunds, money }: ReceiptView, { words, locale }: Translation): Html | undefined {
  if (refunds.length === 0) return undefined
  const { refunded, rest } = words.links.receipt
  const left = refunds.reduce((all, { money: { amount } }) => all - amount, money.amount)
  return html`<dl class="sum">
${refunds.map((one) => row(refunded, html`−${moneyOf(one.money, locale)}, ${datedMoment(one.at, locale)}`))}
<div class="all"><dt>${rest}</dt><dd>${moneyOf({ amount: left, currency: money.currency }, locale)}</dd></div></dl>`
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
  jcb: 'JCB',
  discover: 'Discover',
  'diners-club': 'Diners Club',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  elo: 'Elo',
}

/** Of a card only its brand and ending. */
function methodOf({ method, card }: Receipt, words: Translation['words']): Html | string {
  if (method === undefined) return ''
  const { name } = words.methods[method]
  if (card === undefined) return name
  return html`${brands[card.brand] ?? name} <bdi>•••• ${card.last4}</bdi>`
}
