// On to the bank or the wallet, in the payer's own browser.
import type { PayerAction } from '../../channels/contract.ts'
import type { Tongue } from '../../pages/language.ts'
import { html, webAddress } from '../../pages/page.ts'
import type { Frame, Step } from '../framed-page.ts'
import type { CheckoutView } from '../view.ts'
import { waiting } from './waiting.ts'
import { waysOut } from './ways.ts'

type ActionOf<Kind> = Extract<PayerAction, { readonly kind: Kind }>

/** Submitted by the script at once; the button is for browsers without. */
export function challenge(
  action: ActionOf<'challenge'>,
  frame: Frame,
  view: CheckoutView,
  tongue: Tongue,
): Step {
  const { title, heading, text, button } = tongue.words.challenge
  return {
    title,
    step: html`<h1>${heading}</h1>
<p>${text}</p>
<form method="post" action="${action.acsUrl}" data-auto-submit>
<input type="hidden" name="creq" value="${action.creq}">
<button class="button">${button}</button>
</form>
${waysOut(frame, view, tongue)}`,
  }
}

export function redirect(
  action: ActionOf<'redirect'>,
  frame: Frame,
  view: CheckoutView,
  tongue: Tongue,
): Step {
  const { words } = tongue
  const name = view.method === undefined ? '' : words.methods[view.method].name
  const { heading, text, button } = words.redirect
  const url = webAddress(action.url)
  // A wallet that looks for our origin in the Referer gets it from the page's own policy; others learn nothing.
  const rel = action.referrer === undefined && html` rel="noreferrer"`
  return {
    title: heading(name),
    live: true,
    step: html`<h1>${heading(name)}</h1>
<p>${text}</p>
${url && html`<a class="button" href="${url.href}"${rel}${frame.leadsOn && html` data-auto-go`}>${button(name)}</a>`}
${waysOut(frame, view, tongue)}`,
  }
}

/** The payer confirms in the merchant's app, which was given what to do; here is nothing to press. */
export function inApp(frame: Frame, view: CheckoutView, tongue: Tongue): Step {
  const { words } = tongue
  const name = view.method === undefined ? '' : words.methods[view.method].name
  return {
    title: words.redirect.heading(name),
    live: true,
    step: html`<h1>${words.redirect.heading(name)}</h1>
${waiting(tongue)}
${waysOut(frame, view, tongue)}`,
  }
}
