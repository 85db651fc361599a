// The beneficiary's pages for a CheckOut payout: say where the money goes, wait, or the result.
import type { AccountKind } from '../channels/payout/contract.ts'
import { money } from '../pages/amount.ts'
import type { Form } from '../pages/form.ts'
import { type Html, html, symbol, webAddress } from '../pages/page.ts'
import { type Frame, page, type Step } from './framed-page.ts'
import { type PageField, type Problems, payoutForms } from './payout-form.ts'

export type PayoutView = {
  readonly merchantName: string
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly beneficiary: string
  readonly amount: string
  readonly currency: string
  readonly status: 'asks-account' | 'processing' | 'succeeded' | 'failed'
  /** Why it failed. */
  readonly message: string
  readonly accountMasked: string
  /** How it can be paid, the usual way first. */
  readonly kinds: readonly AccountKind[]
  /** The merchant's address with the signed result; '' when it gave none. */
  readonly returnUrl: string
}

/** What is being filled in. */
export type Filling = {
  readonly kind: AccountKind
  readonly values: Form
  readonly problems: Problems
  readonly notice?: string | undefined
}

const REFRESH_S = 3

export function payoutPage(frame: Frame, payout: PayoutView, filling: Filling): string {
  const { title, step, refreshS } = stepOf(payout, filling)
  return page(frame, `${title} – ${payout.merchantName}`, step, { order: summary(payout), refreshS })
}

export function missingPayoutPage(frame: Frame): string {
  return page(
    frame,
    'Page not found',
    html`${symbol('failed')}
<h1>This payout page does not exist</h1>
<p>The link is incomplete or too old. Ask whoever sent it to you for a new one.</p>`,
  )
}

export function brokenPayoutPage(frame: Frame): string {
  return page(
    frame,
    'Something went wrong',
    html`${symbol('failed')}
<h1>Something went wrong on our side</h1>
<p>Load this page again in a moment. You are never paid to two accounts, and never twice.</p>`,
  )
}

function stepOf(payout: PayoutView, filling: Filling): Step {
  if (payout.status === 'asks-account') return askAccount(payout, filling)
  if (payout.status === 'succeeded') return succeeded(payout)
  return payout.status === 'failed' ? failed(payout) : waiting(payout)
}

function askAccount({ kinds }: PayoutView, filling: Filling): Step {
  const { fields, label } = payoutForms[filling.kind]
  const others = kinds.filter((kind) => kind !== filling.kind)
  return {
    title: 'Receive your money',
    step: html`<h1>Where should the money go?</h1>
${filling.notice && html`<p class="bad" role="alert">${filling.notice}</p>`}
<form method="post" action="?" class="fields">
<input type="hidden" name="kind" value="${filling.kind}">
<p class="soft">${label}</p>
${fields.map((field) => input(field, filling))}
<button class="button">Receive the money</button>
</form>
<p class="soft">Another way: ${others.map((kind) => html`<a href="?kind=${kind}">${payoutForms[kind].label}</a> `)}</p>`,
  }
}

function input(field: PageField, { values, problems }: Filling): Html {
  const { name, label, hint, choices } = field
  const value = field.secret === true ? '' : (values[name] ?? '')
  const problem = problems[name]
  const control = choices === undefined ? textInput(field, value, problem) : select(field, value, problem)
  return html`<label for="${name}">${label}</label>
${control}
${problem === undefined ? hint && html`<p class="soft">${hint}</p>` : html`<p class="bad" id="${name}-problem">${problem}</p>`}`
}

function textInput(field: PageField, value: string, problem: string | undefined): Html {
  const { name, numeric, autocomplete = 'off', optional } = field
  return html`<input type="text" id="${name}" name="${name}" value="${value}" maxlength="255" autocomplete="${autocomplete}"${
    numeric && html` inputmode="numeric"`
  }${optional === true ? undefined : html` required`}${invalid(name, problem)}>`
}

function select({ name, choices = [] }: PageField, value: string, problem: string | undefined): Html {
  const options = [['', 'Choose'] as const, ...choices].map(
    ([code, label]) =>
      html`<option value="${code}"${code === value ? html` selected` : undefined}>${label}</option>`,
  )
  return html`<select id="${name}" name="${name}" required${invalid(name, problem)}>${options}</select>`
}

function invalid(name: string, problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html` aria-invalid="true" aria-describedby="${name}-problem"`
}

function waiting({ accountMasked }: PayoutView): Step {
  return {
    title: 'On its way',
    refreshS: REFRESH_S,
    step: html`${symbol('waiting')}
<div role="status"><h1>Your money is on its way</h1>
<p>It goes to the account that ends in ${endOf(accountMasked)}. This page refreshes by itself.</p></div>
<p class="soft">It is safe to leave: nothing more is needed from you.</p>`,
  }
}

function succeeded(payout: PayoutView): Step {
  return {
    title: 'Paid',
    step: html`${symbol('done')}
<h1>Your money was sent</h1>
<p>It went to the account that ends in ${endOf(payout.accountMasked)}.</p>
${wayBack(payout)}`,
  }
}

function failed(payout: PayoutView): Step {
  return {
    title: 'Not paid',
    step: html`${symbol('failed')}
<h1>The money could not be sent</h1>
<p>${payout.message}. ${payout.merchantName} knows, and can send it anew.</p>
${wayBack(payout)}`,
  }
}

function wayBack({ returnUrl, merchantName }: PayoutView): Html | undefined {
  const url = webAddress(returnUrl)
  return url && html`<a class="button" href="${url.href}" rel="noreferrer">Go to ${merchantName}</a>`
}

function endOf(masked: string): string {
  return masked.slice(masked.indexOf('…') + 1)
}

function summary(payout: PayoutView): Html {
  return html`<p class="merchant">${payout.merchantName} pays you</p>
<p class="total">${money(payout.amount, payout.currency)}</p>
<dl><dt>To</dt><dd>${payout.beneficiary}</dd><dt>Order</dt><dd>${payout.merOrderNo}</dd>
<dt>Payout</dt><dd>${payout.tradeNo}</dd></dl>`
}
