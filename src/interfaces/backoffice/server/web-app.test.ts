import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { builtAppFolder, registerWebApp } from './web-app.ts'

const FIRST_VIEW_BYTES = 270_000

const empty = mkdtempSync(join(tmpdir(), 'tollgate-web-'))
after(() => rmSync(empty, { recursive: true }))

function serve(folder?: string) {
  const app = Fastify()
  app.register(async (scope) => registerWebApp(scope, folder), { prefix: '/backoffice' })
  return app
}

type Chunk = {
  readonly file: string
  readonly isEntry?: boolean
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}
type Chunks = Readonly<Record<string, Chunk>>

const chunks: Chunks = JSON.parse(readFileSync(`${builtAppFolder}/files.json`, 'utf8'))

/** Returns the files of a chunk and of all chunks that it imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = chunks[name]
  if (chunk === undefined || seen.has(chunk.file)) return seen
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file)
  for (const one of chunk.imports ?? []) filesOf(one, seen)
  return seen
}

/**
 * Returns the size of a file as current browsers get it. The file is compressed with Brotli, unless the build left it
 * uncompressed because it is small.
 */
function sentBytes(file: string): number {
  const path = `${builtAppFolder}/${file}`
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

test('every address below /backoffice answers the page, with a nonce of its own', async () => {
  const app = serve()
  const nonces: string[] = []
  for (const url of ['/backoffice', '/backoffice/', '/backoffice/orders/T1?state=paid']) {
    const { statusCode, headers, body } = await app.inject({ url })
    assert.equal(statusCode, 200)
    assert.equal(headers['cache-control'], 'no-store')
    const [, nonce = ''] =
      /style-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
    assert.ok(nonce.length >= 20 && body.includes(`nonce="${nonce}"`), url)
    assert.doesNotMatch(body, /NONCE/)
    nonces.push(nonce)
  }
  assert.equal(new Set(nonces).size, nonces.length)
})

test('a folder that cannot be read for a moment is read again by the next request', async () => {
  const folder = mkdtempSync(join(empty, 'broken-'))
  mkdirSync(join(folder, 'index.html'))
  const app = serve(folder)
  assert.equal((await app.inject({ url: '/backoffice' })).statusCode, 500)
  rmSync(join(folder, 'index.html'), { recursive: true })
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<p>Here</p>')
  assert.equal((await app.inject({ url: '/backoffice' })).body, '<p>Here</p>')
})

test('files are cached for ever and sent compressed', async () => {
  const app = serve()
  const [file = ''] = filesOf('index.html')
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['', undefined],
  ]) {
    const { statusCode, headers } = await app.inject({
      url: `/backoffice/${file}`,
      headers: { 'accept-encoding': accepted },
    })
    assert.equal(statusCode, 200)
    assert.equal(headers['content-encoding'], encoding)
    assert.match(String(headers['cache-control']), /immutable/)
  }
  assert.equal((await app.inject({ url: '/backoffice/assets/gone.js' })).statusCode, 404)
  assert.equal((await app.inject({ url: '/backoffice/assets/..%2findex.html' })).statusCode, 404)
})

test('an installation without the built files says how to build them', async () => {
  const { statusCode, body } = await serve(empty).inject({ url: '/backoffice' })
  assert.equal(statusCode, 503)
  assert.match(body, /node setup\.mjs/)
})

test('the first view of every page is small', () => {
  const pages = Object.keys(chunks).filter((name) => name.startsWith('src/pages/'))
  assert.ok(pages.length > 0)
  for (const name of pages) {
    const files = [...filesOf(name, filesOf('index.html'))]
    const bytes = files.map(sentBytes).reduce((sum, one) => sum + one, 0)
    assert.ok(bytes <= FIRST_VIEW_BYTES, `${name}: ${bytes} bytes`)
  }
})
