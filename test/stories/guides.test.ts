// Sends every request of the merchants' guides to a real gateway in sandbox, and compares the answers with those that the
// guides show. A guide's numbers are replaced by new ones, the same number by the same.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Fields, isObject } from '../../src/base/object.ts'
import { md5 } from '../../src/base/secret.ts'
import { type Endpoint, endpoints } from '../../src/merchant-api/endpoints.ts'
import { State } from '../../src/orders/order.ts'
import { type Account, call, newNumber, pay } from '../client.ts'
import { eventually } from '../eventually.ts'
import { type Installation, openInstallation } from '../gateway-process.ts'
import { type Example, examplesOf, type Guide, guides } from '../guides.ts'
import { cloneDatabase, type TestDatabase } from '../harness.ts'
import { type Operator, operatorAt } from '../operator.ts'

let database: TestDatabase
let installation: Installation
let operator: Operator
let demo: Account

before(async () => {
  database = await cloneDatabase()
  // Counterparties are called over HTTP and always respond.
  installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_CHANNEL_TIMEOUT_MS: '60000' })
  demo = (await installation.start()).account
  operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
})
after(async () => {
  await installation.remove()
  await database.drop()
})

/** One guide: who calls, and the numbers that stand for those it shows. */
type Reading = { readonly account: Account; readonly numbers: Map<string, string> }

describe('the requests of', () => {
  for (const guide of guides.filter((one) => examplesOf(one).length > 0))
    it(guide.name, async () => {
      const reading = await open(guide)
      for (const example of examplesOf(guide)) await send(reading, example)
    })
})

/** The order that a guide speaks of before its first request. */
async function open(guide: Guide): Promise<Reading> {
  const numbers = new Map<string, string>()
  const [first] = examplesOf(guide)
  const opensOrder = first !== undefined && ['pay', 'payout'].includes(endpoints[first.path].does)
  if (opensOrder) return { account: demo, numbers }
  if (guide.name === 'reviews') return openReview(numbers)
  const { tradeNo, merOrderNo } = (await pay(demo)).data
  numbers.set('ORDER-1001', String(merOrderNo)).set('T0000000000000000000000000000001', String(tradeNo))
  if (guide.name === 'disputes')
    await operator.run('chargeback', 'open', '--trade-no', String(tradeNo), '--reason', '4853')
  return { account: demo, numbers }
}

async function openReview(numbers: Map<string, string>): Promise<Reading> {
  const made = await operator.run(
    ...['merchant', 'create', '--name', 'Shop', '--site', 'shop.example', '--review-above', '1.00'],
  )
  const account = { ...demo, site: 'shop.example', merNo: Number(made.merNo), key: String(made.key) }
  const sepa = guides.flatMap(examplesOf).find(({ paymentType }) => paymentType === 'SEPA')
  assert.ok(sepa)
  const { tradeNo, merOrderNo } = await post({ account, numbers: new Map() }, sepa)
  await approveTransfer(String(tradeNo))
  const list = { merNo: account.merNo, merOrderNos: [merOrderNo] }
  const isAsked = async () => {
    const { data } = await call(account, '/order/queryOrderList', list)
    return JSON.stringify(data).includes(`"state":${State.informationAsked}`)
  }
  assert.ok(await eventually(isAsked))
  numbers.set('T0000000000000000000000000000001', String(tradeNo)).set('ORDER-1001', String(merOrderNo))
  numbers.set('F0000000000000000000000000000001', await upload(account))
  return { account, numbers }
}

async function approveTransfer(tradeNo: string): Promise<void> {
  const [row] = await database.db.query<{ url: string }>({
    text: `select action->>'appUrl' as url from attempts where trade_no = $1`,
    values: [tradeNo],
  })
  const body = new URLSearchParams({ decision: 'approve', amount: '12.34' })
  assert.equal((await fetch(row?.url ?? '', { method: 'POST', body })).status, 200)
}

async function upload({ baseUrl, merNo, key }: Account): Promise<string> {
  const form = new FormData()
  const fields = { merNo: String(merNo), type: '.pdf', sign: md5(`.pdf${merNo}${key}`) }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob(['%PDF-1.7']), 'invoice.pdf')
  const response = await fetch(`${baseUrl}/file/upload`, { method: 'POST', body: form })
  const { data } = JSON.parse(await response.text())
  return String(data.fileId)
}

/** A query is repeated until its state is the one that the guide shows. */
async function send(reading: Reading, example: Example): Promise<void> {
  const shown = isObject(example.answer?.data) ? example.answer.data : undefined
  let data = await post(reading, example)
  if (shown === undefined) return
  const isThere = async () => {
    if (data.state !== shown.state) data = await post(reading, example)
    return data.state === shown.state
  }
  assert.ok(await eventually(isThere), `${example.guide}: state ${shown.state}`)
  assert.deepEqual(shapeOf(data), shapeOf(shown), `${example.guide} ${example.path}`)
  assert.deepEqual([data.payCode, data.message], [shown.payCode, shown.message], example.guide)
}

/** Names and types. */
function shapeOf(data: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value]))
}

async function post(reading: Reading, { path, paymentType, body, guide }: Example): Promise<Fields> {
  const { account } = reading
  const renumbered = JSON.parse(JSON.stringify(body), (_, value) => numberFor(reading, value))
  const endpoint: Endpoint = endpoints[path]
  const signed = 'merRefundNo' in body ? (endpoint.signedLonger ?? endpoint.signed) : endpoint.signed
  const unsigned = { ...renumbered, merNo: account.merNo }
  const sign = md5(signed.map((name) => String(unsigned[name] ?? '')).join('') + account.key)
  const headers: Record<string, string> = paymentType === '' ? {} : { paymentType }
  const { code, message, data } = await call(account, path, { ...unsigned, sign }, headers)
  assert.deepEqual([code, message], ['00000', 'SUCCESS'], `${guide} ${path}`)
  return data
}

/** Numbers of the merchant are new for each guide. */
function numberFor({ numbers }: Reading, value: unknown): unknown {
  if (typeof value !== 'string' || !/^((ORDER|REFUND)-\d+|[TF]0{30}1)$/.test(value)) return value
  const known = numbers.get(value) ?? newNumber()
  numbers.set(value, known)
  return known
}
