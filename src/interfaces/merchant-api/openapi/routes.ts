// Serves the OpenAPI document as JSON and as YAML. Each form is made and compressed when it is first requested.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type StoredText, sendStored, storeText } from '../../../platform/pages/asset.ts'
import { type Described, openApiDocument } from './document.ts'
import type { Json } from './schemas.ts'

/** These headers allow tools on other sites to read the document, which contains no secrets. */
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

/** Writes a value as YAML. Texts are quoted as in JSON, which is also valid in YAML. */
function toYaml(value: Json): string {
  return `${linesOf(value).join('\n')}\n`
}

function linesOf(value: Json): string[] {
  if (isScalar(value) || isEmpty(value)) return [JSON.stringify(value)]
  if (Array.isArray(value)) return value.flatMap((one) => nested('-', one, true))
  return Object.entries(value).flatMap(([name, one]) => nested(`${keyOf(name)}:`, one, false))
}

function nested(head: string, value: Json, startsBesideHead: boolean): string[] {
  const lines = linesOf(value)
  const [first = '', ...more] = lines
  if (isScalar(value) || isEmpty(value)) return [`${head} ${first}`]
  if (startsBesideHead) return [`${head} ${first}`, ...more.map((line) => `  ${line}`)]
  return [head, ...lines.map((line) => `  ${line}`)]
}

/** Quotes names such as `no` or `200`, because YAML would read them as values of other types. */
function keyOf(name: string): string {
  return /^[a-z_][\w-]{3,}$/i.test(name) && !/^(null|true|false)$/i.test(name) ? name : JSON.stringify(name)
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value !== 'object'
}

function isEmpty(value: Json): boolean {
  return Object.keys(value).length === 0
}
