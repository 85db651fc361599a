// The issuer's 3-D Secure pages: the payer enters a code, and the browser takes the result back to the payment page.
import { formatAmount } from '../src/platform/base/money.ts'
import { money } from '../src/platform/pages/amount.ts'
import { html, symbol, webAddress } from '../src/platform/pages/page.ts'
import type { Challenge, Charge } from './card-book.ts'
import { challengeCode } from './issuer-challenges.ts'
import { sandboxPage, wayBack } from './sandbox-page.ts'

export function codePage(challenge: Challenge, charge: Charge): string {
  const amount = money(formatAmount(BigInt(charge.amount), charge.currency), charge.currency)
  return sandboxPage({
    title: 'Confirm your payment – Sandbox Bank',
    order: html`<p class="merchant">Sandbox Bank</p><p class="total">${amount}</p>`,
    step: html`<h1>Confirm your payment</h1>
<p>Enter the code that we have sent to your phone.</p>
<form method="post" action="acs/answer" class="fields" autocomplete="off">
<input type="hidden" name="acsTransID" value="${challenge.acsTransID}">
<div class="group"><div class="cell">
<label for="code">Code</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12"
 aria-describedby="hint" required autofocus>
<p class="hint" id="hint">In the sandbox it is ${challengeCode}. Any other code fails.</p>
</div></div>
<button class="button">Confirm ${amount}</button>
</form>
${wayBack(webAddress(challenge.notificationUrl)?.href, 'link')}`,
  })
}

/** A script submits the form immediately. The button is for browsers without scripts. */
export function answerPage(notificationUrl: string, cres: string): string {
  return sandboxPage({
    title: 'Back to the shop – Sandbox Bank',
    step: html`<h1>Thank you</h1>
<p>You are taken back to the shop's payment page.</p>
<form method="post" action="${notificationUrl}" data-auto-submit>
<input type="hidden" name="cres" value="${cres}">
<button class="button">Back to the payment</button>
</form>`,
  })
}

export function noChallengePage(notificationUrl = ''): string {
  return sandboxPage({
    title: 'Nothing to confirm – Sandbox Bank',
    step: html`${symbol('failed')}
<h1>There is nothing to confirm here</h1>
<p>The payment was already confirmed or was cancelled. Go back to the shop to see its status.</p>
${wayBack(webAddress(notificationUrl)?.href)}`,
  })
}
