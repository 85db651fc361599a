// Serves the web app: its files, whose names contain hashes, and its only HTML page at every other address below
// /backoffice except those of the API. The built app is read into memory only once, so that files of a later build are
// never mixed with files of this build.
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onceDone } from '../../../platform/base/memoize.ts'
import { acceptsEncoding } from '../../../platform/pages/encoding.ts'

const NONCE_BYTES = 16

const missing = `<!doctype html><html lang="en"><title>Back office</title><h1>The back office is not built here</h1>
<p>Run <code>node setup.mjs</code> in the installation's folder and start the gateway again, or open a node that serves it.</p>`

export function registerWebApp(scope: FastifyInstance, folder = builtAppFolder): void {
  // The app is read at the first request, because most processes never serve it.
  const readApp = onceDone(() => readBuiltApp(folder))
  scope.get('/assets/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = (await readApp())?.assets.get(request.params.name)
    if (asset === undefined) return reply.code(404).header('cache-control', 'no-store').send()
    return sendAsset(request, reply, asset)
  })
  const sendPage = async (_: FastifyRequest, reply: FastifyReply) => {
    const app = await readApp()
    const nonce = randomBytes(NONCE_BYTES).toString('base64')
    reply.headers(pageHeaders(nonce))
    if (app === undefined) return reply.code(503).send(missing)
    return reply.send(app.page.replaceAll('NONCE', nonce))
  }
  scope.get('/', sendPage)
  scope.get('/*', sendPage)
}

function pageHeaders(nonce: string) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      // Mantine and the scroll lock of dialogs write style elements, which need the nonce.
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "font-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply.headers({
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  })
  const { 'accept-encoding': encodings } = request.headers
  if (asset.brotli !== undefined && acceptsEncoding(encodings, 'br'))
    return reply.header('content-encoding', 'br').send(asset.brotli)
  if (asset.gzip !== undefined && acceptsEncoding(encodings, 'gzip'))
    return reply.header('content-encoding', 'gzip').send(asset.gzip)
  return reply.send(asset.plain)
}

type Asset = {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
}

type BuiltApp = {
  /** The HTML page. In each response, the word NONCE is replaced by the nonce of the response. */
  readonly page: string
  readonly assets: ReadonlyMap<string, Asset>
}

export const builtAppFolder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Reads the built app from its folder. Returns undefined if the app has not been built. */
async function readBuiltApp(folder: string): Promise<BuiltApp | undefined> {
  const page = await readOrMiss(`${folder}/index.html`)
  if (page === undefined) return undefined
  const names = await readdir(`${folder}/assets`)
  const served = names.filter((name) => types[extname(name)] !== undefined)
  const assets = await Promise.all(
    served.map(async (name) => [name, await readAsset(`${folder}/assets/${name}`)] as const),
  )
  return { page: page.toString('utf8'), assets: new Map(assets) }
}

async function readAsset(path: string): Promise<Asset> {
  const [plain, gzip, brotli] = await Promise.all([
    readFile(path),
    readOrMiss(`${path}.gz`),
    readOrMiss(`${path}.br`),
  ])
  return { type: types[extname(path)] ?? '', plain, gzip, brotli }
}

async function readOrMiss(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
