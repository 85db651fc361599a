// The style sheets and scripts of the pages, read and compressed once. A script must match the manifest. Browsers revalidate
// them on every load, so a page never gets the script of another release, which its integrity hash would block.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { assetsFolder, hashOf, integrityOf } from './manifest.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

/** Sends one of the files in assets/. `headers` are those that differ. */
export function loadAsset(
  name: string,
  kind: keyof typeof types,
  headers: Readonly<Record<string, string>> = {},
): (reply: FastifyReply) => FastifyReply {
  if (kind === 'js') integrityOf(`${name}.js`)
  const text = readFileSync(new URL(`${name}.${kind}`, assetsFolder))
  const compressed = gzipSync(text, { level: 9 })
  const etag = `"${hashOf(text)}"`
  return (reply) => {
    const { 'if-none-match': cachedTag, 'accept-encoding': encodings = '' } = reply.request.headers
    reply
      .headers({
        'cache-control': 'no-cache',
        etag,
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
        ...headers,
      })
      .type(types[kind])
    if (cachedTag === etag) return reply.code(304).send()
    return /\bgzip\b/.test(String(encodings))
      ? reply.header('content-encoding', 'gzip').send(compressed)
      : reply.send(text)
  }
}
