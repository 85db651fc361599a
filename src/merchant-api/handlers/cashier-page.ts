// The envelope as a page: `/cashier/checkStand` answers HTML that a merchant's server may pass on from an address of its own.
// So nothing in it is relative, it needs no style or script, and has no form that could be sent from there: it leads away.
import type { IncomingHttpHeaders } from 'node:http'
import type { Message } from '../../http/server/response.ts'
import { chooseLanguage, type Tongue, tongueOf } from '../../pages/language.ts'
import { HTML_TYPE, type Html, html, pageHeaders } from '../../pages/page.ts'
import type { Envelope, Written } from '../envelope.ts'

/** Whom the page speaks to: the order's language, or that of the browser whose request the merchant passed on. */
type Reader = { readonly language?: string; readonly headers: IncomingHttpHeaders }
type Headers = Readonly<Record<string, string>>

/** `siteHeaders`: those that all pages of this site carry. */
export function asPage(
  { status, headers, envelope }: Written,
  reader: Reader,
  siteHeaders: Headers = {},
): Message {
  const text = cashierPage(envelope, tongueFor(reader))
  return { status, type: HTML_TYPE, text, headers: { ...headers, ...pageHeaders(), ...siteHeaders } }
}

function tongueFor({ language = '', headers }: Reader): Tongue {
  return tongueOf(chooseLanguage(language, headers['accept-language']))
}

function cashierPage({ code, message, data }: Envelope, tongue: Tongue): string {
  const payUrl = data?.payUrl
  return typeof payUrl === 'string' ? leading(payUrl, tongue) : refusing(code, message, tongue)
}

function leading(payUrl: string, tongue: Tongue): string {
  const { title, go } = tongue.words.cashier
  const refresh = html`<meta http-equiv="refresh" content="0;url=${payUrl}">`
  return page(tongue, title, refresh, html`<p><a href="${payUrl}" target="_top">${go}</a></p>`)
}

/** Code and message are for the shop's developers, and the same in every language. */
function refusing(code: string, message: string, tongue: Tongue): string {
  const { refused, retry } = tongue.words.cashier
  const said = html`<h1>${refused}</h1><p>${retry}</p><p lang="en" dir="ltr">${code}: ${message}</p>`
  return page(tongue, refused, html``, said)
}

function page({ tag, dir }: Tongue, title: string, head: Html, body: Html): string {
  return html`<!doctype html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
${head}
<title>${title}</title>
</head>
<body>
${body}
</body>
</html>
`.html
}
