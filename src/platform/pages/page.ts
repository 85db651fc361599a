// HTML templates. `html` escapes every value except its own results. Pages load only our own scripts and styles, are
// never cached, and can be framed only by the sites that their policy names.
import type { FastifyReply } from 'fastify'
import { acceptsEncoding, compressPage } from './encoding.ts'
import { type Translation, translationOf } from './language.ts'
import { integrityOf } from './manifest.ts'

export type Html = { readonly html: string }

/** A value in a template. `false` and `undefined` render as nothing. */
type Part = Html | string | number | readonly Html[] | false | undefined

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const filled = strings.map((text, index) => (index === 0 ? text : toText(parts[index - 1]) + text))
  return { html: filled.join('') }
}

function toText(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map((piece) => piece.html).join('')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export type Page = {
  readonly title: string
  readonly sandbox: boolean
  /** The relative path of the folder with style sheets and scripts. */
  readonly assets: string
  readonly moreStyle?: string
  /** The texts of the page. Default: English. */
  readonly translation?: Translation
  /** The address of the style sheet of accent.ts. */
  readonly accent?: string | undefined
  readonly order?: Html | undefined
  /** The items of the order, shown beside the step on screens from 900 px on, otherwise above the step. */
  readonly items?: Html | undefined
  readonly step: Html
  readonly live?: Live | undefined
  readonly framed?: FrameFacts | undefined
  /**
   * Set for the page to which a bank's frame returns. The script of this page tells the surrounding page that the payer
   * is back, and whether the challenge is still open.
   */
  readonly returned?: 'open' | 'answered'
}

/** If a shop shows the page in a frame, the page's script sends these facts to the shop's window. */
export type FrameFacts = {
  /** The label of the button that closes the dialog, in the payer's language. */
  readonly close: string
  readonly orderNo?: string
  readonly tradeNo?: string
  readonly state?: string
  readonly isFinal?: boolean
  /** The address to which the payer goes from a final page. */
  readonly returnUrl?: string | undefined
}

/** A live page listens at `events`, or polls `status` or its own address, until the version changes. */
export type Live = { readonly version: string; readonly events?: string; readonly status?: string }

/** A live page reloads after this time if scripts are off. */
const REFRESH_S = 5

const scripts = ['fields.js', 'pay.js']

export function renderPage(page: Page): string {
  const { tag, dir, words } = page.translation ?? translationOf('en')
  const { html: text } = html`<!doctype html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${page.live && html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>`}
<title>${page.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${page.assets}/pay.css">
${page.moreStyle && html`<link rel="stylesheet" href="${page.assets}/${page.moreStyle}">`}
${page.accent && html`<link rel="stylesheet" href="${page.accent}">`}
${scripts.map((name) => html`<script src="${page.assets}/${name}" integrity="${integrityOf(name)}" defer></script>`)}
</head>
<body${page.live && liveData(page.live)}${page.framed && html` data-framed="${JSON.stringify(page.framed)}"`}${page.returned && html` data-returned="${page.returned}"`}>
${page.sandbox ? html`<header class="banner">${words.sandbox}</header>` : undefined}
<main${page.order === undefined ? undefined : html` class="split"`}>
${page.order && html`<section class="order"><div class="bar">${page.order}</div>${page.items}</section>`}
<section class="step">${page.step}</section>
</main>
${page.step.html.includes('<form') && offlineNote(words)}
</body>
</html>
`
  return text
}

/** The message that the script puts into a form that is submitted while the browser is offline. */
function offlineNote({ offline: { heading, text, button } }: Translation['words']): Html {
  return html`<template data-offline><div class="note bad-note" role="alert">${symbol('failed')}
<div><p class="strong">${heading}</p><p>${text}</p><button type="button" class="link">${button}</button></div></div></template>`
}

function liveData({ version, events, status }: Live): Html {
  return html` data-mark="${version}"${events && html` data-events="${events}"`}${status && html` data-status="${status}"`}`
}

export type PagePolicy = {
  /** Other origins, or whole schemes, to which forms of this page may post or be redirected. */
  readonly formTargets?: readonly string[]
  /** The policy for the Referer that other sites get. Default: `no-referrer`. */
  readonly referrer?: 'no-referrer' | 'origin' | undefined
  /** The sources of sites that may frame this page. Default: none. */
  readonly frameAncestors?: readonly string[]
  /** Sources of frames in this page. Default: none. */
  readonly frameSources?: readonly string[]
  /** True if no text in the page comes from the payer's request. Only then may the page be compressed. */
  readonly isFixed?: boolean
}

/**
 * Sends a page. A page with the payer's input beside the order's token is never compressed: the length of a compressed
 * response would reveal repeated texts (BREACH attack). Without such input the length does not depend on the request.
 * The token is in the page's address, so an attacker who can request the page knows it already.
 */
export function sendPage(reply: FastifyReply, status: number, page: string, policy: PagePolicy = {}) {
  reply.removeHeader('x-frame-options').code(status).headers(pageHeaders(policy)).type(HTML_TYPE)
  if (policy.isFixed !== true) return reply.send(page)
  reply.header('vary', 'accept-encoding')
  const accepts = acceptsEncoding(reply.request.headers['accept-encoding'], 'gzip')
  const compressed = accepts ? compressPage(page) : undefined
  return compressed === undefined
    ? reply.send(page)
    : reply.header('content-encoding', 'gzip').send(compressed)
}

export const HTML_TYPE = 'text/html; charset=utf-8'

export function pageHeaders(policy: PagePolicy = {}): Record<string, string> {
  const { formTargets = [], referrer = 'no-referrer', frameAncestors = [], frameSources = [] } = policy
  const isFramable = frameAncestors.length > 0
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    ...(frameSources.length > 0 ? [`frame-src ${frameSources.join(' ')}`] : []),
    `form-action 'self' ${formTargets.join(' ')}`.trim(),
    "base-uri 'none'",
    `frame-ancestors ${isFramable ? frameAncestors.join(' ') : "'none'"}`,
  ]
  return {
    'content-security-policy': directives.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': referrer,
    'x-content-type-options': 'nosniff',
    // Only pages that no site may frame have the header x-frame-options. The header cannot name a site, and browsers
    // ignore it beside frame-ancestors.
    ...(!isFramable && { 'x-frame-options': 'DENY' }),
  }
}

/** Browsers use only https for a year. Subdomains are left out: they may belong to programs with plain http. */
export const TRANSPORT_SECURITY = { 'strict-transport-security': 'max-age=31536000' } as const

/** Parses an http or https address. Returns undefined for any other text. */
export function webAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}

export function webLink(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && webAddress(text) !== undefined ? text : undefined
}

const shapes = {
  done: html`<path d="m8 12.5 3 3 5.5-6.5"/>`,
  failed: html`<path d="m9 9 6 6m0-6-6 6"/>`,
  notice: html`<path d="M12 7.5v5.5m0 3.2v.1"/>`,
  waiting: html`<path d="M12 7v5l3 2"/>`,
} as const

const tones = { done: 'good', failed: 'bad', waiting: 'wait', notice: 'wait' } as const

export function symbol(kind: keyof typeof shapes): Html {
  return html`<svg class="symbol ${tones[kind]}" viewBox="0 0 24 24" aria-hidden="true">
<circle cx="12" cy="12" r="10"/>${shapes[kind]}</svg>`
}
