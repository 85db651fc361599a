// GET /reference and /reference/LIST, as JSON for programs and as a plain page for browsers. The response of a list is
// cached until the version of the list changes.
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HTML_TYPE, type Html, html, pageHeaders, renderPage } from '../../../platform/pages/page.ts'
import { type Item, type ReferenceList, referenceLists, type StoredLists } from './lists.ts'

/** The maximum time for which caches may still show the old list after a change. */
const CACHED_S = 300
const JSON_TYPE = 'application/json; charset=utf-8'
const MOST_DEPTH = 20

export type ReferenceDeps = { readonly sandbox: boolean; readonly reference: StoredLists }

export function registerReference(app: FastifyInstance, { sandbox, reference }: ReferenceDeps): void {
  const lists = [...referenceLists(reference)].map(([name, list]) => {
    return { name, title: list.title, made: keep(list.version, () => makeList(sandbox, name, list)) }
  })
  const all = keep(
    () => lists.map(({ made }) => made().version).join(),
    () => {
      const named = lists.map(({ name, title, made }) => ({ name, title, version: made().version }))
      return make({ lists: named }, undefined, () =>
        renderList(sandbox, '.', 'Reference data', overview(named)),
      )
    },
  )
  app.get('/reference', (request, reply) => send(request, reply, all()))
  for (const { name, made } of lists)
    app.get(`/reference/${name}`, (request, reply) => send(request, reply, made()))
  app.get('/reference/*', (request, reply) => sendUnknown(request, reply, sandbox))
}

type Made = { readonly version: string; readonly json: Body; readonly page: Body }
type Body = { readonly type: string; readonly text: string; readonly etag: string }

function keep(version: (() => unknown) | undefined, makeIt: () => Made): () => Made {
  let kept: { readonly version: unknown; readonly made: Made } | undefined
  return () => {
    const current = version?.()
    if (kept === undefined || kept.version !== current) kept = { version: current, made: makeIt() }
    return kept.made
  }
}

function makeList(sandbox: boolean, name: string, { title, items: read, version }: ReferenceList): Made {
  const items = read()
  const up = name.includes('/') ? '../..' : '..'
  return make({ list: name, count: items.length, items }, version?.(), (shown) =>
    renderList(sandbox, up, title, listed(up, items, shown)),
  )
}

/** Renders a list. If a list has no version of its own, the version is a hash of the list's content. */
function make(content: object, own: number | undefined, toPage: (version: string) => string): Made {
  const version = String(own ?? tagOf(JSON.stringify(content)))
  return {
    version,
    json: toBody(JSON_TYPE, JSON.stringify({ version, ...content })),
    page: toBody(HTML_TYPE, toPage(version)),
  }
}

function toBody(type: string, text: string): Body {
  return { type, text, etag: `"${tagOf(text)}"` }
}

function tagOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 12)
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

function send(request: FastifyRequest, reply: FastifyReply, made: Made) {
  const { type, text, etag } = wantsPage(request) ? made.page : made.json
  const cache = { 'cache-control': `public, max-age=${CACHED_S}`, etag, vary: 'accept' }
  reply.headers({ ...pageHeaders(), ...cache, 'access-control-allow-origin': '*' })
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.type(type).send(text)
}

function sendUnknown(request: FastifyRequest, reply: FastifyReply, sandbox: boolean) {
  reply.code(404).headers({ ...pageHeaders(), 'access-control-allow-origin': '*' })
  if (!wantsPage(request))
    return reply.type(JSON_TYPE).send({ error: 'There is no such list. GET /reference names all lists.' })
  // The relative path to the root has one `..` for each level of the request's address.
  const [path = ''] = request.url.split('?')
  const up = Array(Math.min(path.split('/').length - 2, MOST_DEPTH))
    .fill('..')
    .join('/')
  return reply.type(HTML_TYPE).send(
    renderList(
      sandbox,
      up,
      'There is no such list',
      html`<p>Check the address, or choose a list.</p>
<p><a class="button" href="${up}/reference">All lists</a></p>`,
    ),
  )
}

function renderList(sandbox: boolean, up: string, title: string, content: Html): string {
  return renderPage({
    title: `${title} · Tollgate`,
    sandbox,
    assets: `${up}/assets`,
    moreStyle: 'home.css',
    step: html`<div class="home"><h1>${title}</h1>${content}</div>`,
  })
}

function overview(lists: readonly { readonly name: string; readonly title: string }[]): Html {
  const links = lists.map(
    ({ name, title }) =>
      html`<li><a href="reference/${name}">${title}</a><span class="soft"><code>/reference/${name}</code></span></li>`,
  )
  return html`<p>What the codes of the interface mean: pages for people, and JSON for programs at the same addresses.</p>
<ul>${links}</ul>`
}

function listed(up: string, items: readonly Item[], version: string): Html {
  const names = Object.keys(items[0] ?? {})
  const rows = items.map(
    (item) => html`<tr>${names.map((name) => html`<td>${inWords(item[name])}</td>`)}</tr>`,
  )
  return html`<p class="soft">${items.length} entries, version ${version}. Programs get JSON at the same address.</p>
<div class="wide" tabindex="0" role="region" aria-label="The list"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<p><a class="button quiet" href="${up}/reference">All lists</a></p>`
}

function inWords(value: Item[string] | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? value.join(', ') : String(value ?? '')
}
