// What the form "Try it" sends: an endpoint, and the example whose fields it begins with.
import { type EndpointPath, endpoints, isEndpoint } from '../../merchant-api/endpoints.ts'
import { tablesOf } from '../../merchant-api/fields/described-tables.ts'
import type { Table } from '../../merchant-api/fields/field.ts'
import { type Example, examples } from '../../merchant-api/openapi/examples.ts'

export type Target = {
  readonly path: EndpointPath
  readonly name: string
  readonly example: Example
  readonly table: Table
}

/** `page`: the path behind /docs/reference. Undefined if that is no endpoint. An unknown example is the first one. */
export function targetOf(page: string, wanted: unknown): Target | undefined {
  if (!isEndpoint(page)) return undefined
  const shown = Object.entries(examples[page])
  const [name, example] = shown.find(([one]) => one === wanted) ?? shown[0] ?? []
  if (name === undefined || example === undefined) return undefined
  const tables = tablesOf(endpoints[page])
  const { table = [] } = tables.get(name) ?? tables.get('') ?? {}
  return { path: page, name, example, table }
}

export function exampleNames(path: EndpointPath): string[] {
  return Object.keys(examples[path])
}
