// A code to scan. On a phone the app comes first, since a screen cannot scan itself.
import type { PayerAction } from '../../channels/contract.ts'
import { moneyOf } from '../../pages/amount.ts'
import type { Tongue } from '../../pages/language.ts'
import { type Html, html } from '../../pages/page.ts'
import { qrPicture } from '../../pages/qr-picture.ts'
import type { Frame, Step } from '../framed-page.ts'
import type { CheckoutView } from '../view.ts'
import { deadline } from './deadline.ts'
import { copyButton, type Fact, facts } from './facts.ts'
import { partPaid } from './part-paid.ts'
import { waiting } from './waiting.ts'
import { waysOut } from './ways.ts'

export type QrAction = Extract<PayerAction, { readonly kind: 'qr' }>

export function qr(action: QrAction, frame: Frame, view: CheckoutView, tongue: Tongue): Step {
  const { words, locale } = tongue
  const name = view.method === undefined ? '' : words.methods[view.method].name
  return {
    title: words.qr.title(name),
    live: true,
    step: html`<h1>${words.qr.heading}</h1>
<p>${adviceFor(view.method, tongue)}</p>
${partPaid(view, tongue)}
<div class="scan">
${appButton(action.appUrl, tongue)}
<div class="code">${qrPicture(action.qrCode, words.qr.picture)}
<p class="amount">${moneyOf(view.money, locale)}</p>
${deadline(view.expiresAt, tongue)}
</div>
${copyButton(action.qrCode, words.qr.copyCode, tongue, 'whole')}
</div>
${facts(factsOf(action, tongue), tongue)}
${waiting(tongue)}
${waysOut(frame, view, tongue)}`,
  }
}

function adviceFor(method: CheckoutView['method'], { words }: Tongue): string {
  const advice: Readonly<Record<string, string>> = words.qr.scanWith
  return advice[method ?? 'other'] ?? words.qr.scanWith.other
}

/** Apps are opened by addresses of the web or by the few schemes of their own that we know. */
const appScheme = /^(https?|ethereum|weixin|alipays|gcash):/i

export function appButton(appUrl: string | undefined, { words }: Tongue): Html | undefined {
  if (appUrl === undefined || !appScheme.test(appUrl)) return undefined
  return html`<a class="button app" href="${appUrl}" rel="noreferrer">${words.qr.openApp}</a>`
}

function factsOf(
  { payee, bank, account, reference }: QrAction,
  { words }: Tongue,
): readonly (Fact | undefined)[] {
  const { labels } = words
  return [
    payee === undefined ? undefined : { label: labels.payee, value: payee, copies: false },
    bank === undefined ? undefined : { label: labels.bank, value: bank, copies: false },
    account === undefined ? undefined : { label: labels.account, value: account },
    reference === undefined ? undefined : { label: labels.reference, value: reference },
  ]
}
