// The step of a crypto transfer: the exact amount, the address, and the only network to use.

import { moneyOf } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { html, symbol } from '../../../platform/pages/page.ts'
import { qrPicture } from '../../../platform/pages/qr-picture.ts'
import type { PayerAction } from '../../../rails/contract/channel.ts'
import type { PageContext, Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'
import { labelOf } from './fields.ts'
import { deadline, type Fact, facts, leaveButtons, note, partPaid, waiting } from './parts.ts'
import { appButton } from './qr.ts'

export type CryptoAction = Extract<PayerAction, { readonly kind: 'crypto' }>

export function crypto(
  action: CryptoAction,
  context: PageContext,
  view: CheckoutView,
  translation: Translation,
): Step {
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
${partPaid(view, translation)}
<div class="scan">
${appButton(action.appUrl, translation)}
<div class="code">${qrPicture(action.qrCode, words.qr.picture)}
<p class="amount"><bdi>${coinAmount} ${coin}</bdi></p>
<p class="soft">${moneyOf(view.money, locale)}</p>
${deadline(view.expiresAt, translation)}
</div>
</div>
${facts(factsOf(action, network, translation), translation)}
${waiting(translation)}
${leaveButtons(context, view, translation)}`,
  }
}

/** While a transfer is being confirmed, the page must not ask for another transfer. */
function confirming(action: CryptoAction, network: string, translation: Translation): Step {
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
  factsOf(action, network, translation).map((fact) => ({ ...fact, copies: false })),
  translation,
)}
<p class="soft">${words.waiting.leave}</p>`,
  }
}

function factsOf(action: CryptoAction, network: string, { words }: Translation): readonly Fact[] {
  const { coinAmount, coin, account } = action
  const { labels } = words
  return [
    { label: labels.coinAmount, value: coinAmount, shown: html`${coinAmount} ${coin}` },
    { label: labels.address, value: account, shown: html`<span class="address" dir="ltr">${account}</span>` },
    { label: labels.network, value: network, copies: false },
  ]
}
