// Style sheets, scripts and other texts that many clients read, each hashed and compressed once. Browsers revalidate
// the files of assets/ on every load, because a cached script of another release would fail the page's integrity check.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { acceptsEncoding } from './encoding.ts'
import { assetsFolder, integrityOf } from './manifest.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

export const ASSET_HEADERS = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' } as const

/** Returns a function that sends a file of assets/. Throws if the file is a script that is not in the manifest. */
export function loadAsset(
  name: string,
  kind: keyof typeof types,
  headers: Readonly<Record<string, string>> = {},
): (reply: FastifyReply) => FastifyReply {
  if (kind === 'js') integrityOf(`${name}.js`)
  const stored = storeText(types[kind], readFileSync(new URL(`${name}.${kind}`, assetsFolder)))
  return (reply) => sendStored(reply, stored, { ...ASSET_HEADERS, ...headers })
}

export type StoredText = {
  readonly type: string
  readonly text: Buffer
  readonly compressed: Buffer
  readonly etag: string
}

export function storeText(type: string, content: string | Buffer): StoredText {
  const text = Buffer.from(content)
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  return { type, text, compressed: gzipSync(text, { level: 9 }), etag }
}

export function sendStored(
  reply: FastifyReply,
  { type, text, compressed, etag }: StoredText,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  const { 'if-none-match': cached, 'accept-encoding': encodings } = reply.request.headers
  reply.headers({ ...headers, etag, vary: 'accept-encoding' }).type(type)
  if (cached === etag) return reply.code(304).send()
  return acceptsEncoding(encodings, 'gzip')
    ? reply.header('content-encoding', 'gzip').send(compressed)
    : reply.send(text)
}
