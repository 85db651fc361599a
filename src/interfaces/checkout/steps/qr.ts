// The step with a QR code to scan. On a phone the app button comes first, because a phone cannot scan its own screen.

import { moneyOf } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import { qrPicture } from '../../../platform/pages/qr-picture.ts'
import type { PayerAction } from '../../../rails/contract/channel.ts'
import { wordsOf } from '../../../rails/methods/methods.ts'
import type { PageContext, Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { copyButton, deadline, type Fact, facts, leaveButtons, partPaid, waiting } from './parts.ts'

export type QrAction = Extract<PayerAction, { readonly kind: 'qr' }>

export function qr(
  action: QrAction,
  context: PageContext,
  view: CheckoutView,
  translation: Translation,
): Step {
  const { words, locale } = translation
  const name = view.method === undefined ? '' : wordsOf(view.method, words).name
  return {
    title: words.qr.title(name),
    live: true,
    step: html`<h1>${words.qr.heading}</h1>
<p>${adviceFor(view.method, translation)}</p>
${partPaid(view, translation)}
<div class="scan">
${appButton(action.appUrl, translation)}
<div class="code">${qrPicture(action.qrCode, words.qr.picture)}
<p class="amount">${moneyOf(view.money, locale)}</p>
${deadline(view.expiresAt, translation)}
</div>
${copyButton(action.qrCode, words.qr.copyCode, translation, 'whole')}
</div>
${facts(factsOf(action, translation), translation)}
${waiting(translation)}
${leaveButtons(context, view, translation)}`,
  }
}

function adviceFor(method: CheckoutView['method'], { words }: Translation): string {
  const advice: Readonly<Record<string, string>> = words.qr.scanWith
  return advice[method ?? 'other'] ?? words.qr.scanWith.other
}

/** App links are web addresses or use one of these schemes. */
const appScheme = /^(https?|ethereum|weixin|alipays|gcash):/i

export function appButton(appUrl: string | undefined, { words }: Translation): Html | undefined {
  if (appUrl === undefined || !appScheme.test(appUrl)) return undefined
  return html`<a class="button app" href="${appUrl}" rel="noreferrer">${words.qr.openApp}</a>`
}

function factsOf(
  { payee, bank, account, reference }: QrAction,
  { words }: Translation,
): readonly (Fact | undefined)[] {
  const { labels } = words
  return [
    payee === undefined ? undefined : { label: labels.payee, value: payee, copies: false },
    bank === undefined ? undefined : { label: labels.bank, value: bank, copies: false },
    account === undefined ? undefined : { label: labels.account, value: account },
    reference === undefined ? undefined : { label: labels.reference, value: reference },
  ]
}
