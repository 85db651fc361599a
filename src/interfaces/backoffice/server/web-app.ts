// Serves the web app: its files by hashed name, and its one page at every other address below /backoffice.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Asset, type BuiltApp, builtAppFolder, readBuiltApp } from './built-app.ts'

const NONCE_BYTES = 16

const missing = `<!doctype html><html lang="en"><title>Back office</title><h1>The back office is not built here</h1>
<p>Run <code>node setup.mjs</code> in the installation's folder and start the gateway again, or open a node that serves it.</p>`

export function registerWebApp(scope: FastifyInstance, folder = builtAppFolder): void {
  // Read at the first request: most processes never need it.
  let reading: Promise<BuiltApp | undefined> | undefined
  const readOnce = () => {
    reading ??= readBuiltApp(folder)
    return reading
  }
  scope.get('/assets/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = (await readOnce())?.assets.get(request.params.name)
    if (asset === undefined) return reply.code(404).header('cache-control', 'no-store').send()
    return sendAsset(request, reply, asset)
  })
  const sendPage = async (_: FastifyRequest, reply: FastifyReply) => {
    const app = await readOnce()
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
      // Mantine and the scroll lock of dialogs write style elements.
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
  const accepted = (request.headers['accept-encoding'] ?? '').split(',').map((one) => one.trim())
  if (asset.brotli !== undefined && accepted.includes('br'))
    return reply.header('content-encoding', 'br').send(asset.brotli)
  if (asset.gzip !== undefined && accepted.includes('gzip'))
    return reply.header('content-encoding', 'gzip').send(asset.gzip)
  return reply.send(asset.plain)
}
