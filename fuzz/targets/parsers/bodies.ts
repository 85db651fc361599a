// Bodies of requests to every endpoint, from their bytes to their fields.
import { checkMultipartType, parseMultipart } from '../../../src/merchant-api/checks/multipart.ts'
import { parseBody } from '../../../src/merchant-api/checks/parse-body.ts'
import { escapedString, plainString, signedFields } from '../../../src/merchant-api/checks/rsa-string.ts'
import { type Endpoint, endpoints, isEndpoint } from '../../../src/merchant-api/endpoints.ts'
import { type Body, checkTypes } from '../../../src/merchant-api/fields/check-types.ts'
import { fieldsOf, readFields } from '../../../src/merchant-api/fields/read-fields.ts'
import type { Target } from '../../input.ts'
import { pathOf, seedRequests } from '../../requests.ts'
import { fill } from '../../template.ts'
import { parserTarget } from './parser-target.ts'

export async function openBodies(): Promise<Target> {
  const seeds = seedRequests().filter(({ head = '' }) => head.includes('application/json'))
  return parserTarget({
    name: 'bodies',
    seeds: seeds.map((input) => ({ path: pathOf(input), body: fill(input.body ?? '', () => '7') })),
    parse({ path = '', body: text = '' }) {
      const body = parseBody(Buffer.from(text))
      const signed = signedFields(body)
      plainString(signed)
      escapedString(signed)
      if (isEndpoint(path)) readAll(endpoints[path], body)
      return true
    },
  })
}

/** By every table of the endpoint. The first that takes it is enough. */
function readAll({ choices }: Endpoint, body: Body): void {
  const currency = typeof body.currencyCode === 'string' ? body.currencyCode : ''
  for (const { table } of choices.values()) {
    checkTypes(table, body)
    fieldsOf(table, readFields(table, body, { mode: 'sandbox', currency }))
    return
  }
}

export async function openUploads(): Promise<Target> {
  const seeds = seedRequests().filter(({ head = '' }) => head.includes('multipart'))
  return parserTarget({
    name: 'uploads',
    seeds: seeds.map(({ head = '', body = '' }) => ({
      type: /content-type: (.*)/.exec(head)?.[1] ?? '',
      body,
    })),
    parse({ type = '', body = '' }) {
      return parseMultipart(Buffer.from(body, 'latin1'), checkMultipartType(type)).files.length === 1
    },
  })
}
