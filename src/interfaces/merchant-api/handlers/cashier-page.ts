// The HTML response of `/cashier/checkStand`. A merchant's server may serve this page at its own address, so the page
// has no relative links, styles, scripts or forms. The page sends the browser to the payUrl, or shows a refusal.
import type { IncomingHttpHeaders } from 'node:http'
import type { Message } from '../../../platform/http/server/response.ts'
import { chooseLanguage, type Translation, translationOf } from '../../../platform/pages/language.ts'
import { HTML_TYPE, type Html, html, pageHeaders } from '../../../platform/pages/page.ts'
import type { Envelope, Written } from '../envelope.ts'

type Reader = { readonly language?: string; readonly headers: IncomingHttpHeaders }
type Headers = Readonly<Record<string, string>>

export function asPage(
  { status, headers, envelope }: Written,
  reader: Reader,
  siteHeaders: Headers = {},
): Message {
  const text = cashierPage(envelope, translationFor(reader))
  return { status, type: HTML_TYPE, text, headers: { ...headers, ...pageHeaders(), ...siteHeaders } }
}

function translationFor({ language = '', headers }: Reader): Translation {
  return translationOf(chooseLanguage(language, headers['accept-language']))
}

function cashierPage({ code, message, data }: Envelope, translation: Translation): string {
  const payUrl = data?.payUrl
  return typeof payUrl === 'string' ? leading(payUrl, translation) : refusing(code, message, translation)
}

function leading(payUrl: string, translation: Translation): string {
  const { title, go } = translation.words.cashier
  const refresh = html`<meta http-equiv="refresh" content="0;url=${payUrl}">`
  return page(translation, title, refresh, html`<p><a href="${payUrl}" target="_top">${go}</a></p>`)
}

/**
 * Returns the page of a refusal. Its code and message are not translated, because they are for the shop's developers.
 */
function refusing(code: string, message: string, translation: Translation): string {
  const { refused, retry } = translation.words.cashier
  const said = html`<h1>${refused}</h1><p>${retry}</p><p lang="en" dir="ltr">${code}: ${message}</p>`
  return page(translation, refused, html``, said)
}

function page({ tag, dir }: Translation, title: string, head: Html, body: Html): string {
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
