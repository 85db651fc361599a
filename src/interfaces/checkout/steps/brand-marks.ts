// The marks of methods and card brands: small inline SVG pictures, drawn for this project.

import { brandNames } from '../../../platform/base/card-number.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { type Html, html } from '../../../platform/pages/page.ts'
import { type Method, methods, type Own } from '../../../rails/methods/methods.ts'

const WHITE = '#ffffff'

function mark(drawing: Html, ground = WHITE, name = ''): Html {
  return html`<svg class="mark ${name}" viewBox="0 0 36 24" aria-hidden="true"><rect x=".5" y=".5" width="35" height="23" rx="3.5" fill="${ground}" stroke="#000" stroke-opacity=".12"/>${drawing}</svg>`
}

function word(text: string, fill: string, size = 9): Html {
  return html`<text x="18" y="${12 + size * 0.36}" font-family="Arial,Helvetica,sans-serif" font-weight="700" font-size="${size}" text-anchor="middle" fill="${fill}">${text}</text>`
}

const bank = html`<g fill="none" stroke="#3f4750" stroke-width="1.4" stroke-linejoin="round"><path d="M10.5 9.5 18 5.5l7.5 4z"/><path d="M12.5 11.5v5m3.7-5v5m3.6-5v5m3.7-5v5M10.5 18.5h15" stroke-linecap="round"/></g>`

const marks: Own<Html> = {
  card: mark(
    html`<rect x="8.5" y="6.5" width="19" height="12" rx="2" fill="none" stroke="#3f4750" stroke-width="1.4"/><path d="M8.5 10.2h19" stroke="#3f4750" stroke-width="2.2"/><path d="M11.5 15.2h4" stroke="#3f4750" stroke-width="1.4"/>`,
  ),
  alipay: mark(
    html`<g fill="none" stroke="#fff" stroke-width="1.5" stroke-linecap="round"><path d="M12 7h12M18 4.8V10M12.5 10h11c-1 4-4.5 8-9 8-2 0-3-1-3-2.2 0-1.5 1.4-2.3 3-2.3 3.5 0 7 2.5 10.5 4"/></g>`,
    '#1677ff',
  ),
  wechat: mark(
    html`<g fill="#fff"><path d="M15.5 5.5c-3.6 0-6.5 2.3-6.5 5.2 0 1.6.9 3 2.3 4l-.6 2 2.3-1.2c.8.2 1.6.4 2.5.4.2-3.4 3-5.6 6.4-5.7-.7-2.7-3.3-4.7-6.4-4.7z"/><path d="M27 15.2c0-2.4-2.4-4.3-5.3-4.3s-5.3 1.9-5.3 4.3 2.4 4.3 5.3 4.3c.7 0 1.3-.1 1.9-.3l1.9 1-.5-1.7c1.2-.8 2-2 2-3.3z"/></g>`,
    '#07c160',
  ),
  unionpay: mark(
    html`<path fill="#d8232a" d="M9.5 5h6l-3 14h-6z"/><path fill="#01487a" d="M16.5 5h6l-3 14h-6z"/><path fill="#00797c" d="M23.5 5h6l-3 14h-6z"/>`,
  ),
  apple_pay: mark(
    html`<path d="M9.9 8.4c.5-.6.8-1.3.7-2.1-.7 0-1.5.5-2 1-.4.5-.8 1.3-.7 2 .8.1 1.5-.3 2-.9zm.7 1.1c-1.1-.1-2 .6-2.5.6s-1.3-.6-2.2-.6C4.8 9.5 3.7 10.2 3.1 11.2c-1.2 2.1-.3 5.2.9 6.9.6.8 1.3 1.8 2.2 1.7.9 0 1.2-.5 2.3-.5 1 0 1.3.5 2.3.5.9 0 1.5-.8 2.1-1.7.7-.9.9-1.9.9-1.9s-1.8-.7-1.8-2.7c0-1.7 1.4-2.5 1.4-2.5-.8-1.2-2-1.3-2.8-1.5z" transform="translate(2.5 1.5) scale(.85)"/><text x="25" y="15.6" font-family="Arial,Helvetica,sans-serif" font-weight="600" font-size="9.5" text-anchor="middle">Pay</text>`,
  ),
  google_pay: mark(
    html`<g fill="none" stroke-width="2"><path stroke="#4285f4" d="M14.8 12h-4.3"/><path stroke="#4285f4" d="M14.4 12.1a3.9 3.9 0 0 1-1.3 2.8"/><path stroke="#34a853" d="M13.2 14.8a3.9 3.9 0 0 1-6-1.1"/><path stroke="#fbbc04" d="M7.2 13.7a3.9 3.9 0 0 1 0-3.4"/><path stroke="#ea4335" d="M7.2 10.3a3.9 3.9 0 0 1 6.1-1.1"/></g><text x="25" y="15.4" font-family="Arial,Helvetica,sans-serif" font-weight="600" font-size="9.5" text-anchor="middle" fill="#3c4043">Pay</text>`,
  ),
  cash_app: mark(
    html`<path fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" d="M21.5 8.8c-.9-.8-2.2-1.2-3.4-1.2-1.9 0-3.2.9-3.2 2.2 0 3.2 6.7 1.5 6.7 4.6 0 1.3-1.4 2.1-3.3 2.1-1.5 0-3-.6-3.9-1.6M18.7 5.2l-1.5 13.6"/>`,
    '#00b341',
  ),
  gcash: mark(
    html`<path fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" d="M20.5 8a5.2 5.2 0 1 0 1.3 5.5h-4.3"/><path fill="none" stroke="#fff" stroke-opacity=".65" stroke-width="2" stroke-linecap="round" d="M24.5 8.2a6.5 6.5 0 0 1 0 7.6"/>`,
    '#0057e4',
  ),
  pix: mark(
    html`<path fill="#32bcad" d="M14.4 7.7c.7 0 1.3.3 1.8.7l2 2a.6.6 0 0 0 .9 0l1.9-2c.5-.4 1.1-.7 1.8-.7h.3l-3.4-3.3a2 2 0 0 0-2.8 0L13.6 7.7zM22.8 16.3c-.7 0-1.3-.3-1.8-.7l-1.9-2a.6.6 0 0 0-.9 0l-2 2c-.5.4-1.1.7-1.8.7h-.8l3.3 3.3c.8.8 2 .8 2.8 0l3.4-3.3zM25.8 10.6l-2.1-2.1h-.9c-.5 0-.9.2-1.3.5l-1.9 2c-.6.6-1.4.6-2 0l-2-2c-.3-.3-.7-.5-1.2-.5h-1.1l-2.1 2.1c-.8.8-.8 2 0 2.8l2.1 2.1h1.1c.5 0 .9-.2 1.2-.5l2-2c.5-.5 1.5-.5 2 0l1.9 2c.4.3.8.5 1.3.5h.9l2.1-2.1c.8-.8.8-2 0-2.8z"/>`,
  ),
  spei: mark(word('SPEI', '#3b1e77', 10)),
  per_transfer: mark(bank),
  sepa: mark(word('SEPA', '#10298e', 10)),
  vn_bank: mark(
    html`<text x="18" y="15.2" font-family="Arial,Helvetica,sans-serif" font-weight="700" font-size="8.5" text-anchor="middle" fill="#e1251b">Viet<tspan fill="#004a9c">QR</tspan></text>`,
  ),
  crypto: mark(
    html`<path fill="#3f4750" d="m18 3.5 5.3 8.6L18 15.2l-5.3-3.1z"/><path fill="#7b838c" d="m18 16.4 5.3-3.1L18 20.5l-5.3-7.2z"/>`,
  ),
}

export function markFor(method: Method): Html {
  const { confirmedAt: wallet = '' } = methods[method]
  return marks[method] ?? badge(wallet)
}

/** The pictures of the card brands, by the names that `brandOf` returns. The script finds a picture by its class. */
const cardMarks: Readonly<Record<string, Html>> = {
  visa: mark(
    html`<text x="18" y="15.8" font-family="Arial,Helvetica,sans-serif" font-style="italic" font-weight="800" font-size="11" text-anchor="middle" fill="#1434cb">VISA</text>`,
    WHITE,
    'visa',
  ),
  mastercard: mark(
    html`<circle cx="14.5" cy="12" r="6" fill="#eb001b"/><circle cx="21.5" cy="12" r="6" fill="#f79e1b"/><path fill="#ff5f00" d="M18 7.1a6 6 0 0 1 0 9.8 6 6 0 0 1 0-9.8z"/>`,
    WHITE,
    'mastercard',
  ),
  'american-express': mark(word('AMEX', '#ffffff', 8.5), '#1f72cd', 'amex'),
  jcb: mark(word('JCB', '#0e4c96', 11), WHITE, 'jcb'),
  discover: mark(
    html`${word('DISC', '#231f20', 8)}<path fill="#f47216" d="M35.5 15v5a3.5 3.5 0 0 1-3.5 3.5H14c9-1 17-4 21.5-8.5z"/>`,
    WHITE,
    'discover',
  ),
  'diners-club': mark(
    html`<circle cx="18" cy="12" r="7.5" fill="none" stroke="#0069aa" stroke-width="2"/><path fill="#0069aa" d="M16.6 7.5a4.8 4.8 0 0 0 0 9zm2.8 0v9a4.8 4.8 0 0 0 0-9z"/>`,
    WHITE,
    'diners',
  ),
  unionpay: mark(
    html`<path fill="#d8232a" d="M9.5 5h6l-3 14h-6z"/><path fill="#01487a" d="M16.5 5h6l-3 14h-6z"/><path fill="#00797c" d="M23.5 5h6l-3 14h-6z"/>`,
    WHITE,
    'unionpay',
  ),
}

/** The number of pictures that fit into the field on the narrowest screen. The label names all brands. */
const MAX_CARD_MARKS = 7

export type BrandMarks = { readonly label: string; readonly pictures: readonly Html[] }

/**
 * Returns the pictures of the accepted brands, which are shown until the payer types a number. Then the script shows
 * only the brand of the number. For a merchant that accepts every brand, all brands with a picture are shown.
 */
export function acceptedBrands(
  accepted: readonly string[] | undefined,
  { words, locale }: Translation,
): BrandMarks {
  const brands = accepted ?? Object.keys(cardMarks)
  const names = brands.map((brand) => brandNames.get(brand) ?? brand)
  const list = new Intl.ListFormat(locale).format(names)
  const pictures = brands.map((brand, at) => cardMarks[brand] ?? badge(names[at] ?? brand))
  return { label: words.choose.cardBrands(list), pictures: pictures.slice(0, MAX_CARD_MARKS) }
}

/** Draws a mark for a method or brand that has no picture. */
function badge(name: string): Html {
  return mark(word(name, '#3f4750', Math.min(9, 50 / name.length)))
}
