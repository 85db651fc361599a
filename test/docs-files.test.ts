// The documentation on the web serves every file that its pages link to or name. Two kinds of names are left out: files
// that readers make, and files of the source.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { everywhere } from '../bench/hostile/public-routes.ts'
import type { Page } from '../src/interfaces/docs/article.ts'
import { registerDocs } from '../src/interfaces/docs/routes.ts'
import { openSite } from '../src/interfaces/docs/site.ts'

const folder = new URL('../', import.meta.url)
const sandbox = true
const baseUrl = 'http://127.0.0.1:8080'

/** Files that readers make, the gateway's own data, and methods of programs that look like files. */
const own = new Set([
  ...['body.json', 'checkout.json', 'notifications.txt', 'receiver.mjs', 'private.pem', 'public.pem'],
  ...['invoice.pdf', 'checkout.js', 'app/notify/route.ts'],
  ...['data/demo.json', 'demo.json', 'express.json', 'response.json'],
])
/** Documents name files of the source for readers who have the source. Merchants do not need these files. */
const forOperators = /^(src|test|bridge|docs\/operations)\//
const NAME =
  /(?<![\w./-])[\w./-]*\w\.(?:json|ya?ml|pem|m?js|md|ts|txt|sh|py|php|java|go|mod|tgz|pdf|zip|csv)\b(?!\()/g

let app: FastifyInstance
let pages: readonly Page[]

before(async () => {
  const site = await openSite({ sandbox, baseUrl, folder })
  pages = site.sections.flatMap((section) => section.pages)
  app = fastify()
  registerDocs(app, { sandbox, isLocal: true, baseUrl, folder })
})
after(() => app.close())

/** Asks the documentation for an address. Other addresses of the gateway must be among its public routes. */
async function isServed(pathname: string): Promise<boolean> {
  if (/^\/((docs|downloads)(\/|$)|assets\/docs\.css$)/.test(pathname))
    return (await app.inject(pathname)).statusCode === 200
  return Object.values(everywhere).some((row) => Object.hasOwn(row, `GET ${pathname}`))
}

async function bodyOf(page: Page): Promise<string> {
  return (await app.inject(`/docs/${page.path}`)).body
}

test('every file and page that a page of the documentation links to is served', async () => {
  const asked = new Map<string, string>()
  for (const page of pages)
    for (const [, to = ''] of (await bodyOf(page)).matchAll(/ (?:href|src)="(?!data:|#)([^"]+)"/g)) {
      const { origin, pathname } = new URL(to, `${baseUrl}/docs/${page.path}`)
      if (origin === baseUrl) asked.set(pathname, page.path)
    }
  assert.ok(asked.has('/docs/vectors.json') && asked.has('/docs/examples/php/pay.php'))
  for (const [pathname, page] of asked) assert.ok(await isServed(pathname), `${page} links to ${pathname}`)
})

test('every file that a page of the documentation names is served', async () => {
  for (const page of pages) {
    const [, main = ''] = (await bodyOf(page)).split('<main')
    const joined = main.replace(/<\/?(a|code|span)\b[^>]*>/g, '')
    const text = joined.replace(/<[^>]+>/g, ' ').replaceAll(baseUrl, '')
    for (const [name] of text.matchAll(NAME)) {
      if (own.has(name.replace(/^\.?\//, ''))) continue
      if (forOperators.test(name))
        assert.ok(
          ['', 'examples/'].some((place) => existsSync(new URL(`${place}${name}`, folder))),
          name,
        )
      else assert.ok(await isServedByName(name), `${page.path} names ${name}`)
    }
  }
})

/** True if the documentation or the gateway serves a file with this name. A sample names files of its own folder. */
async function isServedByName(name: string): Promise<boolean> {
  const file = name.replace(/^(\.|docs)?\/|\.md$/g, '')
  const places = [
    '',
    'keys/',
    'docs/',
    ...['curl', 'typescript', 'php', 'python', 'java', 'go'].map(inExamples),
  ]
  for (const place of places) if (await isServed(`/${place}${file}`)) return true
  return false
}

function inExamples(language: string): string {
  return `docs/examples/${language}/`
}

test('a folder of samples lists its files, and a sample is sent as it is', async () => {
  const { statusCode, body } = await app.inject('/docs/examples/php')
  assert.equal(statusCode, 200)
  assert.match(body, /<h1>Samples in PHP<\/h1>/)
  for (const [, link = ''] of body.matchAll(/href="([^"]+\.php)"/g))
    assert.ok(await isServed(new URL(link, `${baseUrl}/docs/examples/php`).pathname), link)
  const sample = await app.inject('/docs/examples/php/tollgate.php')
  assert.equal(sample.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(sample.body, /^<\?php/)
  for (const path of ['examples', 'examples/php/..', 'examples/php/none.php', 'examples/bridge/bridge.mjs'])
    assert.notEqual((await app.inject(`/docs/${path}`)).statusCode, 200, path)
})
