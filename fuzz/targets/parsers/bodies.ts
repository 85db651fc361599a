// Bodies of requests to every endpoint that takes JSON, from their bytes to their fields.
import { chosenBy } from '../../../src/interfaces/merchant-api/checks/check-request.ts'
import { checkMultipartType, parseMultipart } from '../../../src/interfaces/merchant-api/checks/multipart.ts'
import { parseBody } from '../../../src/interfaces/merchant-api/checks/parse-body.ts'
import {
  escapedString,
  plainString,
  signedFields,
} from '../../../src/interfaces/merchant-api/checks/rsa-string.ts'
import {
  type Endpoint,
  endpoints,
  isEndpoint,
  tableOfNoChoice,
} from '../../../src/interfaces/merchant-api/endpoints.ts'
import { fieldsOf } from '../../../src/interfaces/merchant-api/fields/field-values.ts'
import { type Body, checkTypes, readFields } from '../../../src/interfaces/merchant-api/fields/read-fields.ts'
import type { Target } from '../../input.ts'
import { pathOf, seedRequests } from '../../requests.ts'
import { fill } from '../../template.ts'
import { parserTarget } from './parser-target.ts'

const known: Readonly<Record<string, string>> = { notifyUrl: 'https://shop.example/notify' }

export async function openBodies(): Promise<Target> {
  const seeds = seedRequests().filter(({ head = '' }) => head.includes('application/json'))
  return parserTarget({
    name: 'bodies',
    seeds: seeds.map((input) => {
      const type = /\r\npaymentType: (\S+)/.exec(input.head ?? '')?.[1] ?? ''
      return { path: pathOf(input), type, body: fill(input.body ?? '', (name) => known[name] ?? '7') }
    }),
    parse({ path = '', type = '', body: text = '' }) {
      const body = parseBody(Buffer.from(text))
      const signed = signedFields(body)
      plainString(signed)
      escapedString(signed)
      if (isEndpoint(path)) readTable(endpoints[path], type, body)
      return true
    },
  })
}

function readTable(endpoint: Endpoint, paymenttype: string, body: Body): void {
  const currency = typeof body.currencyCode === 'string' ? body.currencyCode : ''
  const chosen = endpoint.choices.get(chosenBy(endpoint, { paymenttype }, body))
  const table = chosen?.table ?? tableOfNoChoice(endpoint)
  checkTypes(table, body)
  fieldsOf(table, readFields(table, body, { mayNotify: () => false, currency }))
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
