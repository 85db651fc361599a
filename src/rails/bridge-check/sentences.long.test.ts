// Tests what a failed check tells the operator: the field, the expected value, and the advice. A proxy changes one
// answer of the starter bridge.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFaultyBridge } from '../../../test/counterparties/faulty-bridge.ts'
import { change, type Fault, type FaultyProxy, respond } from '../../../test/counterparties/faulty-proxy.ts'
import { BRIDGE_SECRET } from '../../../test/counterparties/starter-bridge.ts'
import type { Fields } from '../../platform/base/object.ts'
import { allChecks } from './checks/all.ts'
import { runChecks } from './run-checks.ts'

let proxy: FaultyProxy
before(async () => {
  proxy = await openFaultyBridge()
})
after(() => proxy.close())

async function said(name: string, operation: string, fault: Fault, currency = 'MXN'): Promise<string> {
  proxy.meet(fault, (path) => path === `/v1/${operation}`)
  const [result] = await runChecks(
    {
      ...{
        url: proxy.url,
        secret: BRIDGE_SECRET,
        method: 'cash_app',
        payoutKind: 'spei',
        isPayoutNamed: true,
      },
      ...{ account: '032180000118359719', cardNumber: '4242424242424242', walletToken: undefined, currency },
    },
    { checks: allChecks.filter((one) => one.name === name) },
  )
  proxy.meet(undefined)
  assert.equal(result?.result, 'failed', JSON.stringify(result))
  return `${result?.why} ${result?.todo}`
}

const withFields = (edit: (fields: Fields) => Fields) =>
  change((answer) => ({ ...answer, body: JSON.stringify(edit(JSON.parse(answer.body))) }))
const set = (more: Fields) => withFields((fields) => ({ ...fields, ...more }))
const each = (list: string, more: Fields) =>
  withFields((fields) => {
    const entries = fields[list]
    return Array.isArray(entries)
      ? { ...fields, [list]: entries.map((one) => ({ ...one, ...more })) }
      : fields
  })
const twice = withFields((fields) => {
  const deposits = Array.isArray(fields.deposits) ? fields.deposits : []
  return { ...fields, deposits: [...deposits, ...deposits] }
})

const refusal = (message: string) => respond(400, JSON.stringify({ error: 'invalid_request', message }))
const sentences: readonly (readonly [check: string, operation: string, fault: Fault, said: RegExp])[] = [
  [
    'open',
    'open',
    set({ amount: 1250 }),
    /payment: "amount" is 1250, not digits in the minor unit as text.*Correct it/,
  ],
  ['open', 'open', set({ amount: '12.50' }), /"amount" is "12\.50", not digits in the minor unit/],
  ['open', 'open', set({ status: 'new' }), /"status" is "new", not one of open, paid/],
  [
    'paid',
    'lookup',
    each('deposits', { at: undefined }),
    /in "deposits", "at" is missing; expected is ISO 8601 in UTC/,
  ],
  ['paid', 'lookup', twice, /in "deposits", two entries have the same "id"/],
  ['payout', 'lookup', set({ status: 'succeeded', amount: 1250 }), /"amount" is 1250, not digits/],
  [
    'dispute-stages',
    'chargebacks',
    each('list', { disputedAt: '2026-11-16T12:00:00Z' }),
    /dispute: "disputedAt" is "2026-11-16T12:00:00Z", not milliseconds since 1970 as a number/,
  ],
  [
    'dispute-stages',
    'chargebacks',
    each('list', { amount: 1 }),
    /"amount" is 1, not digits.*"disputedAt":1\d{12}/,
  ],
  ['disputes', 'chargebacks', respond(200, '{}'), /responded 200 without a "list"/],
  [
    'statement',
    'statement',
    each('lines', { fee: 0 }),
    /line 1 of the bridge's statement is malformed: "fee" is 0, not digits/,
  ],
  [
    'open-once',
    'open',
    refusal('no such shop'),
    /answered 400 \("error": "invalid_request", "message": "no such shop"\), not 200\. Store the reference/,
  ],
  ['open', 'open', refusal('card 4242424242424242 is bad'), /"message": "card \*\*\*4242 is bad"/],
  ['open', 'open', refusal('x'.repeat(9_000)), /"message": "\(too long, or no text\)"/],
  [
    'open',
    'open',
    refusal('the rail does not have this currency'),
    /"open" of a payment in MXN .*--currency/,
  ],
  ['open', 'open', respond(400, '{"error":"invalid_request"}'), /--currency/],
  ['open', 'open', async () => 'break', /did not answer "open": .* Answer within 20 seconds/],
  [
    'open',
    'open',
    set({ extra: {} }),
    /"open" does not return "extra" as it came: "terminal" was "WEB".* Store "extra"/,
  ],
  ['open', 'lookup', set({ extra: undefined }), /"lookup" does not return "extra" as it came/],
  [
    'refund',
    'refund',
    set({ status: 'processing' }),
    /A refund was still "processing" after 20 seconds\. .*test account takes longer/,
  ],
]

for (const [name, operation, fault, pattern] of sentences)
  test(`"${name}" says ${pattern.source.slice(0, 60)}`, async () => {
    const text = await said(name, operation, fault)
    assert.match(text, pattern)
    assert.doesNotMatch(text, /[.!?] [a-z]|\.\.|undefined/)
  })
