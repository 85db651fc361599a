// How the payer wants to pay. Each way is a form of its own under its radio button, unfolded by the style alone, so that it works
// without script and no way's fields get into another's. Each form names the number of attempts that it was made for.
import { moneyOf } from '../../pages/amount.ts'
import type { Tongue } from '../../pages/language.ts'
import { type Html, html } from '../../pages/page.ts'
import type { Filling } from '../filling.ts'
import type { Frame, Step } from '../framed-page.ts'
import type { CheckoutView, MethodChoice } from '../view.ts'
import { askedQuestions } from './asked-fields.ts'
import { cardQuestions } from './card-fields.ts'
import { group, problemWords } from './fields.ts'
import { markFor } from './marks.ts'
import { alert } from './notes.ts'
import { reasonOf } from './reason.ts'
import { cancelForm } from './ways.ts'

type Asking = {
  readonly frame: Frame
  readonly view: CheckoutView
  readonly tongue: Tongue
  readonly filling: Filling
}

const untouched: Filling = { values: {}, problems: {} }

export function choose(frame: Frame, view: CheckoutView, tongue: Tongue, filling: Filling): Step {
  const { words, locale } = tongue
  const asking = { frame, view, tongue, filling }
  const [only, ...others] = view.choices
  const ways = only !== undefined && others.length === 0 ? oneWay(asking, only) : manyWays(asking)
  return {
    title: words.choose.pay(moneyOf(view.money, locale)),
    step: html`${trouble(asking)}
${only === undefined ? alert('bad', words.notices.unavailable) : ways}
<div class="more">${cancelForm(frame, view, tongue)}</div>`,
  }
}

/** What went wrong before, and what must be put right now. */
function trouble({ view, tongue, filling }: Asking): Html | undefined {
  const { words } = tongue
  const { notice, problems } = filling
  if (notice !== undefined) return alert('bad', words.notices[notice])
  if (Object.keys(problems).length > 0)
    return alert('bad', words.choose.fix, filling.method === 'card' ? words.choose.retype : undefined)
  if (view.message === '') return undefined
  return alert('bad', words.failed.heading, `${reasonOf(view.message, words)} ${words.choose.again}`)
}

function oneWay(asking: Asking, choice: MethodChoice): Html {
  const { words } = asking.tongue
  const { name } = words.methods[choice.method]
  return html`<h1>${words.choose.oneWay(name)}</h1>${form(asking, choice)}`
}

function manyWays(asking: Asking): Html {
  const { view, tongue, filling } = asking
  const chosen = view.choices.find(({ method }) => method === filling.method) ?? view.choices[0]
  return html`<fieldset class="ways"><legend><h1>${tongue.words.choose.title}</h1></legend>
${view.choices.map((choice) => way(asking, choice, choice === chosen))}
</fieldset>`
}

function way(asking: Asking, choice: MethodChoice, isChosen: boolean): Html {
  const id = `way-${choice.method}`
  return html`<div class="way">
<input type="radio" name="way" aria-labelledby="${id}-name" id="${id}" value="${choice.method}" autocomplete="off"${isChosen && html` checked`}>
<label for="${id}">${markFor(choice.method)}<span id="${id}-name">${asking.tongue.words.methods[choice.method].name}</span></label>
${form(asking, choice)}
</div>`
}

function form(asking: Asking, choice: MethodChoice): Html {
  const { frame, view, tongue } = asking
  const { words, locale } = tongue
  const { advice } = words.methods[choice.method]
  return html`<form method="post" action="${frame.own}pay" class="fields"${problemData(choice, tongue)} data-busy="${words.choose.paying}">
<input type="hidden" name="method" value="${choice.method}"><input type="hidden" name="attempt" value="${view.attempts}">
${advice !== '' && html`<p class="advice">${advice}</p>`}
${questions(asking, choice)}
<button class="button">${words.choose.pay(moneyOf(view.money, locale))}</button>
</form>`
}

/** Only a form that asks something has problems to tell. */
function problemData({ method, asks }: MethodChoice, tongue: Tongue): Html | undefined {
  if (method !== 'card' && asks.length === 0) return undefined
  return html` data-problems="${problemWords(tongue)}"`
}

function questions({ tongue, ...asking }: Asking, choice: MethodChoice): Html {
  const filling = choice.method === (asking.filling.method ?? choice.method) ? asking.filling : untouched
  const { card, billing, details } = tongue.words.choose
  const isCard = choice.method === 'card'
  const asked = askedQuestions(choice, tongue, filling)
  const heading = isCard ? billing : details
  return html`${isCard && section(card, group(cardQuestions(tongue, filling), tongue))}
${asked.length > 0 && section(heading, group(asked, tongue))}`
}

function section(title: string, fields: Html): Html {
  return html`<fieldset class="section"><legend>${title}</legend>${fields}</fieldset>`
}
