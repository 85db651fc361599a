import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import fastify from 'fastify'
import { endpoints } from '../endpoints.ts'
import { tablesOf } from '../fields/described-tables.ts'
import { openApiDocument } from './document.ts'
import { examples } from './examples.ts'
import { registerOpenApi } from './routes.ts'

const described = { baseUrl: 'https://pay.example', version: '1.2.3' }

type Tag = { readonly name: string; readonly description: string }
type Operation = {
  readonly operationId?: string
  readonly summary: string
  readonly tags?: readonly string[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, PathItem>>>>
}
type PathItem = { readonly post: Operation }

function calledBack({ callbacks = {} }: Operation): Operation[] {
  return Object.values(callbacks).flatMap((callback) => Object.values(callback).map(({ post }) => post))
}

function served(url: string, headers: Record<string, string> = {}) {
  const app = fastify()
  registerOpenApi(app, described)
  return app.inject({ url, headers })
}

describe('the OpenAPI document', () => {
  it('is valid, as JSON and as YAML, and both say the same', async () => {
    for (const path of ['/openapi.json', '/openapi.yaml']) {
      const { body, statusCode } = await served(path)
      assert.equal(statusCode, 200)
      const validator = new Validator()
      assert.deepEqual(await validator.validate(body), { valid: true })
      assert.equal(validator.version, '3.1')
      assert.deepEqual(validator.specification, openApiDocument(described))
    }
  })

  it('has every endpoint, and an example for each of its methods', async () => {
    const { paths } = JSON.parse((await served('/openapi.json')).body)
    assert.deepEqual(Object.keys(paths), Object.keys(endpoints))
    for (const [path, endpoint] of Object.entries(endpoints)) {
      const named = [...tablesOf(endpoint).keys()].filter((name) => name !== '')
      const shown = Object.entries(examples).find(([known]) => known === path)?.[1] ?? {}
      assert.ok(Object.keys(shown).length > 0, path)
      if (named.length > 0) assert.deepEqual(Object.keys(shown), named, path)
    }
  })

  it('says what notifications follow', async () => {
    const { paths } = JSON.parse((await served('/openapi.json')).body)
    const { payment, review, chargeback } = paths['/payment'].post.callbacks
    assert.ok(
      payment['{$request.body#/notifyUrl}'].post.requestBody.content['application/x-www-form-urlencoded'],
    )
    assert.ok(review)
    assert.ok(chargeback['{$request.body#/protestNotifyUrl}'].post.requestBody.content['application/json'])
    assert.deepEqual(Object.keys(paths['/refund/apply'].post.callbacks), ['refund'])
    assert.equal(paths['/order/query'].post.callbacks, undefined)
  })

  it('declares what linters ask for: security, licence, described tags, refusals of every operation', async () => {
    const { security, info, tags, paths } = JSON.parse((await served('/openapi.json')).body)
    assert.deepEqual(security, [])
    assert.ok(info.license.name && info.license.identifier && info.contact.url)
    const described = new Map<string, string>(tags.map((tag: Tag) => [tag.name, tag.description]))
    const operations = Object.values<PathItem>(paths).flatMap(({ post }) => [post, ...calledBack(post)])
    assert.ok(operations.length > Object.keys(endpoints).length)
    for (const { operationId, summary, tags: own = [], responses } of operations) {
      assert.ok(
        Object.keys(responses).some((status) => /^4\d\d$/.test(status)),
        operationId ?? summary,
      )
      for (const tag of own) assert.ok(described.get(tag), tag)
    }
    const ids = Object.values<PathItem>(paths).map(({ post }) => post.operationId)
    assert.equal(new Set(ids).size, Object.keys(endpoints).length)
  })

  it('is cached by its content', async () => {
    const { headers } = await served('/openapi.json')
    assert.equal(headers['cache-control'], 'public, max-age=300')
    const again = await served('/openapi.json', { 'if-none-match': String(headers.etag) })
    assert.deepEqual({ statusCode: again.statusCode, body: again.body }, { statusCode: 304, body: '' })
    const { headers: zipped } = await served('/openapi.json', { 'accept-encoding': 'gzip' })
    assert.equal(zipped['content-encoding'], 'gzip')
  })
})
