// GET /docs: the documentation of this gateway, for anybody. In sandbox its pages show the demo merchant's numbers, and
// requests can be tried.
import { createReadStream } from 'node:fs'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadAsset } from '../pages/asset.ts'
import { formOf } from '../pages/form.ts'
import { html, pageHeaders, renderPage, sendPage } from '../pages/page.ts'
import { sendStored } from '../pages/stored-text.ts'
import { rootOf } from './article.ts'
import type { Docs } from './open-docs.ts'
import { registerSigningModules } from './try-it/signing-modules.ts'
import { registerTryIt, type Trying } from './try-it/try-routes.ts'
import { valuesFor } from './values.ts'

export type DocsDeps = {
  readonly sandbox: boolean
  readonly baseUrl: string
  /** The folder with docs/, examples/ and sdk/; ends with a slash. */
  readonly folder: URL
  /** In sandbox. */
  readonly demo?: Trying
}

const PICTURE_CACHED_S = 3_600
/** Browsers may keep a page, but ask whether it has changed. */
const CACHED = { ...pageHeaders(), 'cache-control': 'no-cache' }

type Named = { Params: { '*': string } }

export function registerDocs(app: FastifyInstance, deps: DocsDeps): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      request.log.error({ err: error }, 'a page of the documentation failed')
      return sendPage(reply, 500, brokenPage(deps.sandbox, rootOf(request)))
    })
    registerPages(scope, deps)
  })
}

function registerPages(app: FastifyInstance, deps: DocsDeps): void {
  let opened: Promise<Docs> | undefined
  const docs = () => {
    opened ??= import('./open-docs.ts').then(({ openDocs }) => openDocs(deps))
    return opened
  }
  const { demo } = deps
  const valuesOf = async ({ headers }: FastifyRequest) =>
    valuesFor(deps, await demo?.merchant(), headers.host)
  const style = loadAsset('docs', 'css')
  app.get('/assets/docs.css', (_request, reply) => style(reply))
  app.get('/docs', async (_request, reply) => sendStored(reply, (await docs()).home(), CACHED))
  app.get('/docs/search', async (request, reply) =>
    sendPage(reply, 200, await (await docs()).results(queryOf(request))),
  )
  app.get('/docs/search.json', async (request, reply) =>
    reply.headers(pageHeaders()).send(await (await docs()).suggestions(queryOf(request))),
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
    if (path === '') return reply.redirect('../docs', 301)
    // The addresses of the endpoints begin so.
    if (/^reference\/?$/.test(path)) return reply.redirect(`${rootOf(request)}docs/reference/endpoints`, 301)
    const [pages, values] = [await docs(), await valuesOf(request)]
    const form = demo && pages.endpoint(path, request.query, values)
    if (form !== undefined) return sendPage(reply, 200, form)
    const page = pages.stored(path, values)
    return page === undefined ? sendMissing(pages, request, reply) : sendStored(reply, page, CACHED)
  })
  if (demo === undefined) return
  registerSigningModules(app, deps.folder)
  registerTryIt(app, { demo, docs, valuesOf })
}

function queryOf({ query }: FastifyRequest): string {
  return formOf(query).q ?? ''
}

async function sendMissing(docs: Docs, request: FastifyRequest<Named>, reply: FastifyReply) {
  return sendPage(reply, 404, await docs.missing(request.params['*'], rootOf(request)))
}

/** Without the layout of the documentation, which may be what is broken. */
function brokenPage(sandbox: boolean, root: string): string {
  return renderPage({
    title: 'Documentation',
    sandbox,
    assets: `${root}assets`,
    step: html`<h1>This page cannot be shown</h1>
<p>Try again. If it stays so, the log of the gateway says why; the folder <code>docs/</code> must be beside <code>src/</code>.</p>`,
  })
}
