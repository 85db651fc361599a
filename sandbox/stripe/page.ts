// The page on which a payer approves or declines: for 3-D Secure, or for a wallet.
import { html, webAddress } from '../../src/platform/pages/page.ts'
import { minorAmount, sandboxPage, wayBack } from '../sandbox-page.ts'
import type { Intent } from './account.ts'

const unlikeIso = { ISK: 2, UGX: 2, IQD: 2, LYD: 2, MGA: 0 }

export function payerPage({ id, amount, currency, returnUrl }: Intent): string {
  return sandboxPage({
    title: 'Approve a payment – Sandbox Stripe',
    order: html`<p class="merchant">Sandbox Stripe</p><p class="total">${minorAmount(amount, currency, unlikeIso)}</p>`,
    step: html`<h1>Approve the payment?</h1>
<form method="post" action="${id}" class="fields" autocomplete="off">
<button class="button" name="decision" value="approve">Approve payment</button>
<button class="button quiet" name="decision" value="decline">Decline payment</button>
</form>
${wayBack(webAddress(returnUrl)?.href, 'link')}`,
  })
}

export function nothingPage(returnUrl = ''): string {
  return sandboxPage({
    title: 'Nothing to approve – Sandbox Stripe',
    step: html`<h1>There is nothing to approve here</h1>
<p>The payment was already decided or was cancelled. Go back to the shop to see its status.</p>
${wayBack(webAddress(returnUrl)?.href)}`,
  })
}
