// Serves the OpenAPI document. It is made and compressed when it is first asked for.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Described, openApiDocument } from './document.ts'
import { toYaml } from './yaml.ts'

const CACHED_S = 300

export function registerOpenApi(app: FastifyInstance, described: Described): void {
  const json = served('application/json; charset=utf-8', () =>
    JSON.stringify(openApiDocument(described), undefined, 2),
  )
  const yaml = served('application/yaml; charset=utf-8', () => toYaml(openApiDocument(described)))
  app.get('/openapi.json', json)
  app.get('/openapi.yaml', yaml)
}

function served(type: string, write: () => string) {
  let made: { readonly text: Buffer; readonly compressed: Buffer; readonly etag: string } | undefined
  return (request: FastifyRequest, reply: FastifyReply) => {
    made ??= make(write())
    const { text, compressed, etag } = made
    const { 'if-none-match': cached, 'accept-encoding': encodings = '' } = request.headers
    // Tools on other sites read it, too: it holds no secrets.
    reply.headers({
      'cache-control': `public, max-age=${CACHED_S}`,
      etag,
      vary: 'accept-encoding',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    if (cached === etag) return reply.code(304).send()
    reply.type(type)
    return /\bgzip\b/.test(String(encodings))
      ? reply.header('content-encoding', 'gzip').send(compressed)
      : reply.send(text)
  }
}

function make(content: string) {
  const text = Buffer.from(content)
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  return { text, compressed: gzipSync(text, { level: 9 }), etag }
}
