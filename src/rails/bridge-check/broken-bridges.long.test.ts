// Tests that the checks find a bridge that breaks its promises. A proxy makes one answer of the starter bridge wrong.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFaultyBridge } from '../../../test/counterparties/faulty-bridge.ts'
import {
  change,
  type Fault,
  type FaultyProxy,
  type ProxyAnswer,
  respond,
} from '../../../test/counterparties/faulty-proxy.ts'
import { BRIDGE_SECRET } from '../../../test/counterparties/starter-bridge.ts'
import { type Fields, isObject } from '../../platform/base/object.ts'
import { allChecks } from './checks/all.ts'
import { runChecks } from './run-checks.ts'

let proxy: FaultyProxy
before(async () => {
  proxy = await openFaultyBridge()
})
after(() => proxy.close())

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

/** Edits the fields of the right answer. */
function withFields(edit: (fields: Fields) => Fields): Fault {
  return change((answer: ProxyAnswer) => {
    const fields: unknown = JSON.parse(answer.body)
    return { ...answer, body: JSON.stringify(isObject(fields) ? edit(fields) : fields) }
  })
}

const always = (status: number, body: object) => respond(status, JSON.stringify(body))
const newId = withFields((fields) => ({ ...fields, id: crypto.randomUUID() }))
const stays = (status: string) => withFields((fields) => ({ ...fields, status }))

/** Applies the fault to the requests for which `fits` is true. All other requests get the right answer. */
function only(fits: (request: Parameters<Fault>[1]) => boolean, fault: Fault): Fault {
  return async (forward, request) => (fits(request) ? fault(forward, request) : forward())
}

/** Applies the fault if the right answer has this status. */
function onceIt(status: string, fault: Fault): Fault {
  return async (forward, request) => {
    const answer = await forward()
    const isMeant = JSON.parse(answer.body).status === status
    return isMeant ? fault(async () => answer, request) : answer
  }
}

/** Answers with the amount of the request, so that a repeated request can change the amount. */
const newAmount: Fault = async (forward, { body }) => {
  const answer = await forward()
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), amount: JSON.parse(body).amount }) }
}

const asks = (field: string, value: string) => (request: { readonly body: string }) =>
  JSON.parse(request.body)[field] === value

const edited = (list: 'list' | 'lines' | 'deposits', edit: (entries: unknown[]) => unknown[]) =>
  withFields((fields) => {
    const entries = fields[list]
    return Array.isArray(entries) ? { ...fields, [list]: edit(entries) } : fields
  })

/** Lists today's lines in yesterday's statement. */
function movesDays(): Fault {
  let lines: unknown
  return async (forward) => {
    const answer = await forward()
    const fields = JSON.parse(answer.body)
    if (fields.day === new Date().toISOString().slice(0, 10)) lines = fields.lines
    else if (lines !== undefined) return { ...answer, body: JSON.stringify({ ...fields, lines }) }
    return answer
  }
}

/** Refuses unknown fields, as a strict schema does. */
const refusesUnknown: Fault = async (forward, { body }) =>
  body.includes('LaterVersion')
    ? { status: 400, headers: {}, body: '{"error":"invalid_request","message":"unexpected field"}' }
    : forward()

const depositsWith = (fields: Fields) =>
  edited('deposits', (entries) => entries.filter(isObject).map((one) => ({ ...one, ...fields })))

const isLine = (type: string) => (line: unknown) => isObject(line) && line.type === type
const linesWith = (type: string, fields: Fields) =>
  edited('lines', (entries) =>
    entries.filter(isObject).map((one) => (isLine(type)(one) ? { ...one, ...fields } : one)),
  )

const isTimedOnly: Parameters<typeof only>[0] = ({ headers }) =>
  headers['x-tollgate-timestamp'] !== undefined && headers['x-tollgate-signature'] === undefined

const operations = ['open', 'lookup', 'cancel', 'refund', 'send', 'chargebacks', 'statement', 'simulate']
const listedAlways = {
  ...{ id: 'd-1', merchantReference: 'T1', amount: '1', currency: 'MXN', reasonCode: '1' },
  ...{ disputedAt: Date.now() - 60_000, stage: 'open' },
}

/** Swaps the amounts of the first two entries. */
const swapped = ([one, two, ...more]: readonly unknown[]) =>
  isObject(one) && isObject(two)
    ? [{ ...one, amount: two.amount }, { ...two, amount: one.amount }, ...more]
    : more
const listedAhead = { ...listedAlways, disputedAt: Date.now() + 3_600_000 }

/** Each mistake: the check that must find it, the operation whose answer is wrong, and the fault. */
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
  ['deposits', 'lookup', edited('deposits', (entries) => (entries.length < 3 ? entries : swapped(entries)))],
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
  ['payout-returned', 'lookup', withFields(({ returnedAmount: _amount, ...fields }) => fields)],
  [
    'payout-returned',
    'lookup',
    withFields(({ returnedAmount: _amount, returnedCurrency: _currency, ...fields }) => fields),
  ],
  [
    'payout-returned',
    'lookup',
    withFields((fields) => ('returnedAmount' in fields ? { ...fields, returnedAmount: '1' } : fields)),
  ],
  ['disputes', 'chargebacks', always(200, {})],
  ['dispute-stages', 'chargebacks', always(200, { list: [] })],
  ['statement', 'statement', withFields(({ lines: _lines, ...fields }) => ({ ...fields, lines: [] }))],
  ['statement', 'statement', withFields((fields) => ({ ...fields, next: '1' }))],
  ['payout-once', 'send', always(200, { status: 'processing' })],
  ['open', 'open', respond(200, 'x'.repeat(70_000))],
  ['signature', 'ping', only(isTimedOnly, always(200, { operations }))],
  [
    'signature',
    'ping',
    only(({ headers }) => headers['x-tollgate-signature'] === 'A', always(200, { operations })),
  ],
  ['declined', 'cancel', stays('cancelled')],
  ['refund', 'refund', only(asks('amount', '1251'), stays('succeeded'))],
  ['refund', 'refund', only(asks('amount', '626'), stays('succeeded'))],
  ['refund-unpaid', 'refund', only(asks('currency', 'EUR'), stays('succeeded'))],
  ['refund-once', 'refund', onceIt('succeeded', newId)],
  ['payout-once', 'send', onceIt('succeeded', newId)],
  ['payout-once', 'send', onceIt('succeeded', newAmount)],
  ['disputes', 'chargebacks', always(200, { list: [listedAlways] })],
  ['dispute-stages', 'chargebacks', edited('list', (entries) => [{ id: 'd-0' }, ...entries])],
  ['dispute-stages', 'chargebacks', edited('list', (entries) => entries.toReversed())],
  ['dispute-stages', 'chargebacks', edited('list', (entries) => [...entries, ...entries.slice(-1)])],
  ['dispute-stages', 'chargebacks', edited('list', (entries) => [...entries, listedAhead])],
  ['statement', 'statement', edited('lines', (entries) => [...entries, ...entries])],
  ['statement', 'statement', movesDays()],
  ...['paid', 'deposits'].flatMap((check) =>
    [
      { currency: 'USD' },
      { at: '11/18/2026, 5:24:00 AM' },
      { at: '2026-11-18T05:24:00+02:00' },
      { at: '2026-11-18T05:24:00' },
    ].map((fields) => [check, 'lookup', depositsWith(fields)] as const),
  ),
  ['statement', 'statement', edited('lines', (entries) => entries.filter((one) => !isLine('payout')(one)))],
  ['statement', 'statement', edited('lines', (entries) => entries.filter((one) => !isLine('refund')(one)))],
  ['statement', 'statement', linesWith('chargeback', { type: 'payment' })],
  ['statement', 'statement', linesWith('refund', { amount: '1' })],
  ['statement', 'statement', linesWith('payout', { currency: 'USD' })],
  ...['open', 'lookup', 'cancel', 'refund', 'authorise', 'void', 'send'].map(
    (operation) => ['unknown-fields', operation, refusesUnknown] as const,
  ),
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

test('a payout that is decided and never reported is found by "payout-callback"', async () => {
  const checks = allChecks.filter(({ name }) => name === 'payout-callback')
  const accepted: Fault = async (_forward, { body }) => {
    const { reference, amount, currency } = JSON.parse(body)
    const payout = { id: 'po-1', reference, amount, currency, status: 'processing', reason: '' }
    return { status: 200, headers: {}, body: JSON.stringify(payout) }
  }
  proxy.meet(accepted, (path) => path === '/v1/send')
  const [silent] = await runChecks(bridgeAt(proxy.url), { checks })
  assert.match(silent?.why ?? '', /No callback about a payout came/)
  proxy.meet(undefined)
  const [sound] = await runChecks(bridgeAt(proxy.url), { checks })
  assert.equal(sound?.result, 'passed', JSON.stringify(sound))
})

test('what the answer decided needs no callback', async () => {
  const checks = allChecks.filter(({ name }) => name === 'refund-callback' || name === 'payout-callback')
  const atOnce: Fault = async (_forward, { body }) => {
    const { callbackUrl: _url, account: _account, ...fields } = JSON.parse(body)
    const decided = { ...fields, id: 'x-1', status: 'succeeded', reason: '' }
    return { status: 200, headers: {}, body: JSON.stringify(decided) }
  }
  proxy.meet(atOnce, (path) => path === '/v1/refund' || path === '/v1/send')
  const results = await runChecks(bridgeAt(proxy.url), { checks })
  assert.deepEqual(
    results.map(({ result }) => result),
    ['passed', 'passed'],
  )
  proxy.meet(undefined)
})

test('a statement whose refunds name the payment is found, and said', async () => {
  const checks = allChecks.filter(({ name }) => name === 'statement')
  const payments = new Map<string, string>()
  proxy.meet(async (forward, { path, body }) => {
    const { refundReference, reference } = JSON.parse(body)
    if (path === '/v1/refund') payments.set(refundReference, reference)
    const answer = await forward()
    if (path !== '/v1/statement' || answer.status !== 200) return answer
    const { lines, ...fields } = JSON.parse(answer.body)
    const named = lines.map((line: { reference: string }) => ({
      ...line,
      reference: payments.get(line.reference) ?? line.reference,
    }))
    return { ...answer, body: JSON.stringify({ ...fields, lines: named }) }
  })
  const [result] = await runChecks(bridgeAt(proxy.url), { checks })
  assert.match(result?.why ?? '', /refund names the payment: "reference" is its "refundReference"/)
  proxy.meet(undefined)
})

const doubled: Fault = edited('deposits', ([first]) => [first, isObject(first) ? { ...first, id: 'd-2' } : 0])
const changes: readonly (readonly [check: string, fault: Fault])[] = [
  ['paid', doubled],
  ['paid', depositsWith({ id: 'd-9' })],
  ['paid', stays('declined')],
  ['payout', stays('failed')],
  ['payout', stays('processing')],
  ['payout', withFields((fields) => ({ ...fields, amount: '1' }))],
]

for (const [name, fault] of changes)
  test(`what "${name}" saw as final, and changes later, is found by "final"`, async () => {
    const meetsLater = { ...last(), run: async () => proxy.meet(fault, (path) => path === '/v1/lookup') }
    const check = allChecks.filter((one) => one.name === name)
    const [first, , result] = await runChecks(bridgeAt(proxy.url), { checks: [...check, meetsLater, last()] })
    assert.deepEqual(
      { first: first?.result, final: result?.result },
      { first: 'passed', final: 'failed' },
      JSON.stringify(result),
    )
    proxy.meet(undefined)
    const [, sound] = await runChecks(bridgeAt(proxy.url), { checks: [...check, last()] })
    assert.equal(sound?.result, 'passed', JSON.stringify(sound))
  })

function last() {
  const check = allChecks.at(-1)
  assert.ok(check?.name === 'final')
  return check
}
