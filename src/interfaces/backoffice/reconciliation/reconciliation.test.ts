// A statement is imported, and each difference is resolved: explained, decided, or closed by a later statement.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { assertMoneySound, paidOrder, stateOf } from '../../../../test/builders/paid-orders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { NewPayment } from '../../../money/orders/new-order.ts'
import { attemptReference, State } from '../../../money/orders/order.ts'
import { acceptPayments } from '../../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../../money/payments/record-outcomes.ts'

let office: BackOffice
let ann: Person
let bob: Person
before(async () => {
  office = await openBackOffice()
  ann = await office.operator('finance')
  bob = await office.operator('finance')
  // The channel needs a booking, because a statement of a channel without bookings is refused.
  await paidOrder(office.db, { merNo: office.demo.merNo })
})
after(async () => {
  await assertMoneySound(office.db)
  await office.close()
})

const header = 'reference,type,amount,currency,fee,date'
const reason = 'Seen in the portal of the acquirer'

function bodyOf(...lines: string[]): {
  channel: string
  fileName: string
  content: string
  replaces?: string
} {
  return { channel: 'card', fileName: 'card.csv', content: [header, ...lines, ''].join('\n') }
}

async function imported(...lines: string[]): Promise<string> {
  return importedAs(bodyOf(...lines))
}

/** Imports a statement and returns its id. */
async function importedAs(body: ReturnType<typeof bodyOf>): Promise<string> {
  const { runId } = await ann.call('POST /reconciliation/imports', { body })
  const read = async () => (await ann.call('GET /reconciliation/imports', {})).runs[0]
  await eventually(async () => (await read())?.state !== 'running')
  const run = await read()
  assert.deepEqual(
    { runId: run?.runId, state: run?.state },
    { runId, state: 'done' },
    JSON.stringify(run?.result),
  )
  return String(run?.result?.statementId)
}

async function differencesOf(statementId: string, state?: 'open' | 'closed') {
  const query = state === undefined ? {} : { state }
  const input = { params: { statementId }, query }
  return (await ann.call('GET /reconciliation/statements/:statementId/differences', input)).rows
}

async function cancelled(day: string, amount: bigint): Promise<NewPayment> {
  const at = new Date(`${day}T12:00:00Z`)
  const money = { amount, currency: 'USD' }
  const order = aPayment({ merNo: office.demo.merNo, createdAt: at, money })
  await acceptPayments(office.db, [order])
  const outcome = { kind: 'failed', cause: 'cancelled', message: 'Nobody came' } as const
  await recordOutcomes({ db: office.db, rates: noRates }, [aSuccess(order, { outcome, at })])
  return order
}

test('a bad file or channel is refused at its field, and nothing is imported', async () => {
  const bad = await ann.attempt('POST /reconciliation/imports', {
    body: bodyOf('r,payment,1.001,USD,,2026-03-01'),
  })
  assert.match(bad.problem?.fields?.content ?? '', /^Line 2: the amount must be a decimal that fits USD/)
  const body = { ...bodyOf(), channel: 'crad' }
  const misspelt = await ann.attempt('POST /reconciliation/imports', { body })
  assert.match(misspelt.problem?.fields?.channel ?? '', /Check its name/)
  assert.deepEqual((await ann.call('GET /reconciliation/statements', {})).rows, [])
})

test('differences are explained by people, and closed by a later statement that lists them', async () => {
  const [first, next] = ['2026-03-02', '2026-03-03']
  const paid = await paidOrder(office.db, { merNo: office.demo.merNo, at: new Date(`${first}T23:59:00Z`) })
  const statementId = await imported(`R-unknown,refund,5.00,USD,0.20,${first}`)
  const { statement } = await ann.call('GET /reconciliation/statements/:statementId', {
    params: { statementId },
  })
  const { lines, matched, different, open, importedBy, fees } = statement
  assert.deepEqual(
    { lines, matched, different, open, importedBy },
    { lines: 1, matched: 0, different: 2, open: 2, importedBy: ann.email },
  )
  assert.deepEqual(fees, [{ amount: '0.20', currency: 'USD' }])
  const differences = await differencesOf(statementId)
  assert.deepEqual(
    differences.map(({ kind, type, tradeNo, ours }) => [kind, type, tradeNo, ours?.amount]),
    [
      ['missing here', 'refund', undefined, undefined],
      ['missing there', 'payment', paid.tradeNo, '10.00'],
    ],
  )
  const params = { statementId, no: 1 }
  const name = 'POST /reconciliation/statements/:statementId/differences/:no/explain'
  await ann.call(name, { params, body: { reason } })
  assert.equal((await ann.attempt(name, { params, body: { reason } })).problem?.code, 'refused')
  await imported(`${attemptReference(paid.tradeNo, 1)},payment,10.00,USD,,${next}`)
  const closed = await differencesOf(statementId, 'closed')
  assert.deepEqual(
    closed.map(({ state, note }) => [state, note]),
    [
      ['explained', reason],
      ['listed', undefined],
    ],
  )
  const [again] = await differencesOf(await imported(`R-unknown,refund,5.00,USD,0.20,${first}`))
  assert.deepEqual(
    { state: again?.state, note: again?.note, closedBy: again?.closedBy },
    { state: 'explained', note: reason, closedBy: ann.email },
  )
  const [other] = await differencesOf(await imported(`R-unknown,refund,6.00,USD,0.20,${first}`))
  assert.equal(other?.state, 'open', 'another amount is another difference')
})

test('money without a reference is assigned to its order, and then accepted', async () => {
  const day = '2026-03-05'
  const order = await cancelled(day, 3_300n)
  const statementId = await imported(`by hand,payment,33.00,USD,,${day}`)
  const [difference] = await differencesOf(statementId, 'open')
  const params = { suspenseId: difference?.suspenseId ?? '' }
  const assign = (tradeNo: string) =>
    ann.attempt('POST /suspense/:suspenseId/assign', { params, body: { tradeNo, reason } })
  assert.match((await assign('T1')).problem?.message ?? '', /There is no payment/)
  const { reply } = await assign(order.tradeNo)
  assert.match((await assign(order.tradeNo)).problem?.message ?? '', /was assigned before/)
  const held = { suspenseId: reply?.suspenseId ?? '' }
  await ann.call('POST /suspense/:suspenseId/accept', { params: held, body: { reason } })
  assert.equal(await stateOf(office.db, order), State.succeeded)
  assert.deepEqual(
    (await differencesOf(statementId)).map(({ state, closedBy }) => [state, closedBy]),
    [['decided', ann.email]],
  )
  const again = await imported(`by hand,payment,33.00,USD,,${day}`)
  assert.deepEqual(
    (await differencesOf(again)).map(({ kind, tradeNo }) => [kind, tradeNo]),
    [],
    'the line is known now',
  )
})

test('a statement replaces an earlier one only if the person chose that one', async () => {
  const day = '2026-03-06'
  const [kept, gone] = [`kept,payment,1.00,USD,,${day}`, `gone,payment,2.00,USD,,${day}`]
  const first = await imported(kept, gone)
  const second = await imported(kept)
  const lacked = (await differencesOf(second)).filter(({ kind }) => kind === 'not repeated')
  assert.deepEqual(
    lacked.map(({ reference, listedBy, state, ours }) => [reference, listedBy, state, ours?.amount]),
    [['gone', first, 'open', '2.00']],
  )
  const wrong = { body: { ...bodyOf(kept), replaces: 'I0' } }
  const refused = await ann.attempt('POST /reconciliation/imports', wrong)
  assert.equal(refused.problem?.fields?.replaces, 'Choose from the list.')
  const third = await importedAs({ ...bodyOf(kept), replaces: first })
  const read = { params: { statementId: third } }
  const { statement } = await ann.call('GET /reconciliation/statements/:statementId', read)
  assert.equal(statement.withdrawn, 1)
  const [run] = (await ann.call('GET /reconciliation/imports', {})).runs
  assert.equal(run?.result?.withdrawn, 1)
  const closed = (await differencesOf(second, 'closed')).find(({ kind }) => kind === 'not repeated')
  assert.partialDeepStrictEqual(closed, { state: 'listed', closedBy: third })
  const audited = await office.db.query<{ after: unknown }>({
    text: `select after from audit_log where action = 'reconcile' and after ? 'replaces'`,
  })
  assert.deepEqual(audited, [{ after: { channel: 'card', file: 'card.csv', lines: 1, replaces: first } }])
})

test('a large sum is returned when a second person approves it', async () => {
  const statementId = await imported('stray,payment,2500.00,USD,,2026-03-07')
  const suspenseId = (await differencesOf(statementId))[0]?.suspenseId ?? ''
  const input = { params: { suspenseId }, body: { reason } }
  const { approvalId = '' } = await ann.call('POST /suspense/:suspenseId/return', input)
  assert.equal((await differencesOf(statementId))[0]?.state, 'open')
  const approval = { params: { approvalId }, body: { reason } }
  assert.equal((await ann.attempt('POST /approvals/:approvalId/approve', approval)).problem?.code, 'refused')
  await bob.call('POST /approvals/:approvalId/approve', approval)
  assert.equal((await differencesOf(statementId))[0]?.state, 'decided')
  const lines = await office.db.query<{ action: string; actor: string }>({
    text: 'select action, actor from audit_log where subject = $1',
    values: [suspenseId],
  })
  assert.deepEqual(lines, [{ action: 'suspense.return', actor: bob.email }])
})

test('the statement of a day is fetched from the channel', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const fetchIt = (body: { channel: string; day: string }) =>
    ann.attempt('POST /reconciliation/fetches', { body })
  assert.match((await fetchIt({ channel: 'crad', day })).problem?.fields?.channel ?? '', /Check its name/)
  const wrong = await fetchIt({ channel: 'card', day: '2026-02-30' })
  assert.match(wrong.problem?.fields?.day ?? '', /such as 2026-01-31/)

  const { reply } = await fetchIt({ channel: 'card', day })
  const read = async () => (await ann.call('GET /reconciliation/imports', {})).runs[0]
  assert.ok(await eventually(async () => (await read())?.state === 'done'))
  const run = await read()
  assert.deepEqual(
    { runId: run?.runId, fileName: run?.result?.fileName },
    { runId: reply?.runId, fileName: `card ${day}` },
  )
  const [listed] = (await ann.call('GET /reconciliation/statements', {})).rows
  assert.deepEqual(
    { statementId: listed?.statementId, importedBy: listed?.importedBy },
    { statementId: run?.result?.statementId, importedBy: ann.email },
  )
})
