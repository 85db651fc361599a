// GET /docs serves the documentation of this gateway to anybody. In sandbox, its pages show the demo merchant's values,
// and readers can try requests. GET /downloads serves the packages that the documentation tells readers to install.
import { createReadStream, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onceDone } from '../../platform/base/memoize.ts'
import { retryAfterOf } from '../../platform/http/server/unavailable.ts'
import {
  ASSET_HEADERS,
  loadAsset,
  type StoredText,
  sendStored,
  storeText,
} from '../../platform/pages/asset.ts'
import { html, pageHeaders, renderPage, sendPage } from '../../platform/pages/page.ts'
import { rootOf } from './article.ts'
import type { Docs } from './open-docs.ts'
import { registerTryIt, type Trying } from './try-it/try-routes.ts'
import { valuesFor } from './values.ts'

export type DocsDeps = {
  readonly sandbox: boolean
  /** True if only the gateway's own machine can reach the gateway. */
  readonly isLocal: boolean
  readonly baseUrl: string
  /** The folder that contains docs/, examples/, sdk/ and downloads/. The URL ends with a slash. */
  readonly folder: URL
  readonly demo?: Trying
}

const PICTURE_CACHED_S = 3_600
/** The headers of a page. Browsers may cache the page, but must ask whether it has changed. */
const CACHED = { ...pageHeaders(), 'cache-control': 'no-cache' }

type Named = { Params: { '*': string } }

export function registerDocs(app: FastifyInstance, deps: DocsDeps): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      request.log.error({ err: error }, 'a page of the documentation failed')
      const retryAfter = retryAfterOf(error)
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
      return sendPage(reply, retryAfter === undefined ? 500 : 503, brokenPage(deps.sandbox, rootOf(request)))
    })
    registerPages(scope, deps)
  })
}

function registerPages(app: FastifyInstance, deps: DocsDeps): void {
  const docs = onceDone(async () => (await import('./open-docs.ts')).openDocs(deps))
  const { demo } = deps
  const valuesOf = async ({ headers }: FastifyRequest) =>
    valuesFor(deps, await demo?.merchant(), headers.host)
  const style = loadAsset('docs', 'css')
  app.get('/assets/docs.css', (_request, reply) => style(reply))
  app.get('/docs', async (_request, reply) => sendStored(reply, (await docs()).home(), CACHED))
  app.get('/docs/search', async (_request, reply) => sendStored(reply, (await docs()).search(), CACHED))
  app.get('/docs/passages.json', async (_request, reply) =>
    sendStored(reply, await (await docs()).passages(), CACHED),
  )
  app.get('/docs/pictures/*', async (request: FastifyRequest<Named>, reply) => {
    const file = (await docs()).picture(request.params['*'])
    if (file === undefined) return sendMissing(await docs(), request, reply)
    return reply
      .headers({ ...pageHeaders(), 'cache-control': `public, max-age=${PICTURE_CACHED_S}` })
      .type('image/png')
      .send(createReadStream(file))
  })
  app.get('/docs/*', async (request: FastifyRequest<Named>, reply) => {
    const { '*': path } = request.params
    if (path === '') return reply.redirect('.', 301)
    // The addresses of all endpoint pages begin with reference/. There is no page at reference/ itself, so the list of
    // endpoints is shown.
    if (/^reference\/?$/.test(path)) return reply.redirect(`${rootOf(request)}docs/reference/endpoints`, 301)
    const [pages, values] = [await docs(), await valuesOf(request)]
    const form = demo && pages.endpoint(path, request.query, values)
    if (form !== undefined) return sendPage(reply, 200, form)
    const page = pages.stored(path, values) ?? pages.download(path)
    return page === undefined ? sendMissing(pages, request, reply) : sendStored(reply, page, CACHED)
  })
  registerDownloads(app, docs)
  if (demo === undefined) return
  registerSigningModules(app, deps.folder)
  registerTryIt(app, { demo, docs, valuesOf })
}

function sendMissing(docs: Docs, request: FastifyRequest<Named>, reply: FastifyReply) {
  const page = docs.missing(rootOf(request))
  reply.code(404)
  return page === undefined
    ? reply.headers(pageHeaders()).type('text/plain').send('There is no such page.')
    : sendStored(reply, page, pageHeaders())
}

function registerDownloads(app: FastifyInstance, docs: () => Promise<Docs>): void {
  app.get('/downloads', async (_request, reply) =>
    sendStored(reply, (await (await docs()).downloads()).page, CACHED),
  )
  app.get('/downloads/:file', async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const found = (await (await docs()).downloads()).files.get(request.params.file)
    if (found === undefined)
      return reply.code(404).headers(pageHeaders()).type('text/plain').send('There is no such package.')
    reply.headers({ ...ASSET_HEADERS, etag: found.etag }).type('application/gzip')
    return request.headers['if-none-match'] === found.etag ? reply.code(304).send() : reply.send(found.bytes)
  })
}

/**
 * Returns the page for an error. The page does not use the layout of the documentation, because the layout itself may
 * fail.
 */
function brokenPage(sandbox: boolean, root: string): string {
  return renderPage({
    title: 'Documentation',
    sandbox,
    assets: `${root}assets`,
    step: html`<h1>This page cannot be shown</h1>
<p>Try again. If it stays so, the log of the gateway says why; the folder <code>docs/</code> must be beside <code>src/</code>.</p>`,
  })
}

// Serves the SDK's own signing code to browsers. Readers sign with this code in the form "Try it", so their keys never
// leave the browser. The types of a module are removed when the module is first requested.

/** The modules of sdk/src that are served. These modules import only each other. */
const modules = ['md5.ts', 'canonical.ts', 'bytes.ts', 'rsa.ts'] as const

function registerSigningModules(app: FastifyInstance, folder: URL): void {
  for (const name of modules) {
    let stored: StoredText | undefined
    app.get(`/docs/sdk/${name}`, (_request, reply) => {
      stored ??= storeText('text/javascript; charset=utf-8', readModule(new URL(`sdk/src/${name}`, folder)))
      return sendStored(reply, stored, ASSET_HEADERS)
    })
  }
}

function readModule(file: URL): string {
  return stripTypeScriptTypes(readFileSync(file, 'utf8'))
}
