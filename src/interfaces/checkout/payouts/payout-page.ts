// The beneficiary's pages of a CheckOut payout: enter an account, wait, or see the result.

import type { Money } from '../../../platform/base/money.ts'
import { moneyOf } from '../../../platform/pages/amount.ts'
import { countries } from '../../../platform/pages/countries.ts'
import type { Form } from '../../../platform/pages/form.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { type Html, html, symbol, webLink } from '../../../platform/pages/page.ts'
import type { Notice } from '../../../platform/pages/translations/en.ts'
import type { InterfaceAccount } from '../../../rails/contract/payout-rail.ts'
import { brandBar, messagePage, type PageContext, page, type Step, translationFor } from '../page-layout.ts'
import { group, labelOf, problemMessages, type Question } from '../steps/fields.ts'
import { alert, sentence } from '../steps/parts.ts'
import type { Brand, Problems } from '../view.ts'
import { type PageField, payoutForms } from './payout-form.ts'

export function payoutPage(context: PageContext, payout: PayoutView, formState: PayoutFormState): string {
  const translation = translationFor(context, payout.language)
  const { merchant, money } = payout
  const { paysYou } = translation.words.order
  return page(context, translation, stepOf({ context, payout, translation, formState }), {
    brand: merchant,
    bar: brandBar(context, merchant, paysYou(merchant.name), moneyOf(money, translation.locale)),
    items: items(payout, translation),
    live: { version: payout.status },
  })
}

export function missingPayoutPage(context: PageContext): string {
  return messagePage(context, translationFor(context), translationFor(context).words.payout.missing)
}

export function brokenPayoutPage(context: PageContext): string {
  const { broken, payout } = translationFor(context).words
  return messagePage(context, translationFor(context), { ...broken, text: payout.broken })
}

/** Returns the problems in the language of the page. The script shows them while the account is being typed. */
export function problemTexts(
  context: PageContext,
  payout: PayoutView,
  problems: Problems,
): Record<string, string> {
  const { words } = translationFor(context, payout.language)
  return Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [name, words.problems[problem]]),
  )
}

function stepOf(parts: StepParts): Step {
  const { payout, translation } = parts
  switch (payout.status) {
    case 'asks-account':
      return askAccount(parts)
    case 'processing':
      return waiting(payout, translation)
    case 'succeeded':
      return succeeded(payout, translation)
    case 'failed':
      return failed(payout, translation)
  }
}

function waiting({ accountMasked }: PayoutView, { words }: Translation): Step {
  const { way, wayTo, leave } = words.payout
  return {
    title: way.title,
    live: true,
    step: html`${symbol('waiting')}
<div role="status"><h1>${way.heading}</h1>
<p>${wayTo(endOf(accountMasked))}</p></div>
<p class="soft">${leave}</p>`,
  }
}

function succeeded(payout: PayoutView, translation: Translation): Step {
  const { sent, sentTo } = translation.words.payout
  return {
    title: sent.title,
    step: html`<div role="status">${symbol('done')}<h1>${sent.heading}</h1>
<p>${sentTo(endOf(payout.accountMasked))}</p></div>
${returnButton(payout, translation)}`,
  }
}

function failed(payout: PayoutView, translation: Translation): Step {
  const { failed: texts, sendAgain } = translation.words.payout
  return {
    title: texts.title,
    step: html`<div role="status">${symbol('failed')}<h1>${texts.heading}</h1>
<p>${sentence(payout.message)} ${sendAgain(payout.merchant.name)}</p></div>
${returnButton(payout, translation)}`,
  }
}

function returnButton({ returnUrl, merchant }: PayoutView, { words }: Translation): Html | undefined {
  const link = webLink(returnUrl)
  if (link === undefined) return undefined
  return html`<a class="button" href="${link}" rel="noreferrer">${words.payout.goTo(merchant.name)}</a>`
}

function endOf(masked: string): string {
  return masked.slice(masked.indexOf('…') + 1)
}

function items(payout: PayoutView, { words }: Translation): Html {
  const { beneficiary, number, payout: name } = words.order
  return html`<div class="facing"><dl class="sum"><div><dt>${beneficiary}</dt><dd><bdi>${payout.beneficiary}</bdi></dd></div>
<div><dt>${number}</dt><dd><bdi>${payout.merOrderNo}</bdi></dd></div>
<div><dt>${name}</dt><dd><bdi>${payout.tradeNo}</bdi></dd></div></dl></div>`
}

// The step that asks for the account. Like the payment page, it has several forms: one for each kind of account that
// can be used for the currency.

type StepParts = {
  readonly context: PageContext
  readonly payout: PayoutView
  readonly translation: Translation
  readonly formState: PayoutFormState
}

function askAccount(parts: StepParts): Step {
  const { payout, translation } = parts
  const { title, heading } = translation.words.payout
  const isOne = payout.kinds.length === 1
  return {
    title,
    step: html`${problemAlert(parts)}
<fieldset class="ways"><legend><h1>${heading}</h1></legend>
${payout.kinds.map((kind) => (isOne ? form(parts, kind) : way(parts, kind)))}
</fieldset>`,
  }
}

function problemAlert({ translation, formState }: StepParts): Html | undefined {
  const { notices, choose } = translation.words
  if (formState.notice !== undefined) return alert('bad', notices[formState.notice])
  return Object.keys(formState.problems).length > 0 ? alert('bad', choose.fix) : undefined
}

function way(parts: StepParts, kind: InterfaceAccount): Html {
  const { translation, formState } = parts
  const id = `way-${kind}`
  return html`<div class="way">
<input type="radio" name="way" aria-labelledby="${id}-name" id="${id}" value="${kind}" autocomplete="off"${kind === formState.kind && html` checked`}>
<label for="${id}"><span id="${id}-name">${translation.words.payout.kinds[kind]}</span></label>
${form(parts, kind)}
</div>`
}

/**
 * Returns the form of a kind of account. The script calls `check` when the beneficiary leaves a field. The server
 * checks the form again when it is submitted.
 */
function form(parts: StepParts, kind: InterfaceAccount): Html {
  const { context, payout, translation } = parts
  const { words, locale } = translation
  const questions = payoutForms[kind].fields.map((field) => questionOf(parts, kind, field))
  return html`<form method="post" action="?" class="fields" data-problems="${problemMessages(translation)}" data-busy="${words.choose.paying}" data-check-at="${context.basePath}check">
<input type="hidden" name="kind" value="${kind}">
${group(questions, translation)}
<button class="button">${words.payout.button(moneyOf(payout.money, locale))}</button>
</form>`
}

function questionOf(
  { translation, formState }: StepParts,
  kind: InterfaceAccount,
  field: PageField,
): Question {
  const { words } = translation
  const { name } = field
  const isFilled = kind === formState.kind
  const isAccount = name === 'account'
  return {
    id: `${kind}-${name}`,
    name,
    label: isAccount
      ? words.payout.accounts[kind]
      : labelOf({ ...words.fields, ...words.payout.fields }, name, name),
    value: isFilled && field.secret !== true ? formState.values[name] : undefined,
    problem: isFilled ? formState.problems[name] : undefined,
    hint: labelOf(words.payout.hints, isAccount ? kind : name, ''),
    numeric: field.numeric === true,
    optional: field.optional === true,
    half: field.half === true,
    autocomplete: field.autocomplete,
    choices: choicesOf(field, translation),
    ...(kind === 'card' && isAccount ? { check: 'cardNo' as const } : {}),
  }
}

function choicesOf({ name, choices }: PageField, { words, locale }: Translation): Question['choices'] {
  if (name === 'countryCode') return countries(locale)
  return choices?.map((value) => ({ value, label: labelOf(words.choices, `${name}.${value}`, value) }))
}

export type PayoutView = {
  readonly merchant: Brand
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly beneficiary: string
  readonly money: Money
  readonly status: 'asks-account' | 'processing' | 'succeeded' | 'failed'
  readonly message: string
  readonly accountMasked: string
  /** The kinds of account that can receive the payout, the most usual kind first. */
  readonly kinds: readonly InterfaceAccount[]
  /** The merchant's address with the signed result. Empty if the merchant sent no address. */
  readonly returnUrl: string
  readonly language: string
}

export type PayoutFormState = {
  readonly kind: InterfaceAccount
  readonly values: Form
  readonly problems: Problems
  readonly notice?: Notice | undefined
}
