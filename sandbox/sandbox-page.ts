// The layout of the sandbox's pages.
import { decimalsOf } from '../src/platform/base/currency.ts'
import { money } from '../src/platform/pages/amount.ts'
import { type Html, html, renderPage } from '../src/platform/pages/page.ts'

export type SandboxPage = { readonly title: string; readonly order?: Html; readonly step: Html }

/**
 * A link back to the payment page, for payers who have not decided. If `back` is unknown, as in a banking app, a script
 * shows a button that goes back in the browser's history. Where the button cannot work, for example in a new tab, the
 * page tells the payer to close the page.
 */
export function wayBack(back: string | undefined, look: 'button' | 'link' = 'button'): Html {
  const way =
    back === undefined
      ? html`<button type="button" class="${look}" data-back hidden>Back to the shop</button>
<p class="soft">Close this page to go back to the shop.</p>`
      : html`<a class="${look}" href="${back}">Back to the shop</a>`
  return look === 'button' ? way : html`<div class="more">${way}</div>`
}

export const ASSETS_PATH = '/assets'

export function sandboxPage(page: SandboxPage): string {
  return renderPage({ sandbox: true, assets: ASSETS_PATH, ...page })
}

/**
 * Formats an amount in a counterparty's smallest units. `unlikeIso` has the decimals of currencies that differ from ISO
 * 4217.
 */
export function minorAmount(
  value: number,
  code: string,
  unlikeIso: Readonly<Record<string, number>> = {},
): string {
  const currency = code.toUpperCase()
  const decimals = unlikeIso[currency] ?? decimalsOf(currency)
  const digits = String(value).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return money(decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`, currency)
}
