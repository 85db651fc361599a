// The beneficiary's pages for a CheckOut payout: say where the money goes, wait, or the result.
import { moneyOf } from '../pages/amount.ts'
import type { Tongue } from '../pages/language.ts'
import { type Html, html, symbol, webLink } from '../pages/page.ts'
import type { Problems } from './filling.ts'
import { type Frame, lonePage, page, type Step, tongueFor } from './framed-page.ts'
import type { Filling, PayoutView } from './payout-view.ts'
import { askAccount } from './steps/ask-account.ts'
import { sentence } from './steps/reason.ts'
import { brandBar } from './summary.ts'

export function payoutPage(frame: Frame, payout: PayoutView, filling: Filling): string {
  const tongue = tongueFor(frame, payout.language)
  const { merchant, money } = payout
  const { paysYou } = tongue.words.order
  return page(frame, tongue, stepOf(frame, payout, tongue, filling), {
    brand: merchant,
    bar: brandBar(frame, merchant, paysYou(merchant.name), moneyOf(money, tongue.locale)),
    items: items(payout, tongue),
    live: { mark: payout.status },
  })
}

export function missingPayoutPage(frame: Frame): string {
  return lonePage(frame, tongueFor(frame), tongueFor(frame).words.payout.missing)
}

export function brokenPayoutPage(frame: Frame): string {
  const { broken, payout } = tongueFor(frame).words
  return lonePage(frame, tongueFor(frame), { ...broken, text: payout.broken })
}

/** For the script, which asks while the account is being typed: what is wrong, in the reader's words. */
export function problemTexts(frame: Frame, payout: PayoutView, problems: Problems): Record<string, string> {
  const { words } = tongueFor(frame, payout.language)
  return Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [name, words.problems[problem]]),
  )
}

function stepOf(frame: Frame, payout: PayoutView, tongue: Tongue, filling: Filling): Step {
  switch (payout.status) {
    case 'asks-account':
      return askAccount(frame, payout, tongue, filling)
    case 'processing':
      return waiting(payout, tongue)
    case 'succeeded':
      return succeeded(payout, tongue)
    case 'failed':
      return failed(payout, tongue)
  }
}

function waiting({ accountMasked }: PayoutView, { words }: Tongue): Step {
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

function succeeded(payout: PayoutView, tongue: Tongue): Step {
  const { sent, sentTo } = tongue.words.payout
  return {
    title: sent.title,
    step: html`<div role="status">${symbol('done')}<h1>${sent.heading}</h1>
<p>${sentTo(endOf(payout.accountMasked))}</p></div>
${wayBack(payout, tongue)}`,
  }
}

function failed(payout: PayoutView, tongue: Tongue): Step {
  const { failed: said, anew } = tongue.words.payout
  return {
    title: said.title,
    step: html`<div role="status">${symbol('failed')}<h1>${said.heading}</h1>
<p>${sentence(payout.message)} ${anew(payout.merchant.name)}</p></div>
${wayBack(payout, tongue)}`,
  }
}

function wayBack({ returnUrl, merchant }: PayoutView, { words }: Tongue): Html | undefined {
  const link = webLink(returnUrl)
  if (link === undefined) return undefined
  return html`<a class="button" href="${link}" rel="noreferrer">${words.payout.goTo(merchant.name)}</a>`
}

function endOf(masked: string): string {
  return masked.slice(masked.indexOf('…') + 1)
}

function items(payout: PayoutView, { words }: Tongue): Html {
  const { beneficiary, number, payout: name } = words.order
  return html`<div class="facing"><dl class="sum"><div><dt>${beneficiary}</dt><dd><bdi>${payout.beneficiary}</bdi></dd></div>
<div><dt>${number}</dt><dd><bdi>${payout.merOrderNo}</bdi></dd></div>
<div><dt>${name}</dt><dd><bdi>${payout.tradeNo}</bdi></dd></div></dl></div>`
}
