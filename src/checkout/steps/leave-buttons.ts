// The buttons that leave a step: another method, cancel, and return to the shop.
import type { Translation } from '../../pages/language.ts'
import { type Html, html, webLink } from '../../pages/page.ts'
import type { PageContext } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'

export function leaveButtons(context: PageContext, view: CheckoutView, translation: Translation): Html {
  return html`<div class="more">
${view.maySwitch && smallForm(`${context.basePath}switch`, view, translation.words.ways.another)}
${cancelForm(context, view, translation)}
</div>`
}

export function cancelForm(
  context: PageContext,
  view: CheckoutView,
  { words }: Translation,
): Html | undefined {
  const label = view.returnUrl === '' ? words.links.cancel : words.ways.cancel
  return view.mayCancel ? smallForm(`${context.basePath}cancel`, view, label) : undefined
}

/** Carries the number of attempts it was made for, so that an old page cannot cancel a later attempt. */
function smallForm(action: string, { attempts }: CheckoutView, label: string): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="attempt" value="${attempts}"><button class="link">${label}</button></form>`
}

/** Returns to the shop after this many seconds, unless the payer chooses to stay. */
export function returnButton(returnUrl: string, { words }: Translation, afterS: number): Html | undefined {
  const link = webLink(returnUrl)
  if (link === undefined) return undefined
  return html`<a class="button" href="${link}" rel="noreferrer" data-auto-return="${afterS}">${words.ways.back}</a>
<p class="timer"><span data-timer="${words.ways.backIn('{}')}"></span> <button type="button" class="link" data-stay hidden>${words.ways.stay}</button></p>`
}
