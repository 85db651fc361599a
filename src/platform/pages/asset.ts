// A text that many clients read: hashed and compressed once, and not sent again to a client that has it.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'

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
  const { 'if-none-match': cached, 'accept-encoding': encodings = '' } = reply.request.headers
  reply.headers({ ...headers, etag, vary: 'accept-encoding' }).type(type)
  if (cached === etag) return reply.code(304).send()
  return /\bgzip\b/.test(String(encodings))
    ? reply.header('content-encoding', 'gzip').send(compressed)
    : reply.send(text)
}
