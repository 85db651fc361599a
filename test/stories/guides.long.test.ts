// Sends every request of the merchants' guides to a real gateway in sandbox, and compares the answers with those that
// the guides show. A guide's numbers are replaced by new ones, the same number by the same. Then types every command.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Endpoint, endpoints } from '../../src/interfaces/merchant-api/endpoints.ts'
import { State } from '../../src/money/orders/order.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { md5 } from '../../src/platform/base/secret.ts'
import { openReceiver, type Receiver } from '../counterparties/receiver.ts'
import { type Account, call, cardBody, newNumber, pay, signed } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { freePort, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { type GuideShell, openGuideShell, type Wanted } from '../harness/guide-shell.ts'
import {
  blocksOf,
  type Example,
  examplesOf,
  filled,
  type Guide,
  guideNamed,
  guides,
} from '../harness/guides.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

let installation: Installation
let operator: Operator
let demo: Account
let receiver: Receiver
let shell: GuideShell

const database = useDatabase({
  async before() {
    // Counterparties are called over HTTP and always respond.
    installation = await openInstallation({
      DATABASE_URL: database.url,
      TOLLGATE_CHANNEL_TIMEOUT_MS: '60000',
    })
    demo = (await installation.start()).account
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    receiver = await openReceiver()
    shell = openGuideShell({
      DATABASE_URL: database.url,
      TOLLGATE_DATA_DIR: installation.dataDir,
      TOLLGATE_BASE_URL: demo.baseUrl,
      PORT: String(await freePort()),
    })
  },
  async after() {
    shell.remove()
    await receiver.close()
    await installation.remove()
  },
})

/** The state of one guide: the account that calls, and the numbers that replace those of the guide. */
type Reading = { readonly account: Account; readonly numbers: Map<string, string> }

describe('the requests of', () => {
  for (const guide of guides.filter((one) => examplesOf(one).length > 0))
    it(guide.name, async () => {
      const reading = await open(guide)
      for (const example of examplesOf(guide)) await send(reading, example)
    })
})

/** Opens the order that a guide mentions before its first request. */
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

/** Sends a request of the guide. A query is repeated until its state is the one that the guide shows. */
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
  assert.deepEqual(
    { payCode: data.payCode, message: data.message },
    { payCode: shown.payCode, message: shown.message },
    example.guide,
  )
}

/** Returns the names of the fields with their types. */
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
  assert.deepEqual({ code, message }, { code: '00000', message: 'SUCCESS' }, `${guide} ${path}`)
  return data
}

/** Returns the number that replaces a number of the guide. Each guide gets new numbers. */
function numberFor({ numbers }: Reading, value: unknown): unknown {
  if (typeof value !== 'string' || !/^((ORDER|REFUND)-\d+|[TF]0{30}1)$/.test(value)) return value
  const known = numbers.get(value) ?? newNumber()
  numbers.set(value, known)
  return known
}

/** A document for operators, which is not among the merchants' guides. */
const notifications: Guide = {
  name: 'docs/notifications.md',
  text: readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8'),
}

/** The output of each guide's blocks of commands, in order. The quick start and the exam have stories of their own. */
const printed: Readonly<Record<string, () => readonly Wanted[]>> = {
  disputes: () => [{ prints: /\bwon\b/ }],
  notifications: () => [
    { prints: /sign verifies/, whileRunning: { ready: /Press Ctrl-C/, act: () => pay(demo) } },
    { prints: /^The payment is paid\.$/m },
    {
      prints: /sign verifies .*200 "SUCCESS".* acknowledged/,
      whileRunning: { ready: /Press Ctrl-C/, act: () => pay(demo) },
    },
  ],
  reviews: () => [{ prints: /"fileId":"F/ }, { prints: /^Order T\w+ has succeeded\.$/m }],
  signing: () => {
    const body = cardBody(demo)
    shell.write('body.json', JSON.stringify(body))
    return [{ prints: /(?:)/ }, { prints: new RegExp(`^sign +${signed(demo, '/payment', body).sign}$`, 'm') }]
  },
  testing: () => [
    { prints: /^ready/m, whileRunning: { ready: /^ready/m, act: async () => {} } },
    { prints: /^settled/m },
    { prints: /: 12\.34 USD by card$/m },
    { prints: /^The payment is pending\.$/m },
    { prints: /^Done: a card payment succeeds, and its refund fails/m },
  ],
  'docs/notifications.md': () => [{ prints: /(?:)/ }],
}

const commandsOf = (guide: Guide) => blocksOf(guide).filter(({ language }) => language === 'sh')

describe('the commands of', () => {
  const elsewhere = ['quick-start', 'exam']
  for (const guide of [...guides, notifications].filter((one) => commandsOf(one).length > 0))
    if (!elsewhere.includes(guide.name))
      it(guide.name, async () => {
        const wanted = printed[guide.name]?.() ?? []
        const names = await namesFor(guide)
        const blocks = commandsOf(guide).map(({ code }) => code)
        assert.equal(blocks.length, wanted.length, 'a block without a line in the list above')
        for (const [at, one] of wanted.entries()) await shell.type(replaceNames(blocks[at] ?? '', names), one)
      })
})

/** Returns the values that replace the names in capitals, and the address of the merchant's server. */
async function namesFor({ name }: Guide): Promise<Readonly<Record<string, string>>> {
  const server = { 'http://localhost:3000': receiver.url }
  if (name !== 'reviews') {
    const { tradeNo, merOrderNo } = (await pay(demo)).data
    const numbers = { TRADENO: String(tradeNo), 'ORDER-1001': String(merOrderNo) }
    return { ...server, ...numbers, MERNO: String(demo.merNo) }
  }
  const reading = await openReview(new Map())
  for (const example of examplesOf(guideNamed(name))) await send(reading, example)
  shell.write('invoice.pdf', '%PDF-1.7')
  const tradeNo = reading.numbers.get('T0000000000000000000000000000001') ?? ''
  return { TRADENO: tradeNo, MERNO: String(reading.account.merNo) }
}

function replaceNames(code: string, names: Readonly<Record<string, string>>): string {
  const known = filled(code, { baseUrl: demo.baseUrl, merNo: String(demo.merNo), key: demo.key })
  return Object.entries(names).reduce((text, [name, value]) => text.replaceAll(name, value), known)
}
