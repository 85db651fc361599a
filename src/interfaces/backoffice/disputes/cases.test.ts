// Cases in which merchants send evidence or information and operators decide: disputes, reviews, suspense, and waiting
// refunds and payouts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { paidOrder, stateOf } from '../../../../test/builders/paid-orders.ts'
import { accept, anApplication } from '../../../../test/builders/refunds.ts'
import { acceptedForReview, orderInReview } from '../../../../test/builders/reviews.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { mailTo } from '../../../../test/harness/people.ts'
import { positionOf } from '../../../money/chargebacks/chargeback.ts'
import { remindOfDeadlines } from '../../../money/chargebacks/deadlines.ts'
import { listByDeadline } from '../../../money/chargebacks/find-chargeback.ts'
import { receiveDisputes } from '../../../money/chargebacks/process-disputes.ts'
import type { NewPayment } from '../../../money/orders/new-order.ts'
import { attemptReference, State } from '../../../money/orders/order.ts'
import { acceptPayments } from '../../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../../money/payments/record-outcomes.ts'
import { bookSuspense } from '../../../money/suspense/book-suspense.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { Dispute } from '../../../rails/contract/channel.ts'

let office: BackOffice
let owner: Person
let operator: Person
let stranger: Person
before(async () => {
  office = await openBackOffice()
  owner = await office.person(office.demo.merNo, 'owner')
  operator = await office.operator('admin')
  stranger = await office.person(office.demo.merNo + 1, 'owner')
})
after(() => office.close())

const reason = 'Agreed with the acquirer'

async function lastLine(subject: string) {
  type Line = { action: string; actor: string; reason: string | null; after: unknown }
  const [line] = await office.db.query<Line>({
    text: 'select action, actor, reason, after from audit_log where subject = $1 order by entry_id desc limit 1',
    values: [subject],
  })
  return line
}

test('a merchant answers a dispute with a file until an operator records how it ended', async () => {
  const { tradeNo, merOrderNo } = await paidOrder(office.db, { merNo: office.demo.merNo })
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason } })
  const list = await owner.call('GET /disputes', { query: { state: 'open' } })
  const listed = list.rows.find((one) => one.tradeNo === tradeNo)
  assert.deepEqual(
    { reasonInWords: listed?.reasonInWords, evidence: listed?.evidence, order: listed?.order?.merOrderNo },
    { reasonInWords: 'not as described', evidence: 0, order: merOrderNo },
  )
  const days = (Date.parse(listed?.answerBy ?? '') - Date.parse(listed?.openedAt ?? '')) / 86_400_000
  assert.equal(days, 10)
  const params = { tradeNo }
  const content = Buffer.from('signed by the payer').toString('base64')
  const body = { note: 'Delivered', file: { name: 'delivery.pdf', content } }
  const { evidenceId } = await owner.call('POST /disputes/:tradeNo/evidence', { params, body })
  assert.equal((await lastLine(tradeNo))?.action, 'dispute.evidence')
  const byPost = { params, body: { note: 'The letter came by post' } }
  await operator.call('POST /disputes/:tradeNo/evidence', byPost)
  const viewer = await office.operator('viewer')
  assert.equal((await viewer.attempt('POST /disputes/:tradeNo/evidence', byPost)).status, 403)
  const shown = await operator.call('GET /disputes/:tradeNo', { params })
  assert.deepEqual(
    shown.evidence.map(({ note, file, by }) => [note, file?.bytes, by]),
    [
      ['Delivered', 19, owner.email],
      ['The letter came by post', undefined, operator.email],
    ],
  )
  const file = await operator.attempt('GET /disputes/:tradeNo/evidence/:evidenceId', {
    params: { tradeNo, evidenceId },
  })
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="delivery.pdf"')
  assert.equal((await stranger.attempt('GET /disputes/:tradeNo', { params })).status, 404)
  assert.equal((await stranger.attempt('POST /disputes/:tradeNo/evidence', { params, body })).status, 404)
  const answerBy = new Date(Date.now() + 86_400_000).toISOString()
  const deadline = { answerBy, seen: listed?.answerBy ?? null, reason }
  await operator.call('POST /disputes/:tradeNo/deadline', { params, body: deadline })
  assert.equal((await owner.call('GET /disputes/:tradeNo', { params })).dispute.answerBy, answerBy)
  await operator.call('POST /disputes/:tradeNo/resolve', { params, body: { outcome: 'won', reason } })
  assert.equal((await lastLine(tradeNo))?.action, 'dispute.resolve')
  const late = await owner.attempt('POST /disputes/:tradeNo/evidence', { params, body })
  assert.match(late.problem?.message ?? '', /has no open chargeback/)
})

test('of two people who change the deadline of a dispute the second is told', async () => {
  const { tradeNo } = await paidOrder(office.db, { merNo: office.demo.merNo })
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason } })
  const params = { tradeNo }
  const shown = async () =>
    (await operator.call('GET /disputes/:tradeNo', { params })).dispute.answerBy ?? null
  const seen = await shown()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const set = (answerBy: string, before: string | null) =>
    operator.attempt('POST /disputes/:tradeNo/deadline', { params, body: { answerBy, seen: before, reason } })
  const days = [inDays(2), inDays(3)] as const
  const both = await Promise.all(days.map((day) => set(day, seen)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const first = await shown()
  assert.equal(first, days[both.findIndex(({ status }) => status === 200)], 'nothing was overwritten')
  assert.equal((await set(inDays(4), null)).problem?.code, 'conflict')
  const last = inDays(5)
  assert.equal((await set(last, first)).status, 200)
  const lines = await office.db.query({
    text: `select before, after from audit_log where subject = $1 and action = 'dispute.deadline' order by entry_id`,
    values: [tradeNo],
  })
  assert.deepEqual(lines, [
    { before: { answerBy: seen }, after: { answerBy: first } },
    { before: { answerBy: first }, after: { answerBy: last } },
  ])
})

test('a merchant sees and answers an inquiry of the bank, which takes no money', async () => {
  const order = await paidOrder(office.db, { merNo: office.demo.merNo })
  const { tradeNo } = order
  const dispute = {
    disputeRef: 'inquiry-1',
    reference: attemptReference(tradeNo, 1),
    money: order.money,
    reason: '13',
    stage: 'inquiry',
    at: new Date(),
  } as const
  const findMerchant = async () => ({ feePlans: new Map(), chargebackUrl: '' })
  const deps = { db: office.db, clock: systemClock, findMerchant, alarm: assert.fail }
  const report = (changes: Partial<Dispute>) =>
    receiveDisputes(deps, 'card', [{ ...dispute, ...changes }], (_dispute, error) =>
      assert.fail(String(error)),
    )
  await report({})
  const { rows } = await owner.call('GET /disputes', { query: { state: 'inquiry' } })
  assert.ok(rows.some((one) => one.tradeNo === tradeNo))
  await owner.call('POST /disputes/:tradeNo/evidence', { params: { tradeNo }, body: { note: 'Delivered' } })
  const shown = await operator.call('GET /disputes/:tradeNo', { params: { tradeNo } })
  assert.deepEqual(
    { state: shown.dispute.state, amount: shown.dispute.fee.amount, evidence: shown.evidence.length },
    { state: 'inquiry', amount: '0.00', evidence: 1 },
  )
  assert.equal(await stateOf(office.db, order), State.succeeded)
  await report({ stage: 'won', at: new Date(dispute.at.getTime() + 1) })
  const closed = await owner.call('GET /disputes/:tradeNo', { params: { tradeNo } })
  assert.equal(closed.dispute.state, 'closed')
})

test('a merchant is reminded of a dispute three days and one day before its deadline, once each', async () => {
  const { tradeNo, merOrderNo } = await paidOrder(office.db, { merNo: office.demo.merNo })
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason } })
  const params = { tradeNo }
  const { dispute } = await owner.call('GET /disputes/:tradeNo', { params })
  const deadline = Date.parse(dispute.answerBy ?? '')
  const remind = (hoursBefore: number, from = deadline) =>
    remindOfDeadlines({ db: office.db, clock: { now: () => new Date(from - hoursBefore * 3_600_000) } })
  const sent: number[] = []
  for (const hours of [73, 71, 70, 25, 23, 22, -1]) sent.push(await remind(hours))
  assert.deepEqual(sent, [0, 1, 0, 0, 1, 0, 0])
  const subject = new RegExp(`Evidence is due soon: ${merOrderNo}`)
  assert.match((await mailTo(office, owner.email, subject)).text, /takes evidence until/)
  const later = new Date(deadline + 5 * 86_400_000)
  const body = { answerBy: later.toISOString(), seen: dispute.answerBy ?? null, reason }
  await operator.call('POST /disputes/:tradeNo/deadline', { params, body })
  assert.equal(await remind(-1, later.getTime()), 0, 'nobody is reminded of a deadline that is over')
  assert.equal(await remind(23, later.getTime()), 1, 'a new deadline has its own reminders')
  await operator.call('POST /disputes/:tradeNo/resolve', { params, body: { outcome: 'won', reason } })
})

test('a merchant sends what a review needs, and an operator decides', async () => {
  const order = await orderInReview(office.db, { merNo: office.demo.merNo })
  const { tradeNo } = order
  const params = { tradeNo }
  const { rows } = await owner.call('GET /reviews', {})
  assert.equal(rows.find((one) => one.tradeNo === tradeNo)?.state, 'asked')
  const pdf = Buffer.from('%PDF-1.7 letter').toString('base64')
  const wrong = await owner.attempt('POST /reviews/:tradeNo/files', {
    params,
    body: { type: '.png', content: pdf },
  })
  assert.match(wrong.problem?.fields?.file ?? '', /not that of a .png file/)
  const { fileId } = await owner.call('POST /reviews/:tradeNo/files', {
    params,
    body: { type: '.pdf', content: pdf },
  })
  const answer = {
    info: { payerName: 'Test Payer' },
    files: [{ fileId, proves: 'buyerConfirmationLetter' as const }],
  }
  assert.equal(
    (await stranger.attempt('POST /reviews/:tradeNo/answer', { params, body: answer })).status,
    404,
  )
  const forged = { ...answer, merNo: office.demo.merNo, tradeNo: params.tradeNo }
  const { tradeNo: notStored } = aPayment({ merNo: office.demo.merNo + 1 })
  const forging = await stranger.attempt('POST /reviews/:tradeNo/answer', {
    params: { tradeNo: notStored },
    body: forged,
  })
  assert.equal(forging.status, 409, 'the order in the address waits for nothing')
  await owner.call('POST /reviews/:tradeNo/answer', { params, body: answer })
  const review = await operator.call('GET /reviews/:tradeNo', { params })
  assert.deepEqual(
    { state: review.state, info: review.info, files: review.files.length },
    { state: 'submitted', info: answer.info, files: 1 },
  )
  assert.equal(
    (await stranger.attempt('GET /reviews/:tradeNo/files/:fileId', { params: { tradeNo, fileId } })).status,
    404,
  )
  await operator.call('POST /reviews/:tradeNo/approve', { params, body: { reason } })
  assert.equal(await stateOf(office.db, order), State.succeeded)
  assert.deepEqual(
    { action: (await lastLine(tradeNo))?.action, reason: (await lastLine(tradeNo))?.reason },
    { action: 'review.approve', reason },
  )
})

test('an operator picks an unpaid payment for review, once', async () => {
  const order = await acceptedForReview(office.db, { merNo: office.demo.merNo, needsReview: false })
  const params = { tradeNo: order.tradeNo }
  assert.equal((await owner.attempt('POST /reviews/:tradeNo/pick', { params, body: { reason } })).status, 403)
  await operator.call('POST /reviews/:tradeNo/pick', { params, body: { reason } })
  assert.deepEqual(
    { action: (await lastLine(order.tradeNo))?.action, reason: (await lastLine(order.tradeNo))?.reason },
    { action: 'review.pick', reason },
  )
  const again = await operator.attempt('POST /reviews/:tradeNo/pick', { params, body: { reason } })
  assert.match(again.problem?.message ?? '', /reviewed anyway/)
})

test('an operator returns money in suspense once, with a reason', async () => {
  const money = { amount: 500n, currency: 'USD' }
  const booked = { merNo: 0, channel: 'card', reference: 'stray-1', money, why: 'unmatched' } as const
  await office.db.transaction((tx) => bookSuspense(tx, [{ ...booked, origin: 'statement', at: new Date() }]))
  const { rows } = await operator.call('GET /suspense', {})
  const held = rows.find((one) => one.reference === 'stray-1')
  assert.deepEqual({ amount: held?.money.amount, why: held?.why }, { amount: '5.00', why: 'unmatched' })
  const input = { params: { suspenseId: held?.suspenseId ?? '' }, body: { reason } }
  const accepted = await operator.attempt('POST /suspense/:suspenseId/accept', input)
  assert.match(accepted.problem?.message ?? '', /belongs to no order/)
  await operator.call('POST /suspense/:suspenseId/return', input)
  assert.equal((await operator.attempt('POST /suspense/:suspenseId/return', input)).problem?.code, 'refused')
  assert.equal((await lastLine(held?.suspenseId ?? ''))?.action, 'suspense.return')
})

test('an operator approves or rejects a refund that waits, once', async () => {
  const payment = await paidOrder(office.db, { merNo: office.demo.merNo })
  const { refundNo } = await accept(office.db, anApplication(payment, { terms: { approveRefunds: true } }))
  const { rows } = await operator.call('GET /refunds/waiting', { query: { merNo: office.demo.merNo } })
  assert.ok(rows.some((one) => one.refundNo === refundNo))
  const told = { reason: 'Not agreed' }
  const input = { params: { refundNo }, body: { ...told, auditReason: 'The payer is known to us' } }
  await operator.call('POST /refunds/:refundNo/reject', input)
  assert.equal(await stateOf(office.db, payment), State.succeeded)
  assert.equal((await operator.attempt('POST /refunds/:refundNo/approve', input)).problem?.code, 'refused')
  const line = await lastLine(refundNo)
  assert.deepEqual(
    { action: line?.action, reason: line?.reason },
    { action: 'refund.reject', reason: 'The payer is known to us' },
  )
  assert.deepEqual(line?.after, told)
  const { rows: refunds } = await owner.call('GET /refunds', { query: {} })
  const message = refunds.find((one) => one.refundNo === refundNo)?.message
  assert.equal(message, 'The refund was not approved: Not agreed')
})

async function openDispute(changes: Parameters<typeof paidOrder>[1] = {}): Promise<string> {
  const { tradeNo } = await paidOrder(office.db, { merNo: office.demo.merNo, ...changes })
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4837', reason } })
  return tradeNo
}

async function setDeadline(tradeNo: string, inDays: number): Promise<void> {
  const params = { tradeNo }
  const { dispute } = await operator.call('GET /disputes/:tradeNo', { params })
  const answerBy = new Date(Date.now() + inDays * 86_400_000).toISOString()
  const body = { answerBy, seen: dispute.answerBy ?? null, reason }
  await operator.call('POST /disputes/:tradeNo/deadline', { params, body })
}

test('overdue disputes come first, then the others by their deadline, and ended ones last', async () => {
  const [late, soon, later, won] = [
    await openDispute(),
    await openDispute(),
    await openDispute(),
    await openDispute(),
  ]
  await setDeadline(later, 5)
  await setDeadline(soon, 2)
  await setDeadline(late, -1)
  await setDeadline(won, -2)
  const params = { tradeNo: won }
  await operator.call('POST /disputes/:tradeNo/resolve', { params, body: { outcome: 'won', reason } })
  const { rows } = await owner.call('GET /disputes', { query: {} })
  const own = rows.filter(({ tradeNo }) => [late, soon, later, won].includes(tradeNo))
  assert.deepEqual(
    own.map(({ tradeNo, isOverdue }) => [tradeNo, isOverdue]),
    [
      [late, true],
      [soon, false],
      [later, false],
      [won, false],
    ],
  )
  const all = await listByDeadline(office.db, undefined, { limit: 100 })
  const paged: string[] = []
  const pageAfter = (last: (typeof all)[number] | undefined) =>
    listByDeadline(office.db, undefined, { limit: 2, after: last && positionOf(last) })
  for (let page = await pageAfter(undefined); page.length > 0; page = await pageAfter(page.at(-1)))
    paged.push(...page.map(({ chargebackId }) => chargebackId))
  assert.deepEqual(
    paged,
    all.map(({ chargebackId }) => chargebackId),
    'pages neither repeat nor lose a dispute',
  )
})

/** Makes a card payment that succeeded after a 3-D Secure challenge. */
async function challengedPayment(details: NewPayment['details']): Promise<NewPayment> {
  const payment = aPayment({ merNo: office.demo.merNo, details })
  await acceptPayments(office.db, [payment])
  const action = { kind: 'challenge', acsUrl: 'https://acs.example', creq: 'e30' } as const
  const asked = aSuccess(payment, { outcome: { kind: 'pending', channelRef: 'c', action } })
  for (const report of [asked, aSuccess(payment)])
    await recordOutcomes({ db: office.db, rates: noRates }, [report])
  return payment
}

test('the workspace of a dispute shows the order, its payer and the earlier orders of the payer', async () => {
  const details = {
    billingFirstName: 'Maria',
    billingLastName: 'Silva',
    billingEmail: 'maria@payer.example',
    shippingCity: 'Porto',
    productInfoList: [{ sku: 'S-1', productName: 'Scarf', price: '12.34', quantity: '2' }],
  }
  const earlier = await paidOrder(office.db, { merNo: office.demo.merNo, details })
  const { tradeNo } = await challengedPayment(details)
  const params = { tradeNo }
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4837', reason } })
  const workspace = () => owner.call('GET /disputes/:tradeNo', { params })
  // A worker writes the index by which orders are found by e-mail address.
  assert.ok(await eventually(async () => (await workspace()).order?.earlier.length === 1))
  const { category, order } = await workspace()
  assert.equal(category, 'fraud')
  assert.deepEqual(
    order?.earlier.map((one) => one.merOrderNo),
    [earlier.merOrderNo],
  )
  assert.deepEqual(order?.products, [{ name: 'Scarf', sku: 'S-1', price: '12.34', quantity: '2' }])
  assert.deepEqual(
    { name: order?.order.payerName, card: order?.order.card },
    { name: 'Maria Silva', card: { brand: 'visa', last4: '4242' } },
  )
  assert.ok(order?.details.some(({ name, value }) => name === 'shippingCity' && value === 'Porto'))
  assert.equal(order?.threeDSecure, 'passed')
  const other = { params: { tradeNo: await openDispute() } }
  assert.equal((await owner.call('GET /disputes/:tradeNo', other)).order?.threeDSecure, undefined)
  await owner.call('POST /roles', { body: { role: 'answerer', permissions: ['disputes.read'] } })
  const answerer = await office.person(office.demo.merNo, 'answerer')
  const unnamed = await answerer.call('GET /disputes/:tradeNo', { params })
  assert.equal(unnamed.order, undefined)
  assert.ok(!JSON.stringify(unnamed).includes('Maria'))
})
