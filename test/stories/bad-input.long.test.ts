// Careless and hostile requests to a running gateway: each gets an envelope, nothing is stored, and the process keeps
// running.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Account, cardBody, pay, signed } from '../harness/client.ts'
import { countOrders } from '../harness/database-checks.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'

let installation: Installation
let gateway: GatewayProcess
let account: Account

const database = useDatabase({
  async before({ url }) {
    installation = await openInstallation({ DATABASE_URL: url })
    gateway = await installation.start()
    account = gateway.account
  },
  after: () => installation.remove(),
})

type Sent = {
  readonly method?: string
  readonly path?: string
  readonly type?: string
  readonly body?: string | Buffer
}

const json = (changes: Record<string, unknown> = {}) =>
  JSON.stringify(signed(account, '/payment', cardBody(account, changes)))

const bad: readonly [what: string, expected: string, sent: () => Sent][] = [
  ['text that is not JSON', '200 99996', () => ({ body: 'merNo=1&sign=x' })],
  ['truncated JSON', '200 99996', () => ({ body: json().slice(0, -1) })],
  ['an empty body', '200 99996', () => ({ body: '' })],
  ['a list', '200 99996', () => ({ body: '[]' })],
  ['null', '200 99996', () => ({ body: 'null' })],
  ['bytes that are not UTF-8', '200 99996', () => ({ body: Buffer.from('{"merNo":"\xff\xfe"}', 'latin1') })],
  ['lists a hundred thousand deep', '200 99997', () => ({ body: '['.repeat(100_000) })],
  ['objects a hundred thousand deep', '200 99997', () => ({ body: nested(100_000) })],
  ['ten megabytes', '413 99997', () => ({ body: Buffer.alloc(10_000_000, 'a') })],
  ['another content type', '415 99997', () => ({ body: json(), type: 'text/plain' })],
  ['another charset', '415 99997', () => ({ body: json(), type: 'application/json; charset=iso-8859-1' })],
  ['GET', '405 99997', () => ({ method: 'GET' })],
  ['PUT', '405 99997', () => ({ method: 'PUT', body: json() })],
  ['an unknown path', '404 99997', () => ({ path: '/payments', body: json() })],
  ['an invalid path', '404 99997', () => ({ path: '/%E0%A4%A', body: json() })],
  ['__proto__ in place of the fields', '200 10002', () => ({ body: `{"__proto__":${json()}}` })],
  [
    'constructor as the merchant',
    '200 99996',
    () => ({ body: '{"merNo":{"constructor":{"prototype":{}}}}' }),
  ],
  ['a number as the amount', '200 99996', () => ({ body: json({ sourceAmount: 12.34 }) })],
  ['an exponent as the amount', '200 99997', () => ({ body: json({ sourceAmount: '1e3' }) })],
  ['a negative amount', '200 99997', () => ({ body: json({ sourceAmount: '-1.00' }) })],
  ['an amount of 13 characters', '200 99997', () => ({ body: json({ sourceAmount: '1234567890.00' }) })],
  ['a control character', '200 99997', () => ({ body: json({ billingCity: 'Li\u0000ma' }) })],
]

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

describe('a running gateway', () => {
  for (const [what, expected, sent] of bad) {
    it(`answers ${what} with ${expected}`, async () => {
      const before = await countOrders(database.db)
      const { method = 'POST', path = '/payment', type = 'application/json', body } = sent()
      const response = await fetch(account.baseUrl + path, {
        method,
        headers: { 'content-type': type, referer: `https://${account.site}/` },
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      const answer = JSON.parse(text)
      assert.equal(`${response.status} ${answer.code}`, expected, text)
      assert.deepEqual(Object.keys(answer), ['code', 'message'])
      assert.ok(response.headers.get('x-request-id'))
      assert.doesNotMatch(text, /node_modules|\.ts:\d|\n\s+at |Error:/)
      assert.equal(await countOrders(database.db), before)
    })
  }

  it('stores emoji and right-to-left text unchanged', async () => {
    const reply = await pay(account, {
      billingFirstName: 'Zoë 👩🏽‍🚀',
      billingLastName: 'כהן',
      billingCity: 'دمشق',
    })
    assert.equal(reply.data.payCode, 0)
    const rows = await database.db.query({
      text: `
        select details::json->>'billingLastName' as last, details::json->>'billingCity' as city
        from order_details`,
    })
    assert.deepEqual(rows, [{ last: 'כהן', city: 'دمشق' }])
  })

  it('is still the same process and has logged no error', async () => {
    assert.equal((await fetch(`${account.baseUrl}/readyz`)).status, 200)
    assert.equal(await gateway.stop(), 0)
    assert.doesNotMatch(installation.output(), /"level":[56]0/)
  })
})
