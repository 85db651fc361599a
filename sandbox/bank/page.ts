// The payer pages of the sandbox's banks and wallets.
import { randomUUID } from 'node:crypto'
import { formatAmount } from '../../src/platform/base/money.ts'
import { money } from '../../src/platform/pages/amount.ts'
import { type Html, html, symbol } from '../../src/platform/pages/page.ts'
import { sandboxPage, wayBack } from '../sandbox-page.ts'
import type { Bank } from './bank.ts'
import { type BankCharge, sumOf } from './charge.ts'

export type ApprovePage = {
  readonly bank: Bank
  readonly method: string
  readonly charge: BankCharge
  /** The address of the payment page, if the charge has one. */
  readonly back: string | undefined
  readonly problem?: string
  readonly typed?: string
}

const names: Readonly<Record<string, string>> = {
  unionpay: 'UnionPay',
  cash_app: 'Cash App',
  gcash: 'GCash',
  pix: 'Pix',
  spei: 'SPEI',
  per_transfer: 'bank transfer',
  sepa: 'SEPA transfer',
  vn_bank: 'Vietnam bank',
  alipay: 'Alipay',
  wechat: 'WeChat Pay',
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  crypto: 'crypto wallet',
  dlocal: 'dLocal',
}

export function approvePage({ bank, method, charge, back, problem, typed }: ApprovePage): string {
  const name = `Sandbox ${names[method] ?? method}`
  const amount = shown(charge.amount, charge.currency)
  return sandboxPage({
    title: `Approve a payment – ${name}`,
    order: html`<p class="merchant">${name}</p><p class="total">${amount}</p><p>to ${charge.payee}</p>`,
    step: html`<h1>Approve the payment?</h1>
${soFar(charge, bank)}
<form method="post" action="${charge.id}" class="fields" autocomplete="off">
<input type="hidden" name="transfer" value="${randomUUID()}">
${bank.takes === 'deposits' ? amountField(charge, problem, typed) : undefined}
<button class="button" name="decision" value="approve">Approve payment</button>
<button class="button quiet" name="decision" value="decline" formnovalidate>Decline payment</button>
</form>
${wayBack(back, 'link')}`,
  })
}

/** The amount field, filled with the missing amount, or with the whole amount if nothing is missing. */
function amountField(charge: BankCharge, problem = '', typed?: string): Html {
  const missing = BigInt(charge.amount) - sumOf(charge.deposits)
  const value = typed ?? formatAmount(missing > 0n ? missing : BigInt(charge.amount), charge.currency)
  return html`<div class="group"><div class="cell">
<label for="amount">Amount to send (${charge.currency})</label>
<input type="text" id="amount" name="amount" inputmode="decimal" value="${value}"
 aria-describedby="amount-hint amount-problem"${problem === '' ? undefined : html` aria-invalid="true"`}>
<p class="hint" id="amount-hint">Send less or more to see what the shop does.</p>
<p class="problem" id="amount-problem">${problem}</p>
</div></div>`
}

function soFar(charge: BankCharge, bank: Bank): Html | undefined {
  if (bank.takes === 'exact' || charge.deposits.length === 0) return undefined
  return html`<p>Sent so far: ${shown(sumOf(charge.deposits).toString(), charge.currency)}</p>`
}

export function donePage(charge: BankCharge, back: string | undefined): string {
  const declined = charge.status === 'declined'
  const sent = shown(sumOf(charge.deposits).toString(), charge.currency)
  return sandboxPage({
    title: declined ? 'Declined – Sandbox Bank' : 'Done – Sandbox Bank',
    step: html`${symbol(declined ? 'failed' : 'done')}
<h1>${declined ? 'Declined' : 'Done'}</h1>
<p>${declined ? 'Nothing was sent.' : `${sent} is on its way to ${charge.payee}.`}</p>
${wayBack(back)}`,
  })
}

export function nothingPage(back: string | undefined): string {
  return sandboxPage({
    title: 'Nothing to pay – Sandbox Bank',
    step: html`${symbol('failed')}
<h1>There is nothing to pay here</h1>
<p>The payment is done, was cancelled, or never existed. Go back to the shop to see its status.</p>
${wayBack(back)}`,
  })
}

function shown(amount: string, currency: string): string {
  return money(formatAmount(BigInt(amount), currency), currency)
}
