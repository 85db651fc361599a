// The receipt of a paid order, to read and to print.

import type { FastifyInstance } from 'fastify'
import { findLogo, type Logo } from '../../money/merchants/logo.ts'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { findReceipt, type Receipt } from '../../money/order-queries/find-receipt.ts'
import { readWholeDetails } from '../../money/order-queries/read-details.ts'
import type { LinkMaker } from '../../money/orders/page-link.ts'
import { refundsOf } from '../../money/refunds/find-refund.ts'
import { brandNames } from '../../platform/base/card-number.ts'
import type { Clock } from '../../platform/base/clock.ts'
import type { Money } from '../../platform/base/money.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { moneyOf } from '../../platform/pages/amount.ts'
import type { Translation } from '../../platform/pages/language.ts'
import { datedMoment } from '../../platform/pages/moment.ts'
import { type Html, html, renderPage, sendPage } from '../../platform/pages/page.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { wordsOf } from '../../rails/methods/methods.ts'
import type { Cost, LinkLimits } from './limits.ts'
import { productsOf, textOf } from './make-view.ts'
import { messagePage, type PageContext, translationFor } from './page-layout.ts'
import { contextOf, type LinkRequest, openPageScope, type PageScope, sendMissing } from './page-scope.ts'
import { brokenPage } from './pay-page.ts'
import type { Brand, Product } from './view.ts'

// For two years, everybody who has the link can read the receipt. Therefore it shows no name, e-mail or address of the
// payer. The receipt is made from the order at every visit, because a stored copy would not show later refunds.

type ReceiptView = Receipt & {
  readonly merchant: Brand
  readonly products: readonly Product[]
  /** The refunds that the payer has received. */
  readonly refunds: readonly { readonly money: Money; readonly at: Date }[]
  readonly language: string
}

function receiptPage(context: PageContext, view: ReceiptView): string {
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

function missingReceiptPage(context: PageContext): string {
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

function methodOf({ method, card }: Receipt, words: Translation['words']): Html | string {
  if (method === undefined) return ''
  const { name } = wordsOf(method, words)
  if (card === undefined) return name
  return html`${brandNames.get(card.brand) ?? name} <bdi>•••• ${card.last4}</bdi>`
}

export type ReceiptDeps = {
  readonly sandbox: boolean
  limit(token: string, cost: Cost): number | undefined
  /**
   * Finds the receipt of a paid order. Returns undefined if the link is wrong or has expired, or if the order is
   * unpaid.
   */
  open(token: string): Promise<ReceiptView | undefined>
  logo(token: string): Promise<Logo | undefined>
}

export function registerReceipts(app: FastifyInstance, deps: ReceiptDeps): void {
  const { sandbox, limit, logo } = deps
  const pages: PageScope = {
    at: 'receipt',
    sandbox,
    missing: missingReceiptPage,
    broken: brokenPage,
    limit,
    logo,
  }
  app.register(async (scope) => {
    openPageScope(scope, pages)
    scope.get('/receipt/:token', async (request: LinkRequest, reply) => {
      const receipt = await deps.open(request.params.token)
      if (receipt === undefined) return sendMissing(pages, request, reply)
      return sendPage(reply, 200, receiptPage(contextOf(pages, request), receipt), { isFixed: true })
    })
  })
}

type OpenReceiptsDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly sandbox: boolean
  readonly receiptLinks: LinkMaker
  readonly linkLimits: LinkLimits
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function openReceipts(deps: OpenReceiptsDeps): ReceiptDeps {
  const keyOf = (token: string) => deps.receiptLinks.read(token, deps.clock.now())
  return {
    sandbox: deps.sandbox,
    limit(token, cost) {
      const key = keyOf(token)
      return key && deps.linkLimits.take(key.tradeNo, cost)
    },
    async open(token) {
      const key = keyOf(token)
      return key && view(deps, key.merNo, key.tradeNo)
    },
    async logo(token) {
      const key = keyOf(token)
      return key && findLogo(deps.db, key.merNo)
    },
  }
}

async function view(
  deps: OpenReceiptsDeps,
  merNo: number,
  tradeNo: string,
): Promise<ReceiptView | undefined> {
  const [receipt, merchant] = await Promise.all([
    findReceipt(deps.db, { merNo, tradeNo }),
    deps.findMerchant(merNo),
  ])
  if (receipt === undefined || merchant === undefined) return undefined
  const { details } = await readWholeDetails(deps, { merNo, tradeNo })
  const refunds = await refundsOf(deps.db, merNo, tradeNo)
  const { name, accent, hasLogo } = merchant
  return {
    ...receipt,
    merchant: { name, accent, hasLogo },
    products: productsOf(details.productInfoList),
    refunds: refunds
      .filter(({ state }) => state === 'succeeded')
      .map(({ money, decidedAt, createdAt }) => ({ money, at: decidedAt ?? createdAt })),
    language: textOf(details.language),
  }
}
