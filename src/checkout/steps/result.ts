// The result: one symbol, one sentence, order and amount, and the button back to the shop.
import { moneyOf } from '../../pages/amount.ts'
import type { Tongue } from '../../pages/language.ts'
import { type Html, html, symbol } from '../../pages/page.ts'
import type { Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { returnButton } from './leave-buttons.ts'
import { reasonOf } from './reason.ts'

const RETURN_S = 5
/** Longer, because the payer has a reason to read. */
const SLOW_RETURN_S = 15

export function succeeded(view: CheckoutView, tongue: Tongue): Step {
  const { title, heading, text } = tongue.words.done
  return {
    title,
    step: result(html`${symbol('done')}<h1>${heading}</h1><p>${text}</p>`, view, tongue, RETURN_S),
  }
}

export function failed(view: CheckoutView, tongue: Tongue): Step {
  const { title, heading } = tongue.words.failed
  const why = reasonOf(view.message, tongue.words)
  return ended(title, heading, why, view, tongue)
}

export function unpaid(why: 'cancelled' | 'expired', view: CheckoutView, tongue: Tongue): Step {
  const { title, heading, text } = tongue.words[why]
  return ended(title, heading, text, view, tongue)
}

function ended(title: string, heading: string, why: string, view: CheckoutView, tongue: Tongue): Step {
  const message = html`${symbol('failed')}<h1>${heading}</h1><p>${why}</p>`
  return { title, step: result(message, view, tongue, SLOW_RETURN_S) }
}

function result(message: Html, view: CheckoutView, tongue: Tongue, afterS: number): Html {
  const { order, labels } = tongue.words
  return html`<div role="status">${message}</div>
<dl class="facts"><div><dt>${order.number}</dt><dd><bdi>${view.merOrderNo}</bdi></dd></div>
<div><dt>${labels.amount}</dt><dd>${moneyOf(view.money, tongue.locale)}</dd></div></dl>
${returnButton(view.returnUrl, tongue, afterS)}`
}
