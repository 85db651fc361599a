// The OpenAPI document against a real gateway in sandbox: the story sends every example of the document, and pays with
// a client that a foreign generator made from the document.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { generateSource } from 'oazapfts'
import { type EndpointPath, endpoints, isEndpoint } from '../../src/interfaces/merchant-api/endpoints.ts'
import { State } from '../../src/money/orders/order.ts'
import { type Account, newNumber } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

type Body = Readonly<Record<string, unknown>>
type Examples = Readonly<Record<string, { readonly value: Body }>>

let installation: Installation
let operator: Operator
let demo: Account
/** A merchant whose SEPA payments are reviewed. */
let reviewed: Account
/** The document's examples, by path. */
const shown = new Map<EndpointPath, { readonly bodies: Examples; readonly headers: Examples }>()

const database = useDatabase({
  async before() {
    installation = await openInstallation({ DATABASE_URL: database.url })
    demo = (await installation.start()).account
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    const made = await operator.run(
      ...['merchant', 'create', '--name', 'Shop', '--site', 'shop.example', '--review-above', '1.00'],
    )
    reviewed = { ...demo, site: 'shop.example', merNo: Number(made.merNo), key: String(made.key) }
    const { paths } = JSON.parse(await (await fetch(`${demo.baseUrl}/openapi.json`)).text())
    for (const path of Object.keys(paths).filter(isEndpoint)) {
      const { parameters = [], requestBody } = paths[path].post
      const [content] = Object.values<{ readonly examples: Examples }>(requestBody.content)
      const chooser = parameters.find(({ name }: { name: string }) => name === 'paymentType')
      shown.set(path, { bodies: content?.examples ?? {}, headers: chooser?.examples ?? {} })
    }
  },
  after: () => installation.remove(),
})

function example(path: EndpointPath, name: string, changes: Body, account = demo): Body {
  const value = shown.get(path)?.bodies[name]?.value
  assert.ok(value, `${path} shows ${name}`)
  return signed(path, { ...value, ...changes, merNo: account.merNo }, account)
}

function signed(path: EndpointPath, body: Body, { key }: Account): Body {
  const text = endpoints[path].signed.map((name) => String(body[name] ?? '')).join('')
  const sign = createHash('md5')
    .update(text + key)
    .digest('hex')
    .toUpperCase()
  return { ...body, sign }
}

async function send(path: EndpointPath, name: string, changes: Body, account = demo): Promise<Body> {
  const body = example(path, name, changes, account)
  const paymentType = String(shown.get(path)?.headers[name]?.value ?? '')
  const response = await fetch(account.baseUrl + path, {
    method: 'POST',
    headers: {
      referer: `https://${account.site}/cart`,
      ...(paymentType !== '' && { paymentType }),
      ...(endpoints[path].body === 'json' && { 'content-type': 'application/json' }),
    },
    body: endpoints[path].body === 'json' ? JSON.stringify(body) : multipart(body),
  })
  const text = await response.text()
  if (endpoints[path].answers === 'html') {
    assert.match(text, /http-equiv="refresh"/, `${path} ${name}`)
    return {}
  }
  const { code, message, data } = JSON.parse(text)
  assert.deepEqual({ code, message }, { code: '00000', message: 'SUCCESS' }, `${path} ${name}`)
  return data
}

function multipart({ file, ...fields }: Body): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob([String(file)]), 'statement.pdf')
  return form
}

it('every example that opens an order is accepted', async () => {
  const paths = [...shown.keys()].filter((path) => ['pay', 'payout'].includes(endpoints[path].does))
  const sent = paths.flatMap((path) =>
    Object.keys(shown.get(path)?.bodies ?? {}).map((name) => [path, name] as const),
  )
  await Promise.all(sent.map(([path, name]) => send(path, name, { merOrderNo: newNumber() })))
  assert.ok(sent.length > 30)
})

it('every example of a refund and a query is accepted', async () => {
  const { merOrderNo, tradeNo } = await send('/payment', 'card', { merOrderNo: newNumber() })
  const numbers = { merOrderNo, tradeNo }
  await send('/refund/apply', 'part', numbers)
  for (const name of ['sales', 'refund']) await send('/order/query', name, numbers)
  const isRefunded = async () => (await send('/order/query', 'refund', numbers)).state === 6
  assert.ok(await eventually(isRefunded))
  await operator.run('chargeback', 'open', '--trade-no', String(tradeNo))
  await send('/order/query', 'chargeback', numbers)
  for (const path of ['/balance/query', '/order/queryOrderList', '/order/queryAmount'] as const)
    for (const name of Object.keys(shown.get(path)?.bodies ?? {})) await send(path, name, {})
})

it('the examples of a review are accepted', async () => {
  const { tradeNo, merOrderNo } = await send('/payment', 'sepa', { merOrderNo: newNumber() }, reviewed)
  const [row] = await database.db.query<{ url: string }>({
    text: `select action->>'appUrl' as url from attempts where trade_no = $1`,
    values: [tradeNo],
  })
  const approval = new URLSearchParams({ decision: 'approve', amount: '12.34' })
  assert.equal((await fetch(row?.url ?? '', { method: 'POST', body: approval })).status, 200)
  const { fileId } = await send('/file/upload', 'pdf', {}, reviewed)
  const files = [{ type: 'payerIdentityDocument', fileId }]
  const isAsked = async () => {
    const orders = await send('/order/queryOrderList', 'numbers', { merOrderNos: [merOrderNo] }, reviewed)
    return JSON.stringify(orders).includes(`"state":${State.informationAsked}`)
  }
  assert.ok(await eventually(isAsked))
  await send('/review/submit', 'answer', { tradeNo, files }, reviewed)
})

it('a client made by a foreign generator pays', async () => {
  const source = await generateSource(`${demo.baseUrl}/openapi.json`)
  const file = join(installation.dataDir, 'client.ts')
  const resolved = source.replaceAll(/(?<=from ")@oazapfts[^"]+/g, (name) => import.meta.resolve(name))
  writeFileSync(file, resolved)
  const client = await import(pathToFileURL(file).href)
  assert.equal(client.defaults.baseUrl, demo.baseUrl)
  const body = example('/payment', 'card', { merOrderNo: newNumber() })
  const { status, data } = await client.pay(`https://${demo.site}/cart`, body)
  assert.deepEqual(
    { status, code: data.code, payCode: data.data.payCode },
    { status: 200, code: '00000', payCode: 0 },
  )
})
