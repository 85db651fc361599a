// Asks for the account of a payout: one form per kind of account that the currency allows, as on the payment page.
import type { InterfaceAccount } from '../../channels/payout/contract.ts'
import { moneyOf } from '../../pages/amount.ts'
import { countries } from '../../pages/countries.ts'
import type { Translation } from '../../pages/language.ts'
import { type Html, html } from '../../pages/page.ts'
import type { PageContext, Step } from '../page-layout.ts'
import { labelOf } from '../steps/asked-fields.ts'
import { group, problemMessages, type Question } from '../steps/fields.ts'
import { alert } from '../steps/notes.ts'
import { type PageField, payoutForms } from './payout-form.ts'
import type { PayoutFormState, PayoutView } from './payout-view.ts'

type StepParts = {
  readonly context: PageContext
  readonly payout: PayoutView
  readonly translation: Translation
  readonly formState: PayoutFormState
}

export function askAccount(
  context: PageContext,
  payout: PayoutView,
  translation: Translation,
  formState: PayoutFormState,
): Step {
  const { words } = translation
  const parts = { context, payout, translation, formState }
  const { title, heading } = words.payout
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

/** The script calls `check` when the payer leaves a field. The server's check of the submitted form decides. */
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
