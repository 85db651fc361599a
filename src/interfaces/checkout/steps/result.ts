// The result of a payment, and the button back to the shop.
import { moneyOf } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { type Html, html, symbol } from '../../../platform/pages/page.ts'
import type { Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { reasonOf, returnButton, type StepParts } from './parts.ts'

const RETURN_S = 5
/**
 * The time in seconds until the page of an unpaid order goes back to the shop. The payer needs this time to read the
 * reason.
 */
const SLOW_RETURN_S = 15

export function succeeded(parts: StepParts): Step {
  const { done, links } = parts.translation.words
  const text = parts.view.returnUrl === '' ? links.thanks : done.text
  const message = html`${symbol('done')}<h1>${done.heading}</h1><p>${text}</p>`
  return { title: done.title, step: result(message, parts, RETURN_S) }
}

export function failed(parts: StepParts): Step {
  const { words } = parts.translation
  const { title, heading } = words.failed
  return ended(title, heading, reasonOf(parts.view.message, words), parts)
}

export function unpaid(why: 'cancelled' | 'expired', parts: StepParts): Step {
  const { title, heading, text } = parts.translation.words[why]
  return ended(title, heading, text, parts)
}

function ended(title: string, heading: string, why: string, parts: StepParts): Step {
  const message = html`${symbol('failed')}<h1>${heading}</h1><p>${why}</p>`
  return { title, step: result(message, parts, SLOW_RETURN_S) }
}

function result(message: Html, { view, translation }: StepParts, afterS: number): Html {
  const { order, labels } = translation.words
  return html`<div role="status" data-forget>${message}</div>
<dl class="facts"><div><dt>${order.number}</dt><dd><bdi>${view.merOrderNo}</bdi></dd></div>
<div><dt>${labels.amount}</dt><dd>${moneyOf(view.money, translation.locale)}</dd></div></dl>
${returnButton(view.returnUrl, translation, afterS)}
${moreLinks(view, translation)}`
}

/** A link to the receipt of a paid order, or to the payment link of an order that ended unpaid. */
function moreLinks({ status, receipt, paymentLink }: CheckoutView, { words }: Translation): Html | undefined {
  if (receipt !== undefined)
    return html`<a class="button quiet" href="../receipt/${receipt}" data-receipt>${words.links.receipt.title}</a>`
  if (status === 'succeeded' || paymentLink === undefined) return undefined
  return html`<a class="button" href="../link/${paymentLink}">${words.links.again}</a>`
}
