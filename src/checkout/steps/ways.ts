// The ways out of a step: another way to pay, giving up, and back to the shop.
import type { Tongue } from '../../pages/language.ts'
import { type Html, html, webLink } from '../../pages/page.ts'
import type { Frame } from '../framed-page.ts'
import type { CheckoutView } from '../view.ts'

export function waysOut(frame: Frame, view: CheckoutView, tongue: Tongue): Html {
  return html`<div class="more">
${view.maySwitch && smallForm(`${frame.own}switch`, view, tongue.words.ways.another)}
${cancelForm(frame, view, tongue)}
</div>`
}

export function cancelForm(frame: Frame, view: CheckoutView, { words }: Tongue): Html | undefined {
  return view.mayCancel ? smallForm(`${frame.own}cancel`, view, words.ways.cancel) : undefined
}

/** Names the number of attempts that it was made for: an old page gives up nothing of a later one. */
function smallForm(action: string, { attempts }: CheckoutView, label: string): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="attempt" value="${attempts}"><button class="link">${label}</button></form>`
}

/** Back by itself after so many seconds, unless the payer would rather stay. */
export function wayBack(returnUrl: string, { words }: Tongue, afterS: number): Html | undefined {
  const link = webLink(returnUrl)
  if (link === undefined) return undefined
  return html`<a class="button" href="${link}" rel="noreferrer" data-auto-return="${afterS}">${words.ways.back}</a>
<p class="timer"><span data-timer="${words.ways.backIn('{}')}"></span> <button type="button" class="link" data-stay hidden>${words.ways.stay}</button></p>`
}
