// Where a payout goes: the ways that its currency has, each a form of its own, as on the page where one pays.
import type { AccountKind } from '../../channels/payout/contract.ts'
import { moneyOf } from '../../pages/amount.ts'
import { countries } from '../../pages/countries.ts'
import type { Tongue } from '../../pages/language.ts'
import { type Html, html } from '../../pages/page.ts'
import type { Frame, Step } from '../framed-page.ts'
import { type PageField, payoutForms } from '../payout-form.ts'
import type { Filling, PayoutView } from '../payout-view.ts'
import { labelOf } from './asked-fields.ts'
import { group, problemWords, type Question } from './fields.ts'
import { alert } from './notes.ts'

type Asking = {
  readonly frame: Frame
  readonly payout: PayoutView
  readonly tongue: Tongue
  readonly filling: Filling
}

export function askAccount(frame: Frame, payout: PayoutView, tongue: Tongue, filling: Filling): Step {
  const { words } = tongue
  const asking = { frame, payout, tongue, filling }
  const { title, heading } = words.payout
  const isOne = payout.kinds.length === 1
  return {
    title,
    step: html`${trouble(asking)}
<fieldset class="ways"><legend><h1>${heading}</h1></legend>
${payout.kinds.map((kind) => (isOne ? form(asking, kind) : way(asking, kind)))}
</fieldset>`,
  }
}

function trouble({ tongue, filling }: Asking): Html | undefined {
  const { notices, choose } = tongue.words
  if (filling.notice !== undefined) return alert('bad', notices[filling.notice])
  return Object.keys(filling.problems).length > 0 ? alert('bad', choose.fix) : undefined
}

function way(asking: Asking, kind: AccountKind): Html {
  const { tongue, filling } = asking
  const id = `way-${kind}`
  return html`<div class="way">
<input type="radio" name="way" aria-labelledby="${id}-name" id="${id}" value="${kind}" autocomplete="off"${kind === filling.kind && html` checked`}>
<label for="${id}"><span id="${id}-name">${tongue.words.payout.kinds[kind]}</span></label>
${form(asking, kind)}
</div>`
}

/** The script asks at `check` when a field is left; what the server says when the form is sent is the law. */
function form(asking: Asking, kind: AccountKind): Html {
  const { frame, payout, tongue } = asking
  const { words, locale } = tongue
  const questions = payoutForms[kind].fields.map((field) => questionOf(asking, kind, field))
  return html`<form method="post" action="?" class="fields" data-problems="${problemWords(tongue)}" data-busy="${words.choose.paying}" data-check-at="${frame.own}check">
<input type="hidden" name="kind" value="${kind}">
${group(questions, tongue)}
<button class="button">${words.payout.button(moneyOf(payout.money, locale))}</button>
</form>`
}

function questionOf({ tongue, filling }: Asking, kind: AccountKind, field: PageField): Question {
  const { words } = tongue
  const { name } = field
  const isFilled = kind === filling.kind
  const isAccount = name === 'account'
  return {
    id: `${kind}-${name}`,
    name,
    label: isAccount
      ? words.payout.accounts[kind]
      : labelOf({ ...words.fields, ...words.payout.fields }, name, name),
    value: isFilled && field.secret !== true ? filling.values[name] : undefined,
    problem: isFilled ? filling.problems[name] : undefined,
    hint: labelOf(words.payout.hints, isAccount ? kind : name, ''),
    numeric: field.numeric === true,
    optional: field.optional === true,
    half: field.half === true,
    autocomplete: field.autocomplete,
    choices: choicesOf(field, tongue),
    ...(kind === 'card' && isAccount ? { check: 'cardNo' as const } : {}),
  }
}

function choicesOf({ name, choices }: PageField, { words, locale }: Tongue): Question['choices'] {
  if (name === 'countryCode') return countries(locale)
  return choices?.map((value) => ({ value, label: labelOf(words.choices, `${name}.${value}`, value) }))
}
