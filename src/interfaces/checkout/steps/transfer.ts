// The step of a bank transfer: the details to enter, each with a copy button, and a QR code for apps that scan.

import { moneyOf, plainAmount } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { html } from '../../../platform/pages/page.ts'
import { qrPicture } from '../../../platform/pages/qr-picture.ts'
import type { PayerAction } from '../../../rails/contract/channel.ts'
import type { PageContext, Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { deadline, type Fact, facts, grouped, leaveButtons, partPaid, stillDue, waiting } from './parts.ts'
import { appButton } from './qr.ts'

export type TransferAction = Extract<PayerAction, { readonly kind: 'transfer' }>

export function transfer(
  action: TransferAction,
  context: PageContext,
  view: CheckoutView,
  translation: Translation,
): Step {
  const { title, heading, text, reference, scan, leave } = translation.words.transfer
  return {
    title,
    live: true,
    step: html`<h1>${heading}</h1>
<p>${text}</p>
${partPaid(view, translation)}
${facts(factsOf(action, view, translation), translation)}
${action.reference && html`<p class="soft">${reference}</p>`}
${deadline(view.expiresAt, translation)}
${appButton(action.appUrl, translation)}
${action.qrCode && html`<div class="code"><h2>${scan}</h2>${qrPicture(action.qrCode, translation.words.qr.picture)}</div>`}
${waiting(translation)}
<p class="soft">${leave}</p>
${leaveButtons(context, view, translation)}`,
  }
}

/** The names of account numbers, which are the same in every language. */
const schemes: Readonly<Record<string, string>> = { clabe: 'CLABE', cci: 'CCI', iban: 'IBAN' }

function factsOf(
  action: TransferAction,
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
