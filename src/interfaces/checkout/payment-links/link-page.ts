// Renders the page behind a payment link. The functions are pure: the same arguments always give the same page.

import type { LinkStatus } from '../../../money/payment-links/payment-link.ts'
import { decimalsOf } from '../../../platform/base/currency.ts'
import type { Money } from '../../../platform/base/money.ts'
import { moneyOf } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { sentenceWithMoment } from '../../../platform/pages/moment.ts'
import { type Html, html, symbol } from '../../../platform/pages/page.ts'
import type { Problem } from '../../../platform/pages/translations/en.ts'
import { brandBar, messagePage, type PageContext, page, type Step, translationFor } from '../page-layout.ts'
import { group, problemMessages } from '../steps/fields.ts'
import { alert } from '../steps/parts.ts'
import type { Brand } from '../view.ts'

export type LinkAnswer = 'open' | 'unavailable'

export function linkPage(
  context: PageContext,
  view: LinkView,
  formState: LinkFormState,
  answer: LinkAnswer = 'open',
): string {
  const translation = translationFor(context, view.language)
  const { merchant, money } = view
  const amount = money === undefined ? '' : moneyOf(money, translation.locale)
  // The page with the form already shows the title as a heading.
  const isForm = answer === 'open' && (view.status === 'active' || view.status === 'claimed')
  const step =
    answer === 'unavailable'
      ? ended(translation.words.links.unavailable, view, 'failed')
      : stepOf(view, translation, formState)
  return page(context, translation, step, {
    brand: merchant,
    bar: brandBar(context, merchant, merchant.name, amount),
    items: isForm ? html`` : html`<div class="facing"><p>${view.title}</p></div>`,
    live: { version: '' },
  })
}

export function missingLinkPage(context: PageContext): string {
  const { missing, links } = translationFor(context).words
  return messagePage(context, translationFor(context), { ...links.missing, title: missing.title })
}

function stepOf(view: LinkView, translation: Translation, formState: LinkFormState): Step {
  const { links } = translation.words
  switch (view.status) {
    case 'active':
    case 'claimed':
      return form(view, translation, formState)
    case 'paid':
      return ended(links.paid, view, 'done')
    case 'expired':
      return ended(links.expired, view, 'failed')
    case 'off':
    case 'stopped':
      return ended(links.off, view, 'failed')
  }
}

type Ended = { readonly heading: string; readonly text: string | ((merchant: string) => string) }

function ended({ heading, text }: Ended, { merchant }: LinkView, shown: 'done' | 'failed'): Step {
  const advice = typeof text === 'string' ? text : text(merchant.name)
  return {
    title: heading,
    step: html`<div role="status">${symbol(shown)}<h1>${heading}</h1><p>${advice}</p></div>`,
  }
}

function form(view: LinkView, translation: Translation, { amount, problem, notice }: LinkFormState): Step {
  const { words, locale } = translation
  const { title, expiresAt } = view
  const isOpen = view.money === undefined
  return {
    title,
    step: html`${notice && alert('bad', words.notices[notice])}${problem && alert('bad', words.choose.fix)}
<h1>${title}</h1>
${expiresAt && html`<p class="advice">${sentenceWithMoment(words.time.until('{}'), expiresAt, locale, 'with year')}</p>`}
<form method="post" action="?" class="fields"${isOpen && html` data-problems="${problemMessages(translation)}"`} data-busy="${words.choose.paying}">
${isOpen && amountField(view, translation, amount, problem)}
<button class="button">${words.cashier.go}</button>
</form>`,
  }
}

function amountField(
  view: LinkView,
  translation: Translation,
  value: string,
  problem: LinkFormState['problem'],
): Html {
  const { words } = translation
  const bounds = boundsOf(view, translation)
  const hasDecimals = decimalsOf(view.currency) > 0
  const question = {
    id: 'amount',
    name: 'amount',
    label: `${words.links.amount} (${view.currency})`,
    value,
    problem,
    maxLength: 12,
    ...(hasDecimals ? { decimal: true } : { numeric: true }),
  }
  return html`${group([question], translation)}${bounds && html`<p class="soft">${bounds}</p>`}`
}

function boundsOf({ least, most }: LinkView, { words, locale }: Translation): string | undefined {
  const { between, atLeast, atMost } = words.links
  if (least !== undefined && most !== undefined) return between(moneyOf(least, locale), moneyOf(most, locale))
  if (least !== undefined) return atLeast(moneyOf(least, locale))
  return most && atMost(moneyOf(most, locale))
}

export type LinkView = {
  readonly merchant: Brand
  readonly title: string
  readonly status: LinkStatus
  readonly currency: string
  readonly money: Money | undefined
  readonly least: Money | undefined
  readonly most: Money | undefined
  readonly expiresAt: Date | undefined
  readonly language: string
  readonly frameAncestors: readonly string[]
}

export type LinkFormState = {
  readonly amount: string
  readonly problem?: Problem | undefined
  readonly notice?: 'tooManyAttempts'
}
