// Sends the payer's browser to the bank or the wallet.
import type { PayerAction } from '../../channels/contract.ts'
import type { Translation } from '../../pages/language.ts'
import { html, webAddress } from '../../pages/page.ts'
import type { PageContext, Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { leaveButtons } from './leave-buttons.ts'
import { waiting } from './waiting.ts'

type ActionOf<Kind> = Extract<PayerAction, { readonly kind: Kind }>

/** The script submits the form immediately; the button is for browsers without script. */
export function challenge(
  action: ActionOf<'challenge'>,
  context: PageContext,
  view: CheckoutView,
  translation: Translation,
): Step {
  const { title, heading, text, button } = translation.words.challenge
  return {
    title,
    step: html`<h1>${heading}</h1>
<p>${text}</p>
${formTo(action.acsUrl, { creq: action.creq }, { button, isAutomatic: true })}
${leaveButtons(context, view, translation)}`,
  }
}

type FormTo = { readonly button: string; readonly isAutomatic: boolean }

function formTo(url: string, fields: Readonly<Record<string, string>>, { button, isAutomatic }: FormTo) {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return html`<form method="post" action="${url}"${isAutomatic && html` data-auto-submit`}>
${inputs}<button class="button">${button}</button>
</form>`
}

export function redirect(
  action: ActionOf<'redirect'>,
  context: PageContext,
  view: CheckoutView,
  translation: Translation,
): Step {
  const { words } = translation
  const name = view.method === undefined ? '' : words.methods[view.method].name
  const { heading, text, button } = words.redirect
  const url = webAddress(action.url)
  const isAutomatic = context.autoContinue === true
  // A wallet that requires our origin as Referer gets it by the page's policy; others get nothing.
  const rel = action.referrer === undefined && html` rel="noreferrer"`
  const link =
    url &&
    html`<a class="button" href="${url.href}"${rel}${isAutomatic && html` data-auto-go`}>${button(name)}</a>`
  const { fields } = action
  return {
    title: heading(name),
    live: true,
    step: html`<h1>${heading(name)}</h1>
<p>${text}</p>
${url && fields !== undefined ? formTo(url.href, fields, { button: button(name), isAutomatic }) : link}
${leaveButtons(context, view, translation)}`,
  }
}

/** The payer confirms in the merchant's app, so this page has no button. */
export function inApp(context: PageContext, view: CheckoutView, translation: Translation): Step {
  const { words } = translation
  const name = view.method === undefined ? '' : words.methods[view.method].name
  return {
    title: words.redirect.heading(name),
    live: true,
    step: html`<h1>${words.redirect.heading(name)}</h1>
${waiting(translation)}
${leaveButtons(context, view, translation)}`,
  }
}
