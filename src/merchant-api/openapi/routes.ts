// Serves the OpenAPI document. It is made and compressed when it is first asked for.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type StoredText, sendStored, storeText } from '../../pages/stored-text.ts'
import { type Described, openApiDocument } from './document.ts'
import { toYaml } from './yaml.ts'

/** Tools on other sites read it, too: it holds no secrets. */
const headers = {
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
}

export function registerOpenApi(app: FastifyInstance, described: Described): void {
  const json = served('application/json; charset=utf-8', () =>
    JSON.stringify(openApiDocument(described), undefined, 2),
  )
  const yaml = served('application/yaml; charset=utf-8', () => toYaml(openApiDocument(described)))
  app.get('/openapi.json', json)
  app.get('/openapi.yaml', yaml)
}

function served(type: string, write: () => string) {
  let stored: StoredText | undefined
  return (_request: FastifyRequest, reply: FastifyReply) => {
    stored ??= storeText(type, write())
    return sendStored(reply, stored, headers)
  }
}
