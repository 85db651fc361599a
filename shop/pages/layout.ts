// The frame of every page: header, content, and the panel of requests beside it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../../src/platform/pages/page.ts'
import type { Exchange } from '../exchanges.ts'
import { panel } from './panel.ts'

export type Frame = {
  readonly pieces: number
  readonly exchanges: readonly Exchange[]
  readonly isPanelOpen: boolean
}

export type Page = {
  readonly title: string
  readonly content: Html
  /** The order that the page shows. The page updates itself whenever `mark` changes. */
  readonly order?: { readonly number: string; readonly mark: string }
  /**
   * The address to which the page sends the browser at once. The page uses no form for this, because the content
   * security policy allows forms only to the shop itself.
   */
  readonly goTo?: string
  readonly panelOnly?: boolean
  /** The gateway's address. Set on a page that opens the gateway's window. */
  readonly dropIn?: string
}

/** Sends a page, with a frame that shows the cart and the panel of this browser. */
export type Show = (request: FastifyRequest, reply: FastifyReply, page: Page, status?: number) => FastifyReply

export function render({ pieces, exchanges, isPanelOpen }: Frame, page: Page): string {
  const shownAs = isPanelOpen ? 'open' : 'closed'
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${page.goTo && html`<meta http-equiv="refresh" content="0; url=${page.goTo}">`}
<title>${page.title} – Demo Shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/shop.css">
${page.dropIn && html`<script src="${page.dropIn}/drop-in.js" async data-drop-in></script>`}
<script src="/assets/shop.js" defer></script>
</head>
<body data-panel="${page.panelOnly ? 'only' : shownAs}"${page.order && html` data-order="${page.order.number}" data-mark="${page.order.mark}"`}>
<p class="banner">Sandbox: no money moves</p>
<header>
<a class="brand" href="/">Demo Shop</a>
<nav aria-label="Shop">
<a href="/orders">Orders</a>
<a href="/cart">Cart${pieces > 0 && html` <span class="count">${pieces}</span>`}</a>
<a class="toggle" href="/requests" aria-controls="panel" aria-expanded="${isPanelOpen ? 'true' : 'false'}">Requests</a>
</nav>
</header>
<div class="frame">
<main id="content">${page.content}</main>
${panel(exchanges)}
</div>
<nav class="tabs" aria-label="View">
<a href="/" data-tab="shop" aria-current="true">Shop</a>
<a href="/requests" data-tab="requests">Requests</a>
</nav>
<p class="unseen" role="status" id="said"></p>
</body>
</html>
`
  return text
}

/**
 * The content security policy allows the shop's own script and style. For the window, the policy also allows the
 * gateway's script and frame.
 */
function policyOf(dropIn = ''): string {
  const gateway = URL.parse(dropIn)?.origin ?? ''
  const sources = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'self' ${gateway}`.trim(),
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${gateway || "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return sources.join('; ')
}

export function sendHtml(
  reply: FastifyReply,
  text: string,
  {
    status = 200,
    dropIn,
  }: { readonly status?: number | undefined; readonly dropIn?: string | undefined } = {},
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': policyOf(dropIn),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(text)
}
