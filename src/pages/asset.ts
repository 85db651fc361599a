// The files that pages look and run by. Read and packed once; a script only if it is the one in the manifest. Browsers ask each
// time whether theirs is still the same: a page never meets the script of another release, which its hash would keep from
// running.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { assetsFolder, hashOf, integrityOf } from './manifest.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

/** Answers with one of the files in assets/. */
export function loadAsset(name: string, kind: keyof typeof types): (reply: FastifyReply) => FastifyReply {
  if (kind === 'js') integrityOf(`${name}.js`)
  const text = readFileSync(new URL(`${name}.${kind}`, assetsFolder))
  const packed = gzipSync(text, { level: 9 })
  const etag = `"${hashOf(text)}"`
  return (reply) => {
    const { 'if-none-match': theirs, 'accept-encoding': encodings = '' } = reply.request.headers
    reply
      .headers({
        'cache-control': 'no-cache',
        etag,
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
      })
      .type(types[kind])
    if (theirs === etag) return reply.code(304).send()
    return /\bgzip\b/.test(String(encodings))
      ? reply.header('content-encoding', 'gzip').send(packed)
      : reply.send(text)
  }
}
