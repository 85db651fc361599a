// The steps that show how to pay in another app: a QR code, a bank transfer or a crypto transfer.

import { moneyOf, plainAmount } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { type Html, html, symbol } from '../../../platform/pages/page.ts'
import { qrPicture } from '../../../platform/pages/qr-picture.ts'
import type { Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { labelOf } from './fields.ts'
import {
  type ActionOf,
  copyButton,
  deadline,
  type Fact,
  facts,
  grouped,
  leaveButtons,
  methodName,
  note,
  partPaid,
  type StepParts,
  stillDue,
  waiting,
} from './parts.ts'

/**
 * The step with a QR code. On a phone, the button that opens the app comes first, because a phone cannot scan its own
 * screen.
 */
export function qr(action: ActionOf<'qr'>, parts: StepParts): Step {
  const { view, translation } = parts
  const { words, locale } = translation
  return {
    title: words.qr.title(methodName(parts)),
    live: true,
    step: html`<h1>${words.qr.heading}</h1>
<p>${adviceFor(view.method, translation)}</p>
${partPaid(parts)}
<div class="scan">
${appButton(action.appUrl, translation)}
<div class="code">${qrPicture(action.qrCode, words.qr.picture)}
<p class="amount">${moneyOf(view.money, locale)}</p>
${deadline(view.expiresAt, translation)}
</div>
${copyButton(action.qrCode, words.qr.copyCode, translation, 'whole')}
</div>
${facts(factsOfQr(action, translation), translation)}
${waiting(translation)}
${leaveButtons(parts)}`,
  }
}

function adviceFor(method: CheckoutView['method'], { words }: Translation): string {
  const advice: Readonly<Record<string, string>> = words.qr.scanWith
  return advice[method ?? 'other'] ?? words.qr.scanWith.other
}

/** The allowed schemes of app links. An app link may also be a web address. */
const appScheme = /^(https?|ethereum|weixin|alipays|gcash):/i

function appButton(appUrl: string | undefined, { words }: Translation): Html | undefined {
  if (appUrl === undefined || !appScheme.test(appUrl)) return undefined
  return html`<a class="button app" href="${appUrl}" rel="noreferrer">${words.qr.openApp}</a>`
}

function factsOfQr(
  { payee, bank, account, reference }: ActionOf<'qr'>,
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

export function transfer(action: ActionOf<'transfer'>, parts: StepParts): Step {
  const { view, translation } = parts
  const { title, heading, text, reference, scan, leave } = translation.words.transfer
  return {
    title,
    live: true,
    step: html`<h1>${heading}</h1>
<p>${text}</p>
${partPaid(parts)}
${facts(factsOfTransfer(action, view, translation), translation)}
${action.reference && html`<p class="soft">${reference}</p>`}
${deadline(view.expiresAt, translation)}
${appButton(action.appUrl, translation)}
${action.qrCode && html`<div class="code"><h2>${scan}</h2>${qrPicture(action.qrCode, translation.words.qr.picture)}</div>`}
${waiting(translation)}
<p class="soft">${leave}</p>
${leaveButtons(parts)}`,
  }
}

/** The names of account numbers, which are the same in every language. */
const schemes: Readonly<Record<string, string>> = { clabe: 'CLABE', cci: 'CCI', iban: 'IBAN' }

function factsOfTransfer(
  action: ActionOf<'transfer'>,
  view: CheckoutView,
  { words, locale }: Translation,
): readonly (Fact | undefined)[] {
  const { labels } = words
  const { account, accountKind, payee, bank, bic, reference } = action
  const due = stillDue(view)
  return [
    { label: labels.amount, value: plainAmount(due), shown: html`${moneyOf(due, locale)}` },
    { label: schemes[accountKind] ?? labels.va, value: account, shown: grouped(account, accountKind) },
    reference === undefined ? undefined : { label: labels.reference, value: reference },
    { label: labels.payee, value: payee },
    bank === undefined ? undefined : { label: labels.bank, value: bank, copies: false },
    bic === undefined ? undefined : { label: 'BIC', value: bic },
  ]
}

export function crypto(action: ActionOf<'crypto'>, parts: StepParts): Step {
  const { view, translation } = parts
  const { words, locale } = translation
  const { coin, coinAmount } = action
  const network = labelOf(words.choices, `network.${action.network}`, action.network)
  if (action.confirmations !== undefined) return confirming(action, network, translation)
  return {
    title: words.crypto.title(coin),
    live: true,
    step: html`<h1>${words.crypto.heading(coin)}</h1>
<p>${words.crypto.exact}</p>
${note(network, words.crypto.warning(coin, network))}
${partPaid(parts)}
<div class="scan">
${appButton(action.appUrl, translation)}
<div class="code">${qrPicture(action.qrCode, words.qr.picture)}
<p class="amount"><bdi>${coinAmount} ${coin}</bdi></p>
<p class="soft">${moneyOf(view.money, locale)}</p>
${deadline(view.expiresAt, translation)}
</div>
</div>
${facts(factsOfCrypto(action, network, translation), translation)}
${waiting(translation)}
${leaveButtons(parts)}`,
  }
}

/** The step while a transfer is being confirmed. The step must not ask for another transfer. */
function confirming(action: ActionOf<'crypto'>, network: string, translation: Translation): Step {
  const { words } = translation
  const { confirmations = 0, confirmationsNeeded, coin } = action
  const text = words.crypto.confirmations(confirmations, confirmationsNeeded)
  return {
    title: words.crypto.title(coin),
    live: true,
    step: html`${symbol('waiting')}
<div role="status"><h1>${words.crypto.seen}</h1>
<p>${text}</p></div>
<progress max="${confirmationsNeeded}" value="${confirmations}" aria-label="${text}"></progress>
${facts(
  factsOfCrypto(action, network, translation).map((fact) => ({ ...fact, copies: false })),
  translation,
)}
<p class="soft">${words.waiting.leave}</p>`,
  }
}

function factsOfCrypto(action: ActionOf<'crypto'>, network: string, { words }: Translation): readonly Fact[] {
  const { coinAmount, coin, account } = action
  const { labels } = words
  return [
    { label: labels.coinAmount, value: coinAmount, shown: html`${coinAmount} ${coin}` },
    { label: labels.address, value: account, shown: html`<span class="address" dir="ltr">${account}</span>` },
    { label: labels.network, value: network, copies: false },
  ]
}
