// The checkout: the ways to pay that a shop can offer, with one form for each way. All forms have the number of the
// order. The number is made together with the page, so that pressing a button twice places one order.
import { type Html, html } from '../../src/platform/pages/page.ts'
import { type CardProblems, sandboxCards } from '../card-form.ts'
import type { Line } from '../cart.ts'
import { shownAddress } from '../customer.ts'
import { type Ask, type MethodWay, methodWays, type OtherMethod, otherMethods } from '../methods.ts'
import { currencies, shown, totalOf } from '../prices.ts'
import { summary } from './cart-page.ts'
import type { Page } from './layout.ts'

export type CheckoutView = {
  readonly lines: readonly Line[]
  readonly number: string
  /** The problems of the card form. */
  readonly problems?: CardProblems
  readonly expiry?: string
}

export function checkoutPage(view: CheckoutView): Page {
  const groups = [...new Set(otherMethods.map((method) => methodWays[method].group))]
  return {
    title: 'Checkout',
    content: html`<h1>Checkout</h1>
<div class="two"><section class="ways" aria-label="How would you like to pay?">
<h2>On the gateway's page</h2>
${pageWay(view)}
${windowWay(view)}
<h2>In the shop's own form</h2>
${cardWay(view)}
${groups.map(
  (group) => html`<h2>${group}</h2>
${otherMethods.filter((method) => methodWays[method].group === group).map((method) => methodWay(view, method))}`,
)}
</section>
<section class="side"><h2>Your order</h2>${summary(view.lines)}
<h2>Deliver to</h2><p class="soft">${shownAddress}</p></section></div>`,
  }
}

function way(title: string, price: string, isOpen: boolean, form: Html): Html {
  return html`<details class="way" name="way"${isOpen && html` open`}><summary><span>${title}</span><span class="price">${price}</span></summary>
${form}</details>`
}

function form({ number }: CheckoutView, name: string, content: Html): Html {
  return html`<form method="post" action="/checkout"><input type="hidden" name="number" value="${number}">
<input type="hidden" name="way" value="${name}">${content}</form>`
}

function pageWay(view: CheckoutView): Html {
  return way(
    'Payment page',
    shown(totalOf(view.lines, 'USD')),
    view.problems === undefined,
    form(
      view,
      'page',
      html`<p>The least work for a shop: the gateway shows the methods, and no card number touches the shop. The currency
decides which methods there are.</p>
<div class="fields">${currencyField(view, 'currency')}
${select('method', 'Methods', [
  { value: '', label: 'All methods' },
  { value: 'card', label: 'Card only' },
  ...otherMethods.map((method) => ({
    value: method,
    label: `${methodWays[method].name} only, in ${methodWays[method].currency}`,
  })),
])}</div>
<button class="button">Continue to the payment page</button>`,
    ),
  )
}

/** The drop-in: the gateway's script opens the payment page in a window over the shop. */
function windowWay(view: CheckoutView): Html {
  return way(
    'In a window over the shop',
    shown(totalOf(view.lines, 'USD')),
    false,
    form(
      view,
      'window',
      html`<p>The same page without leaving the shop, by one script of the gateway. Banks and wallets still take the whole
window.</p>
<div class="fields">${currencyField(view, 'window-currency')}</div>
<button class="button">Pay in a window</button>`,
    ),
  )
}

function currencyField({ lines }: CheckoutView, id: string): Html {
  const choices = currencies.map((code) => ({
    value: code,
    label: `${code} · ${shown(totalOf(lines, code))}`,
  }))
  return select('currency', 'Pay in', choices, id)
}

function cardWay(view: CheckoutView): Html {
  const { problems = {}, expiry = '12/30', lines } = view
  const price = shown(totalOf(lines, 'USD'))
  return way(
    'Card',
    price,
    view.problems !== undefined,
    form(
      view,
      'card',
      html`<p class="note wait-note">In live, a shop whose own form takes card numbers must meet PCI DSS by the longest
questionnaire, SAQ D. Prefer the payment page: it needs the shortest one, SAQ A.</p>
<div class="fields">
${field({ name: 'cardNo', label: 'Card number', value: '', autocomplete: 'cc-number' }, problems.cardNo)}
${field({ name: 'expiry', label: 'Expires (MM/YY)', value: expiry, autocomplete: 'cc-exp' }, problems.expiry)}
${field({ name: 'code', label: 'Security code', value: '', autocomplete: 'cc-csc' }, problems.code)}</div>
<button class="button">Pay ${price} by card</button>
<h3>Cards of the sandbox</h3>
<ul class="cards">${sandboxCards.map(
        ({ number, does }) =>
          html`<li><button type="button" class="link" data-card="${number}">${number.replace(/(.{4})(?=.)/g, '$1 ')}</button> <span class="soft">${does}</span></li>`,
      )}</ul>`,
    ),
  )
}

function methodWay(view: CheckoutView, method: OtherMethod): Html {
  const { name, currency, sandbox, asks }: MethodWay = methodWays[method]
  const price = shown(totalOf(view.lines, currency))
  return way(
    name,
    price,
    false,
    form(
      view,
      method,
      html`<p>${sandbox}</p>
${asks.length > 0 && html`<div class="fields">${asks.map((ask) => asked(method, ask))}</div>`}
<button class="button">Pay ${price} with ${name}</button>`,
    ),
  )
}

function asked(method: OtherMethod, ask: Ask): Html {
  const { name, label, value, choices } = ask
  if (choices !== undefined) return select(name, label, choices, `${method}-${name}`)
  return field({ name, label, value, id: `${method}-${name}`, hint: 'The sandbox accepts this value.' })
}

type Field = {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly id?: string
  readonly autocomplete?: string
  readonly hint?: string
}

function field(
  { name, label, value, id = name, autocomplete = 'off', hint = '' }: Field,
  problem = '',
): Html {
  const isNumber = autocomplete.startsWith('cc-')
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${value}" maxlength="100" autocomplete="${autocomplete}"${isNumber && html` inputmode="numeric"`} aria-describedby="${id}-hint"${problem !== '' && html` aria-invalid="true"`}>
<p class="hint${problem !== '' && ' bad'}" id="${id}-hint">${problem || hint}</p></div>`
}

function select(
  name: string,
  label: string,
  choices: readonly { readonly value: string; readonly label: string }[],
  id = name,
): Html {
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">
${choices.map((choice) => html`<option value="${choice.value}">${choice.label}</option>`)}</select></div>`
}
