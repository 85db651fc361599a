// The ways to pay a pending order: a code to scan, an account to transfer to, or the gateway's page.
import { type Html, html, webLink } from '../../src/platform/pages/page.ts'
import { qrPicture } from '../../src/platform/pages/qr-picture.ts'
import type { ShopOrder } from '../orders.ts'
import { shown } from '../prices.ts'

export function payHere(order: ShopOrder): Html {
  const { answer, number, paidAt, money } = order
  const payUrl = webLink(answer?.payUrl ?? '')
  if (answer === undefined || payUrl === undefined)
    return html`<p class="note wait-note">The answer with the payment page was lost. If nothing is paid, the order expires and
nothing is charged.</p>`
  if (paidAt === 'page') return html`<a class="button" href="${payUrl}">Continue to payment</a>`
  // The gateway's script opens the page in a window. Without the script, the button is an ordinary link.
  if (paidAt === 'window')
    return html`<a class="button" data-tollgate href="${payUrl}">Pay ${shown(money)}</a>`
  return html`${answer.qrCode && html`<div class="code">${qrPicture(answer.qrCode, 'QR code of the payment')}<p class="amount">${amountToSend(order) ?? shown(money)}</p></div>`}
<dl class="facts">${factsOf(order).map(fact)}</dl>
<a class="button" href="/orders/${number}/play" target="_blank" rel="noreferrer">Play the payer</a>
<p class="soft">Opens the simulated bank or app in another tab. A payer would use a phone, or
<a href="${payUrl}">the payment page</a>.</p>`
}

function amountToSend({ answer }: ShopOrder): string | undefined {
  return answer?.coinAmount === undefined ? undefined : `${answer.coinAmount} ${answer.coin ?? ''}`
}

type Fact = readonly [label: string, value: string | undefined]

function factsOf(order: ShopOrder): Fact[] {
  const { answer, money } = order
  const facts: readonly Fact[] = [
    ['Amount', answer?.qrCode === undefined ? shown(money) : undefined],
    ['Account', answer?.account],
    ['Reference', answer?.reference],
    ['Payee', answer?.payeeName],
    ['Bank', answer?.bankName],
    ['BIC', answer?.bic],
    ['Network', answer?.network],
    ['Code to copy', answer?.qrCode],
  ]
  return facts.filter(([, value]) => value !== undefined && value !== '')
}

/** One value, with a button that copies the value. Without scripts, the button is not shown. */
function fact([label, value = '']: Fact): Html {
  return html`<div class="copied"><dt>${label}</dt><dd>${value}</dd>
<dd class="do"><button type="button" class="link copy" data-copy="${value}">Copy<span class="unseen"> ${label}</span></button></dd></div>`
}
