// HTML by template: whatever is put in is escaped, unless it is HTML made here. Pages run only scripts and styles from
// files of ours, may be framed by nobody, and are kept by no cache.
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'

export type Html = { readonly html: string }

type Part = Html | string | number | readonly Html[] | undefined

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const filled = strings.map((text, index) => (index === 0 ? text : toText(parts[index - 1]) + text))
  return { html: filled.join('') }
}

function toText(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map((piece) => piece.html).join('')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export type Page = {
  readonly title: string
  readonly sandbox: boolean
  /** Addresses of the page's own style and script. */
  readonly style: string
  readonly script: string
  /** Beside the step from 900 px on, above it on a phone. */
  readonly order?: Html | undefined
  readonly step: Html
  /** Loads itself again after so many seconds. */
  readonly refreshS?: number | undefined
}

export function renderPage(page: Page): string {
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${page.refreshS === undefined ? undefined : html`<meta http-equiv="refresh" content="${page.refreshS}">`}
<title>${page.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${page.style}">
<script src="${page.script}" defer></script>
</head>
<body>
${page.sandbox ? html`<p class="banner">Sandbox: no money moves</p>` : undefined}
<main${page.order === undefined ? undefined : html` class="split"`}>
${page.order && html`<section class="order">${page.order}</section>`}
<section class="step">${page.step}</section>
</main>
</body>
</html>
`
  return text
}

/** `formTargets`: the other origins that a form of this page may post to. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: string,
  formTargets: readonly string[] = [],
) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    'img-src data:',
    `form-action 'self' ${formTargets.join(' ')}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

/** One of the files in assets/, read once. */
export function loadAsset(name: string, kind: keyof typeof types): (reply: FastifyReply) => FastifyReply {
  const text = readFileSync(new URL(`./assets/${name}.${kind}`, import.meta.url), 'utf8')
  return (reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' })
      .type(types[kind])
      .send(text)
}

/** An address that a link or form may lead to; undefined for anything but http and https. */
export function webAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}

const shapes = {
  done: html`<path d="m8 12.5 3 3 5.5-6.5"/>`,
  failed: html`<path d="m9 9 6 6m0-6-6 6"/>`,
  waiting: html`<path d="M12 7v5l3 2"/>`,
} as const

const tones = { done: 'good', failed: 'bad', waiting: 'wait' } as const

export function symbol(kind: keyof typeof shapes): Html {
  return html`<svg class="symbol ${tones[kind]}" viewBox="0 0 24 24" aria-hidden="true">
<circle cx="12" cy="12" r="10"/>${shapes[kind]}</svg>`
}
