// The envelope as a page: `/cashier/checkStand` answers HTML that a merchant's server may pass on from an address of its own.
// So nothing in it is relative, it needs no style or script, and has no form that could be sent from there: it leads away.
import { HTML_TYPE, type Html, html, pageHeaders } from '../pages/page.ts'
import type { Envelope, Written } from './envelope.ts'
import type { Message } from './transport.ts'

type Headers = Readonly<Record<string, string>>

/** `siteHeaders`: those that all pages of this site carry. */
export function asPage({ status, headers, envelope }: Written, siteHeaders: Headers = {}): Message {
  const all = { ...headers, ...pageHeaders(), ...siteHeaders }
  return { status, type: HTML_TYPE, text: cashierPage(envelope), headers: all }
}

function cashierPage({ code, message, data }: Envelope): string {
  const payUrl = data?.payUrl
  return typeof payUrl === 'string' ? leading(payUrl) : refusing(code, message)
}

function leading(payUrl: string): string {
  const refresh = html`<meta http-equiv="refresh" content="0;url=${payUrl}">`
  return page('Payment', refresh, html`<p><a href="${payUrl}" target="_top">Continue to payment</a></p>`)
}

function refusing(code: string, message: string): string {
  return page('Payment not started', html``, html`<h1>Payment not started</h1><p>${code}: ${message}</p>`)
}

function page(title: string, head: Html, body: Html): string {
  return html`<!doctype html>
<html lang="en">
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
