import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogue } from '../../../platform/errors/catalogue.ts'
import { type Endpoint, endpoints } from '../../merchant-api/endpoints.ts'
import { tablesOf } from '../../merchant-api/fields/described-tables.ts'
import type { Field, Table } from '../../merchant-api/fields/field.ts'
import { answers } from '../../merchant-api/fields/sent-fields.ts'
import type { Json } from '../../merchant-api/openapi/schemas.ts'
import { standIns } from '../values.ts'
import { endpointPage, endpointPaths, errorsOf } from './endpoint-page.ts'
import { exampleAnswers } from './example-answers.ts'

const all: readonly Endpoint[] = Object.values(endpoints)

describe('the reference', () => {
  it('names every code of the catalogue at some endpoint', () => {
    const named = new Set<string>(all.flatMap((endpoint) => errorsOf(endpoint).map(({ code }) => code)))
    const unnamed = Object.keys(catalogue).filter((code) => code !== '00000' && !named.has(code))
    assert.deepEqual(unnamed, [])
  })

  it('shows examples of responses with the fields of the tables', () => {
    for (const [kind, table] of Object.entries(answers)) {
      const example = Object.entries(exampleAnswers).find(([name]) => name === kind)?.[1]
      assert.ok(example, kind)
      assert.deepEqual(differences(table, example), [], kind)
    }
  })

  it('shows every method of an endpoint with its own fields and example', () => {
    const values = standIns(true, 'http://127.0.0.1:8080')
    for (const path of endpointPaths) {
      const { body, headings } = endpointPage(path).write(values)
      const methods = [...tablesOf(endpoints[path]).keys()].filter((name) => name !== '')
      const ids = headings.map(({ id }) => id)
      assert.deepEqual(
        ids.filter((id) => methods.includes(id)),
        methods,
        path,
      )
      assert.match(body.html, new RegExp(`POST ${path}`), path)
    }
    const { body } = endpointPage('/payment').write(values)
    assert.match(body.html, /socialSecurityNumber/)
    assert.match(body.html, /paymentType: PIX/)
  })
})

function differences(table: Table, example: { readonly [name: string]: Json }): string[] {
  const missing = table.filter(({ name, required }) => required && !Object.hasOwn(example, name))
  const unknown = Object.keys(example).filter((name) => !table.some((field) => field.name === name))
  const wrong = table.filter((field) => !fits(field, example[field.name]))
  return [...missing, ...wrong].map(({ name }) => name).concat(unknown)
}

function fits({ type, oneOf, of }: Field, value: Json | undefined): boolean {
  if (value === undefined) return true
  if (oneOf !== undefined && !oneOf.includes(String(value))) return false
  if (type === 'integer') return Number.isInteger(value)
  if (type !== 'list') return typeof value === 'string'
  return Array.isArray(value) && value.every((one) => differences(of?.fields ?? [], one).length === 0)
}
