// Every check finds a bridge that breaks its promise. The bridge is the starter, with one answer made wrong on the way.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  change,
  type Fault,
  type FaultyProxy,
  openFaultyProxy,
  type ProxyAnswer,
  respond,
} from '../../test/faulty-proxy.ts'
import { BRIDGE_SECRET, type StarterBridge, startStarterBridge } from '../../test/starter-bridge.ts'
import { type Fields, isObject } from '../base/object.ts'
import { allChecks } from './checks/all.ts'
import { runChecks } from './run-checks.ts'

let bridge: StarterBridge
let proxy: FaultyProxy
before(async () => {
  bridge = await startStarterBridge()
  proxy = await openFaultyProxy(bridge.url)
})
after(async () => {
  await proxy.close()
  await bridge.close()
})

const bridgeAt = (url: string) => ({
  url,
  secret: BRIDGE_SECRET,
  method: 'cash_app' as const,
  payoutKind: 'spei' as const,
  isPayoutNamed: false,
  account: '032180000118359719',
  cardNumber: '4242424242424242',
  walletToken: undefined,
  currency: 'MXN',
})

/** The answer with other fields. */
function withFields(edit: (fields: Fields) => Fields): Fault {
  return change((answer: ProxyAnswer) => {
    const fields: unknown = JSON.parse(answer.body)
    return { ...answer, body: JSON.stringify(isObject(fields) ? edit(fields) : fields) }
  })
}

const always = (status: number, body: object) => respond(status, JSON.stringify(body))
const newId = withFields((fields) => ({ ...fields, id: crypto.randomUUID() }))
const stays = (status: string) => withFields((fields) => ({ ...fields, status }))

/** The operation whose answer is wrong, and the check that must find it. */
const mistakes: readonly (readonly [check: string, operation: string, fault: Fault])[] = [
  ['signature', 'ping', always(200, { operations: ['open'] })],
  ['ping', 'ping', always(200, {})],
  ['ping', 'ping', always(200, { operations: ['ping'] })],
  ['unknown-operation', 'no-such-operation', always(404, { error: 'not_found' })],
  ['malformed', 'lookup', always(500, { error: 'internal' })],
  ['open', 'open', withFields((fields) => ({ ...fields, amount: 1250 }))],
  ['open-once', 'open', newId],
  ['open-many', 'open', withFields((fields) => ({ ...fields, id: 'the same' }))],
  ['open-refused', 'open', always(500, { error: 'internal' })],
  ['open-details', 'open', withFields(({ payerUrl: _url, ...fields }) => fields)],
  ['lookup-absent', 'lookup', always(404, {})],
  ['cancel-unknown', 'cancel', always(404, { error: 'not_found' })],
  ['cancel-open', 'cancel', stays('declined')],
  ['cancel-paid', 'cancel', stays('cancelled')],
  ['paid', 'lookup', withFields((fields) => ({ ...fields, deposits: [] }))],
  ['deposits', 'lookup', stays('paid')],
  ['declined', 'lookup', withFields((fields) => ({ ...fields, reason: '' }))],
  ['refund', 'refund', stays('succeeded')],
  ['refund-unpaid', 'refund', stays('succeeded')],
  ['refund-once', 'refund', newId],
  ['refund-once', 'refund', always(400, { error: 'invalid_request' })],
  ['card-once', 'authorise', newId],
  ['card-once', 'authorise', always(302, {})],
  [
    'card-once',
    'lookup',
    withFields((fields) => ({ ...fields, pad: 'x'.repeat(400), card: '4242424242424242' })),
  ],
  ['card-void', 'void', stays('captured')],
  ['card-refused', 'authorise', always(500, {})],
  ['card-refund', 'refund', stays('succeeded')],
  ['payout', 'lookup', withFields((fields) => ({ ...fields, status: 'succeeded', amount: '1' }))],
  ['payout-once', 'send', newId],
  ['payout-absent', 'lookup', always(404, {})],
  ['payout-refused', 'send', always(500, {})],
  ['payout-returned', 'lookup', stays('succeeded')],
  ['disputes', 'chargebacks', always(200, {})],
  ['dispute-stages', 'chargebacks', always(200, { list: [] })],
  ['statement', 'statement', withFields(({ lines: _lines, ...fields }) => ({ ...fields, lines: [] }))],
  ['statement', 'statement', withFields((fields) => ({ ...fields, next: '1' }))],
  ['payout-once', 'send', always(200, { status: 'processing' })],
  ['open', 'open', respond(200, 'x'.repeat(70_000))],
]

for (const [name, operation, fault] of mistakes)
  test(`a wrong answer to ${operation} is found by "${name}"`, async () => {
    const check = allChecks.find((one) => one.name === name)
    assert.ok(check)
    proxy.meet(fault, (path) => path === `/v1/${operation}`)
    const [result] = await runChecks(bridgeAt(proxy.url), { checks: [check] })
    assert.equal(result?.result, 'failed', JSON.stringify(result))
    proxy.meet(undefined)
    const [sound] = await runChecks(bridgeAt(proxy.url), { checks: [check] })
    assert.equal(sound?.result, 'passed', JSON.stringify(sound))
  })
