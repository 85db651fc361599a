// The OpenAPI document must declare the HTTP statuses with which a gateway really answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFrame, MER_NO, signed, type TestFrame } from '../../../../test/harness/merchant-frame.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { type EndpointPath, endpoints, isEndpoint } from '../endpoints.ts'
import { openApiDocument } from './document.ts'
import { examples } from './examples.ts'

type Response = { readonly content: object; readonly headers?: object; readonly $ref?: string }

const { paths, components } = JSON.parse(
  JSON.stringify(openApiDocument({ baseUrl: 'https://pay.example', version: '1.2.3' })),
)

/** Returns the declared responses in a form in which they can be compared with real responses. */
function declared(path: EndpointPath): Map<string, string> {
  const responses = new Map(Object.entries<Response>(paths[path].post.responses))
  responses.delete('default')
  return new Map(
    [...responses].map(([status, response]) => {
      const named: Response = components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response
      return [status, shown(Object.keys(named.content).join(), named.headers !== undefined)] as const
    }),
  )
}

function shown(type: string, mayRetry: boolean): string {
  return `${type}${mayRetry ? ', with Retry-After' : ''}`
}

const handlers = Object.fromEntries(
  Object.keys(endpoints).map((path) => [
    path,
    async () => {
      throw new Refusal('10013')
    },
  ]),
)
const open = await buildFrame({ handlers })
const outdated = await buildFrame({ handlers, isOutdated: () => true })
const blocking = await buildFrame({ handlers, mode: 'live' })
for (let failed = 0; failed < 600; failed++) blocking.frame.limits.requestFailed('127.0.0.1')

for (const path of Object.keys(endpoints).filter(isEndpoint)) {
  test(`${path} answers with the declared statuses, and with no others`, async () => {
    const seen = new Map<string, string>()
    const send = async ({ app }: TestFrame, payload: string, headers: Record<string, string> = {}) => {
      const isUpload = endpoints[path].body === 'multipart'
      const type = isUpload ? 'multipart/form-data; boundary=x' : 'application/json'
      const common = { 'content-type': type, referer: 'https://shop.example/cart' }
      const sent = { method: 'POST', url: path, payload, headers: { ...common, ...headers } } as const
      const { statusCode, headers: answered } = await app.inject(sent)
      const [answeredType = ''] = String(answered['content-type']).split(';')
      seen.set(String(statusCode), shown(answeredType, answered['retry-after'] !== undefined))
    }
    await send(open, '{')
    await send(open, 'x'.repeat(3 * 1024 * 1024))
    await send(open, '{}', { 'content-type': 'text/plain' })
    await send(outdated, '{')
    await send(blocking, '{')
    if (path === '/payment') {
      await send(open, '{', { paymentType: 'VN_BANK' })
      const body = signed({ ...examples[path].vn_bank?.body, merNo: MER_NO })
      await send(open, JSON.stringify(body), { paymentType: 'VN_BANK' })
    }
    assert.deepEqual(new Map([...seen].sort()), declared(path))
  })
}
