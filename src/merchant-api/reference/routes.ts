// GET /reference and /reference/LIST: JSON for programs, a plain page for browsers. Lists change only with a release, so each
// is made once, when it is first asked for; its version is a hash of its content.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { HTML_TYPE, type Html, html, pageHeaders, renderPage } from '../../pages/page.ts'
import { type Item, referenceLists } from './lists.ts'

const CACHED_S = 3_600

export function registerReference(app: FastifyInstance, sandbox: boolean): void {
  serve(app, '/reference', () => {
    const lists = [...referenceLists].map(([name, { title }]) => ({ name, title }))
    const links = lists.map(({ name, title }) => html`<li><a href="reference/${name}">${title}</a></li>`)
    return made({ lists }, () => page(sandbox, '.', 'Reference data', html`<ul>${links}</ul>`))
  })
  for (const [name, { title, items: read }] of referenceLists) {
    const up = name.includes('/') ? '../..' : '..'
    serve(app, `/reference/${name}`, () => {
      const items = read()
      return made({ list: name, count: items.length, items }, (version) =>
        page(sandbox, up, title, listed(up, items, version)),
      )
    })
  }
}

type Made = { readonly version: string; readonly json: string; readonly page: string }

function made(content: object, toPage: (version: string) => string): Made {
  const version = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12)
  return { version, json: JSON.stringify({ version, ...content }), page: toPage(version) }
}

function serve(app: FastifyInstance, url: string, make: () => Made): void {
  let list: Made | undefined
  app.get(url, (request, reply) => {
    list ??= make()
    const wantsPage = /\btext\/html\b/.test(request.headers.accept ?? '')
    return wantsPage
      ? send(reply, HTML_TYPE, list.page, `"${list.version}-page"`)
      : send(reply, 'application/json; charset=utf-8', list.json, `"${list.version}"`)
  })
}

function send(reply: FastifyReply, type: string, text: string, etag: string) {
  const cache = { 'cache-control': `public, max-age=${CACHED_S}`, etag, vary: 'accept' }
  reply.headers({ ...pageHeaders(), ...cache, 'access-control-allow-origin': '*' })
  return reply.request.headers['if-none-match'] === etag
    ? reply.code(304).send()
    : reply.type(type).send(text)
}

function page(sandbox: boolean, up: string, title: string, content: Html): string {
  return renderPage({
    title: `${title} · Tollgate`,
    sandbox,
    assets: `${up}/assets`,
    moreStyle: 'home.css',
    step: html`<div class="home"><h1>${title}</h1>${content}</div>`,
  })
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
