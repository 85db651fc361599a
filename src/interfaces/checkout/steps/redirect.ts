import { type Html, html, webAddress } from '../../../platform/pages/page.ts'
import type { Step } from '../page-layout.ts'
import { type ActionOf, alert, leaveButtons, methodName, type StepParts, waiting } from './parts.ts'

/**
 * The step that sends the payer to the bank's challenge. The script submits the form immediately. Without script, the
 * payer presses the button. If our page is in a frame of the shop's page, the script opens the bank's page in a dialog.
 */
export function challenge(action: ActionOf<'challenge'>, parts: StepParts): Step {
  const { title, heading, text, button } = parts.translation.words.challenge
  const { autoContinue, isFramed = false } = parts.context
  const isAutomatic = autoContinue !== false
  const target = isFramed ? 'bank' : undefined
  return {
    title,
    live: isFramed || !isAutomatic,
    step: html`<h1>${heading}</h1>
<p>${text}</p>
${!isAutomatic && stillOpen(parts)}
${formTo(action.acsUrl, { creq: action.creq }, { button, isAutomatic, target })}
${leaveButtons(parts)}
${isFramed && bankDialog(parts)}`,
  }
}

/** The note for a payer who left the bank's page without a decision. */
function stillOpen({ translation: { words } }: StepParts): Html {
  const { heading, text } = words.challenge.open
  return alert('wait', heading, text)
}

/**
 * The dialog in which the script opens the bank's page. If the bank refuses frames, the dialog's link opens the
 * challenge in the whole window.
 */
function bankDialog(parts: StepParts): Html {
  const { challenge: words, choose } = parts.translation.words
  const { title, frame, back, empty, instead } = words
  return html`<dialog aria-labelledby="bank-title" data-frame="${frame}" data-back="${back}">
<h2 id="bank-title" tabindex="-1">${title}</h2>
<p class="waiting" role="status">${choose.paying}</p>
<p class="soft">${empty} <a class="link" href="?go" target="_top">${instead}</a></p>
<template>${stillOpen(parts)}</template>
</dialog>`
}

type FormTo = { readonly button: string; readonly isAutomatic: boolean; readonly target?: string | undefined }

function formTo(
  url: string,
  fields: Readonly<Record<string, string>>,
  { button, isAutomatic, target }: FormTo,
): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return html`<form method="post" action="${url}"${target && html` target="${target}"`}${isAutomatic && html` data-auto-submit`}>
${inputs}<button class="button">${button}</button>
</form>`
}

export function redirect(action: ActionOf<'redirect'>, parts: StepParts): Step {
  const name = methodName(parts)
  const { heading, text, button } = parts.translation.words.redirect
  const url = webAddress(action.url)
  const isAutomatic = parts.context.autoContinue === true
  // A wallet that requires our origin gets it by the page's referrer policy. Other wallets get no Referer.
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
${leaveButtons(parts)}`,
  }
}

/**
 * The step of a payment in the merchant's app. The payer confirms the payment in the app, so this page has no button to
 * continue.
 */
export function inApp(parts: StepParts): Step {
  const title = parts.translation.words.redirect.heading(methodName(parts))
  return {
    title,
    live: true,
    step: html`<h1>${title}</h1>
${waiting(parts.translation)}
${leaveButtons(parts)}`,
  }
}
