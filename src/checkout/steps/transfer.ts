// A bank transfer: the details to enter, each with a copy button, and a QR code for apps that scan.
import type { PayerAction } from '../../channels/contract.ts'
import { moneyOf, plainAmount } from '../../pages/amount.ts'
import type { Tongue } from '../../pages/language.ts'
import { html } from '../../pages/page.ts'
import { qrPicture } from '../../pages/qr-picture.ts'
import type { PageContext, Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { deadline } from './deadline.ts'
import { type Fact, facts, grouped } from './facts.ts'
import { leaveButtons } from './leave-buttons.ts'
import { partPaid, stillDue } from './part-paid.ts'
import { appButton } from './qr.ts'
import { waiting } from './waiting.ts'

export type TransferAction = Extract<PayerAction, { readonly kind: 'transfer' }>

export function transfer(
  action: TransferAction,
  context: PageContext,
  view: CheckoutView,
  tongue: Tongue,
): Step {
  const { title, heading, text, reference, scan, leave } = tongue.words.transfer
  return {
    title,
    live: true,
    step: html`<h1>${heading}</h1>
<p>${text}</p>
${partPaid(view, tongue)}
${facts(factsOf(action, view, tongue), tongue)}
${action.reference && html`<p class="soft">${reference}</p>`}
${deadline(view.expiresAt, tongue)}
${appButton(action.appUrl, tongue)}
${action.qrCode && html`<div class="code"><h2>${scan}</h2>${qrPicture(action.qrCode, tongue.words.qr.picture)}</div>`}
${waiting(tongue)}
<p class="soft">${leave}</p>
${leaveButtons(context, view, tongue)}`,
  }
}

/** Proper names, the same in every language. */
const schemes: Readonly<Record<string, string>> = { clabe: 'CLABE', cci: 'CCI', iban: 'IBAN' }

function factsOf(
  action: TransferAction,
  view: CheckoutView,
  { words, locale }: Tongue,
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
