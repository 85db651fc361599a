// The beneficiary's pages of a CheckOut payout: enter an account, wait, or see the result.
import { moneyOf } from '../../pages/amount.ts'
import type { Translation } from '../../pages/language.ts'
import { type Html, html, symbol, webLink } from '../../pages/page.ts'
import type { Problems } from '../form/form-state.ts'
import { brandBar } from '../order-summary.ts'
import { messagePage, type PageContext, page, type Step, translationFor } from '../page-layout.ts'
import { sentence } from '../steps/reason.ts'
import { askAccount } from './ask-account.ts'
import type { PayoutFormState, PayoutView } from './payout-view.ts'

export function payoutPage(context: PageContext, payout: PayoutView, formState: PayoutFormState): string {
  const translation = translationFor(context, payout.language)
  const { merchant, money } = payout
  const { paysYou } = translation.words.order
  return page(context, translation, stepOf(context, payout, translation, formState), {
    brand: merchant,
    bar: brandBar(context, merchant, paysYou(merchant.name), moneyOf(money, translation.locale)),
    items: items(payout, translation),
    live: { version: payout.status },
  })
}

export function missingPayoutPage(context: PageContext): string {
  return messagePage(context, translationFor(context), translationFor(context).words.payout.missing)
}

export function brokenPayoutPage(context: PageContext): string {
  const { broken, payout } = translationFor(context).words
  return messagePage(context, translationFor(context), { ...broken, text: payout.broken })
}

/** For the script, which checks while the account is typed: the problems in the reader's language. */
export function problemTexts(
  context: PageContext,
  payout: PayoutView,
  problems: Problems,
): Record<string, string> {
  const { words } = translationFor(context, payout.language)
  return Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [name, words.problems[problem]]),
  )
}

function stepOf(
  context: PageContext,
  payout: PayoutView,
  translation: Translation,
  formState: PayoutFormState,
): Step {
  switch (payout.status) {
    case 'asks-account':
      return askAccount(context, payout, translation, formState)
    case 'processing':
      return waiting(payout, translation)
    case 'succeeded':
      return succeeded(payout, translation)
    case 'failed':
      return failed(payout, translation)
  }
}

function waiting({ accountMasked }: PayoutView, { words }: Translation): Step {
  const { way, wayTo, leave } = words.payout
  return {
    title: way.title,
    live: true,
    step: html`${symbol('waiting')}
<div role="status"><h1>${way.heading}</h1>
<p>${wayTo(endOf(accountMasked))}</p></div>
<p class="soft">${leave}</p>`,
  }
}

function succeeded(payout: PayoutView, translation: Translation): Step {
  const { sent, sentTo } = translation.words.payout
  return {
    title: sent.title,
    step: html`<div role="status">${symbol('done')}<h1>${sent.heading}</h1>
<p>${sentTo(endOf(payout.accountMasked))}</p></div>
${returnButton(payout, translation)}`,
  }
}

function failed(payout: PayoutView, translation: Translation): Step {
  const { failed: texts, sendAgain } = translation.words.payout
  return {
    title: texts.title,
    step: html`<div role="status">${symbol('failed')}<h1>${texts.heading}</h1>
<p>${sentence(payout.message)} ${sendAgain(payout.merchant.name)}</p></div>
${returnButton(payout, translation)}`,
  }
}

function returnButton({ returnUrl, merchant }: PayoutView, { words }: Translation): Html | undefined {
  const link = webLink(returnUrl)
  if (link === undefined) return undefined
  return html`<a class="button" href="${link}" rel="noreferrer">${words.payout.goTo(merchant.name)}</a>`
}

function endOf(masked: string): string {
  return masked.slice(masked.indexOf('…') + 1)
}

function items(payout: PayoutView, { words }: Translation): Html {
  const { beneficiary, number, payout: name } = words.order
  return html`<div class="facing"><dl class="sum"><div><dt>${beneficiary}</dt><dd><bdi>${payout.beneficiary}</bdi></dd></div>
<div><dt>${number}</dt><dd><bdi>${payout.merOrderNo}</bdi></dd></div>
<div><dt>${name}</dt><dd><bdi>${payout.tradeNo}</bdi></dd></div></dl></div>`
}
