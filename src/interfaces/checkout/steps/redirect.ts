import type { Translation } from '../../../platform/pages/language.ts'
import { html, webAddress } from '../../../platform/pages/page.ts'
import type { PayerAction } from '../../../rails/contract/channel.ts'
import { wordsOf } from '../../../rails/methods/methods.ts'
import type { PageContext, Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { leaveButtons, waiting } from './parts.ts'

type ActionOf<Kind> = Extract<PayerAction, { readonly kind: Kind }>

/** The script submits the form to the bank's challenge immediately. The button is for browsers without script. */
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
  const name = view.method === undefined ? '' : wordsOf(view.method, words).name
  const { heading, text, button } = words.redirect
  const url = webAddress(action.url)
  const isAutomatic = context.autoContinue === true
  // A wallet that requires our origin gets a Referer, by the page's referrer policy. Other wallets get none.
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
  const name = view.method === undefined ? '' : wordsOf(view.method, words).name
  return {
    title: words.redirect.heading(name),
    live: true,
    step: html`<h1>${words.redirect.heading(name)}</h1>
${waiting(translation)}
${leaveButtons(context, view, translation)}`,
  }
}
