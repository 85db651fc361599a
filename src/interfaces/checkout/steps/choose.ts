// The choice of a payment method. If there are several methods, each has a radio button and its own form, which CSS
// alone unfolds. Therefore the choice works without script, and no form contains the fields of another. Each form
// contains the number of earlier attempts, so that a form that is sent twice pays only once.

import { moneyOf } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import { wordsOf } from '../../../rails/methods/methods.ts'
import type { Step } from '../page-layout.ts'
import type { FormState, MethodChoice } from '../view.ts'
import { markFor } from './brand-marks.ts'
import { askedQuestions, cardQuestions, group, problemMessages } from './fields.ts'
import { alert, cancelForm, reasonOf, type StepParts } from './parts.ts'

type FormParts = StepParts & { readonly formState: FormState }

const untouched: FormState = { values: {}, problems: {} }

export function choose(parts: FormParts): Step {
  const { view, translation } = parts
  const { words, locale } = translation
  const [only, ...others] = view.choices
  const ways = only !== undefined && others.length === 0 ? singleMethod(parts, only) : methodList(parts)
  return {
    title: words.choose.pay(moneyOf(view.money, locale)),
    step: html`${problemAlert(parts)}
${only === undefined ? alert('bad', words.notices.unavailable) : ways}
<div class="more">${cancelForm(parts)}</div>`,
  }
}

function problemAlert({ view, translation, formState }: FormParts): Html | undefined {
  const { words } = translation
  const { notice, problems } = formState
  if (notice !== undefined) return alert('bad', words.notices[notice])
  if (Object.keys(problems).length > 0)
    return alert('bad', words.choose.fix, formState.method === 'card' ? words.choose.retype : undefined)
  if (view.message === '') return undefined
  return alert('bad', words.failed.heading, `${reasonOf(view.message, words)} ${words.choose.again}`)
}

function singleMethod(parts: FormParts, choice: MethodChoice): Html {
  const { words } = parts.translation
  const { name } = wordsOf(choice.method, words)
  return html`<h1>${words.choose.oneWay(name)}</h1>${form(parts, choice)}`
}

function methodList(parts: FormParts): Html {
  const { view, translation, formState } = parts
  const wanted = formState.method ?? (view.message === '' ? undefined : view.method)
  const chosen = view.choices.find(({ method }) => method === wanted) ?? view.choices[0]
  return html`<fieldset class="ways"><legend><h1>${translation.words.choose.title}</h1></legend>
${view.choices.map((choice) => way(parts, choice, choice === chosen))}
</fieldset>`
}

function way(parts: FormParts, choice: MethodChoice, isChosen: boolean): Html {
  const id = `way-${choice.method}`
  return html`<div class="way">
<input type="radio" name="way" aria-labelledby="${id}-name" id="${id}" value="${choice.method}" autocomplete="off"${isChosen && html` checked`}>
<label for="${id}">${markFor(choice.method)}<span id="${id}-name">${wordsOf(choice.method, parts.translation.words).name}</span></label>
${form(parts, choice)}
</div>`
}

function form(parts: FormParts, choice: MethodChoice): Html {
  const { context, view, translation } = parts
  const { words, locale } = translation
  const { advice } = wordsOf(choice.method, words)
  return html`<form method="post" action="${context.basePath}pay" class="fields"${problemData(choice, translation)} data-busy="${words.choose.paying}">
<input type="hidden" name="method" value="${choice.method}"><input type="hidden" name="attempt" value="${view.attempts}">
${advice !== '' && html`<p class="advice">${advice}</p>`}
${questions(parts, choice)}
<button class="button">${words.choose.pay(moneyOf(view.money, locale))}</button>
</form>`
}

/** Returns the texts of problems for the script. Only forms with questions need these texts. */
function problemData({ method, asks }: MethodChoice, translation: Translation): Html | undefined {
  if (method !== 'card' && asks.length === 0) return undefined
  return html` data-problems="${problemMessages(translation)}"`
}

function questions({ view, translation, ...parts }: FormParts, choice: MethodChoice): Html {
  const formState = choice.method === (parts.formState.method ?? choice.method) ? parts.formState : untouched
  const { card, billing, details } = translation.words.choose
  const isCard = choice.method === 'card'
  const asked = askedQuestions(choice, translation, formState)
  const heading = isCard ? billing : details
  return html`${isCard && section(card, group(cardQuestions(view.cardBrands, translation, formState), translation))}
${asked.length > 0 && section(heading, group(asked, translation))}`
}

function section(title: string, fields: Html): Html {
  return html`<fieldset class="section"><legend>${title}</legend>${fields}</fieldset>`
}
