import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment, noRates } from '../../../../test/builders/builders.ts'
import { stateOf } from '../../../../test/builders/paid-orders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import type { NewPayment } from '../../../money/orders/new-order.ts'
import { State } from '../../../money/orders/order.ts'
import { acceptPayments } from '../../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../../money/payments/record-outcomes.ts'

let office: BackOffice
let ann: Person
let bob: Person
before(async () => {
  office = await openBackOffice()
  ann = await office.operator('finance')
  bob = await office.operator('admin')
})
after(() => office.close())

/** Makes a payment at a channel that the gateway does not have, so the resolver cannot decide the payment. */
async function unknownPayment(amount: bigint): Promise<NewPayment> {
  const made = aPayment({ merNo: office.demo.merNo, money: { amount, currency: 'USD' } })
  const payment = { ...made, attempt: made.attempt && { ...made.attempt, channel: 'removed' } }
  await reportUnknown(payment)
  return payment
}

async function reportUnknown(payment: NewPayment): Promise<void> {
  await acceptPayments(office.db, [payment])
  const { merNo, tradeNo } = payment
  const outcome = { kind: 'unknown', why: 'silent' } as const
  const report = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
  await recordOutcomes({ db: office.db, rates: noRates }, [report])
}

const reason = 'Seen in the portal of the acquirer'

test('an operator finds an unknown outcome and decides it', async () => {
  const payment = await unknownPayment(2_500n)
  const { tradeNo } = payment
  const { rows } = await ann.call('GET /outcomes', { query: { merNo: payment.merNo } })
  const row = rows.find((one) => one.tradeNo === tradeNo)
  assert.deepEqual(
    { kind: row?.kind, amount: row?.money.amount, needsSecondPerson: row?.needsSecondPerson },
    { kind: 'payment', amount: '25.00', needsSecondPerson: false },
  )
  const body = { as: 'succeeded', reason } as const
  assert.deepEqual(await ann.call('POST /outcomes/:tradeNo/decide', { params: { tradeNo }, body }), {})
  assert.equal(await stateOf(office.db, payment), State.succeeded)
  const again = await bob.attempt('POST /outcomes/:tradeNo/decide', { params: { tradeNo }, body })
  assert.equal(again.problem?.code, 'refused')
})

test('of a transfer the operator sees what was received and states the total', async () => {
  const createdAt = new Date(Date.now() - 5 * 86_400_000)
  const money = { amount: 10_000n, currency: 'EUR' }
  const made = aPayment({ merNo: office.demo.merNo, method: 'sepa', money, createdAt })
  const payment = { ...made, attempt: made.attempt && { ...made.attempt, channel: 'removed' } }
  await acceptPayments(office.db, [payment])
  const { merNo, tradeNo } = payment
  const deposits = [
    { depositRef: `${tradeNo} a`, money: { amount: 4_000n, currency: 'EUR' }, at: new Date() },
  ]
  const outcome = { kind: 'received', channelRef: 'c', deposits } as const
  const report = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 4320 }
  await recordOutcomes({ db: office.db, rates: noRates }, [report])
  const listed = async () => {
    const { rows } = await ann.call('GET /outcomes', { query: { merNo } })
    return rows.find((one) => one.tradeNo === tradeNo)?.received?.amount
  }
  assert.equal(await listed(), '40.00')
  const decide = (amount?: string) => {
    const body = { as: 'succeeded', reason, ...(amount !== undefined && { amount }) } as const
    return ann.attempt('POST /outcomes/:tradeNo/decide', { params: { tradeNo }, body })
  }
  assert.match((await decide()).problem?.fields?.amount ?? '', /^40\.00 of 100\.00 is recorded as received/)
  assert.equal((await decide('70.00')).status, 200)
  assert.deepEqual(
    { listed: await listed(), state: await stateOf(office.db, payment) },
    { listed: '70.00', state: State.processing },
  )
  assert.equal((await decide('100.00')).status, 200)
  assert.equal(await stateOf(office.db, payment), State.succeeded)
})

test('above the amount another operator with the same permission approves it', async () => {
  const payment = await unknownPayment(250_000n)
  const { tradeNo } = payment
  const body = { as: 'failed', reason } as const
  const { approvalId = '' } = await ann.call('POST /outcomes/:tradeNo/decide', { params: { tradeNo }, body })
  const approve = (person: Person) =>
    person.attempt('POST /approvals/:approvalId/approve', { params: { approvalId }, body: { reason } })
  const risk = await office.operator('risk')
  assert.equal((await approve(risk)).problem?.code, 'not-allowed')
  assert.equal((await approve(ann)).problem?.code, 'refused')
  const own = await ann.call('GET /approvals', { query: {} })
  assert.equal(own.rows.find((one) => one.approvalId === approvalId)?.isOwn, true)
  const { rows } = await bob.call('GET /approvals', { query: { state: 'waiting' } })
  const waiting = rows.find((one) => one.approvalId === approvalId)
  assert.deepEqual(
    { isOwn: waiting?.isOwn, askedBy: waiting?.askedBy, amount: waiting?.money?.amount },
    { isOwn: false, askedBy: ann.email, amount: '2500.00' },
  )
  assert.equal(await stateOf(office.db, payment), State.processing)
  assert.equal((await approve(bob)).status, 200)
  assert.equal(await stateOf(office.db, payment), State.failed)
  const decided = await bob.call('GET /approvals', { query: { state: 'decided' } })
  const done = decided.rows.find((one) => one.approvalId === approvalId)
  assert.deepEqual(
    { state: done?.state, decidedBy: done?.decidedBy },
    { state: 'approved', decidedBy: bob.email },
  )
})

test('a correction of the platform is booked, and a large one after a second person', async () => {
  const correction = { merNo: '0', from: 'platform:fees', to: 'rail:card', currency: 'USD', reason }
  const { correctionId } = await ann.call('POST /corrections', { body: { ...correction, amount: '1.00' } })
  const large = await ann.call('POST /corrections', { body: { ...correction, amount: '900000.00' } })
  const { approvalId = '' } = large
  await bob.call('POST /approvals/:approvalId/approve', { params: { approvalId }, body: { reason } })
  const lines = await office.db.query<{ mer_no: string; subject: string }>({
    text: `select mer_no::text, subject from audit_log
           where action = 'ledger.correct' and mer_no = 0 order by entry_id`,
  })
  assert.deepEqual(
    lines.map(({ subject }) => subject),
    [correctionId, large.correctionId],
  )
})

test('a correction is booked, or says at once what is wrong with it', async () => {
  const correction = { merNo: String(office.demo.merNo), from: 'merchant:available', to: 'rail:card', reason }
  const booked = await ann.call('POST /corrections', {
    body: { ...correction, amount: '10.00', currency: 'USD' },
  })
  assert.equal(booked.approvalId, undefined)
  const refused = await ann.attempt('POST /corrections', {
    body: { ...correction, to: 'suspense', amount: '10.00', currency: 'USD' },
  })
  assert.match(refused.problem?.message ?? '', /suspense cannot be corrected/)
  const unreasoned = await ann.attempt('POST /corrections', {
    body: { ...correction, reason: ' ', amount: '10.00', currency: 'USD' },
  })
  assert.deepEqual(unreasoned.problem?.fields, { reason: 'Enter a value.' })
})

test('queues name the order to people who may see orders, and to nobody else', async () => {
  const { merNo } = office.demo
  const details = { billingFirstName: 'Maria', billingLastName: 'Silva' }
  const made = aPayment({ merNo, money: { amount: 300_000n, currency: 'USD' }, details })
  const payment = { ...made, attempt: made.attempt && { ...made.attempt, channel: 'removed' } }
  await reportUnknown(payment)
  const { tradeNo, merOrderNo } = payment
  const money = { amount: '3000.00', currency: 'USD' }
  const order = { tradeNo, merOrderNo, person: 'Maria Silva', method: 'card', money }
  const outcomeOf = async (person: Person) => {
    const { rows } = await person.call('GET /outcomes', { query: { merNo } })
    return rows.find((one) => one.tradeNo === tradeNo)
  }
  assert.deepEqual((await outcomeOf(ann))?.order, order)
  const body = { as: 'failed', reason } as const
  await ann.call('POST /outcomes/:tradeNo/decide', { params: { tradeNo }, body })
  const { rows } = await bob.call('GET /approvals', { query: {} })
  assert.deepEqual(rows.find(({ subject }) => subject === tradeNo)?.order, order)
  await bob.call('POST /roles', {
    body: { role: 'decider', permissions: ['outcomes.read', 'approvals.read'] },
  })
  const decider = await office.operator('decider')
  const unnamed = await outcomeOf(decider)
  assert.deepEqual(
    { isListed: unnamed !== undefined, order: unnamed?.order },
    { isListed: true, order: undefined },
  )
  const listed = await decider.call('GET /approvals', { query: {} })
  assert.equal(listed.rows.find(({ subject }) => subject === tradeNo)?.order, undefined)
})
