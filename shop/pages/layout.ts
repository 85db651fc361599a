// The frame of every page: header, content, and the panel of requests beside it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../../src/pages/page.ts'
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
  /** The page changes by itself with this order: `mark` is another one after each change. */
  readonly order?: { readonly number: string; readonly mark: string }
  /** Taken there at once, without a form: the shop's policy for forms allows no other address. */
  readonly goTo?: string
  readonly panelOnly?: boolean
}

/** A page in the frame that this browser sees. */
export type Show = (request: FastifyRequest, page: Page) => string

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

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

export const pageHeaders = {
  'content-security-policy': policy.join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

export function sendHtml(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.code(status).headers(pageHeaders).type('text/html; charset=utf-8').send(text)
}
