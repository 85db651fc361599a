// Makes the changes and decisions of operators: calls each route at least once.
import assert from 'node:assert/strict'
import { acceptPayments } from '../../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../../src/money/payments/record-outcomes.ts'
import { bookSuspense } from '../../../src/money/suspense/book-suspense.ts'
import { aPayment, aSuccess, noRates } from '../../builders/builders.ts'
import { paidOrder } from '../../builders/paid-orders.ts'
import { accept, anApplication } from '../../builders/refunds.ts'
import { acceptedForReview, orderInReview } from '../../builders/reviews.ts'
import type { BackOffice, Person } from '../back-office.ts'
import { eventually } from '../eventually.ts'

const reason = 'Agreed with the acquirer'

export async function changesByOperators(office: BackOffice): Promise<void> {
  const admin = await office.operator()
  await merchants(office, admin)
  await platform(office, admin)
  await risk(office, admin)
  await cases(office, admin)
  await decisions(office, admin)
  await suspense(office, admin)
  await books(office, admin)
}

async function merchants(office: BackOffice, admin: Person): Promise<void> {
  const body = { name: 'Lamp shop', sites: ['lamps.example'], reason }
  const merNo = Number((await admin.call('POST /merchants', { body })).merNo)
  const params = { merNo }
  await admin.call('PUT /merchants/:merNo', { params, body: { options: { timezone: 'Asia/Tokyo' }, reason } })
  const card = { ...params, method: 'card' }
  const terms = { feeBps: '90' }
  await admin.call('PUT /merchants/:merNo/plans/:method', { params: card, body: { terms, reason } })
  await admin.call('DELETE /merchants/:merNo/plans/:method', { params: card, body: { reason } })
  const route = { ...card, channel: 'card' }
  await admin.call('PUT /merchants/:merNo/routes/:method/:channel', {
    params: route,
    body: { priority: 1, weight: 3, reason },
  })
  await admin.call('DELETE /merchants/:merNo/routes/:method/:channel', { params: route, body: { reason } })
  const plan = { plan: 'Standard', method: 'all' }
  await admin.call('PUT /fee-plans/:plan/:method', { params: plan, body: { terms, reason } })
  const perCard = { ...plan, method: 'card' }
  await admin.call('PUT /fee-plans/:plan/:method', { params: perCard, body: { terms, reason } })
  await admin.call('DELETE /fee-plans/:plan/:method', { params: perCard, body: { reason } })
  await admin.call('PUT /merchants/:merNo/fee-plan', { params, body: { plan: 'Standard', reason } })
  const site = 'more-lamps.example'
  const owner = await office.person(merNo, 'owner')
  await owner.call('POST /websites', { body: { site } })
  const decision = { site, action: 'approve', reason } as const
  await admin.call('POST /merchants/:merNo/websites', { params, body: decision })
  const exam = { notifyUrl: 'http://127.0.0.1:9/exam' }
  await admin.call('POST /merchants/:merNo/exams', { params, body: exam })
  await admin.call('POST /merchants/:merNo/state', { params, body: { transition: 'suspend', reason } })
}

async function platform(office: BackOffice, admin: Person): Promise<void> {
  const name = (await admin.call('GET /channels', {})).channels.at(-1)?.name ?? ''
  await admin.call('POST /channels/:name/check', { params: { name } })
  await admin.call('POST /channels/:name/pause', { params: { name }, body: { reason } })
  await admin.call('POST /channels/:name/resume', { params: { name }, body: { reason } })
  await admin.call('POST /rates', { body: { from: 'USD', to: 'EUR', rate: '0.91', reason } })
  const limit = { daily: '500000.00', reason }
  await admin.call('PUT /platform/limits/:method', { params: { method: 'pix' }, body: limit })
  await admin.call('POST /doctor', {})
  await admin.call('POST /search/rebuild', { body: { reason } })
  await admin.call('POST /mail/test', {})
  await office.db.query({ text: `update mails set state = 'failed' where state = 'sent'`, values: [] })
  const { rows } = await admin.call('GET /mail', { query: {} })
  const mailId = rows.find(({ state }) => state === 'failed')?.mailId ?? ''
  await admin.call('POST /mail/:mailId/retry', { params: { mailId } })
  const item = { list: 'banks/vietnam', code: '970999', name: 'New Bank', bic: '', reason }
  await admin.call('POST /reference-items', { body: item })
  const params = { code: item.code }
  const { list } = item
  await admin.call('PUT /reference-items/:code', { params, body: { list, name: 'Bank', bic: '', reason } })
  await admin.call('POST /reference-items/:code/remove', { params, body: { list, reason } })
}

async function risk(office: BackOffice, admin: Person): Promise<void> {
  const entry = { merNo: 0, list: 'block', kind: 'country', value: 'KP', reason } as const
  const { entryId } = await admin.call('POST /risk/entries', { body: entry })
  await admin.call('POST /risk/entries/:entryId/remove', { params: { entryId }, body: { reason } })
  const { rows } = await admin.call('GET /orders', { query: { merNo: office.demo.merNo } })
  for (const { tradeNo } of rows) {
    const { names } = await admin.call('GET /risk/orders/:tradeNo', { params: { tradeNo } })
    const kinds = names.map(({ kind }) => kind).slice(0, 1)
    if (kinds.length === 0) continue
    const body = { kinds, isForAll: false, reason }
    await admin.call('POST /risk/orders/:tradeNo/block', { params: { tradeNo }, body })
    break
  }
  const content = { name: 'Large', action: 'refuse', conditions: { above: '900.00' } } as const
  const { ruleId } = await admin.call('POST /risk/rules', { body: { merNo: 0, ...content, reason } })
  const params = { ruleId }
  await admin.call('PUT /risk/rules/:ruleId', { params, body: { ...content, version: 1, reason } })
  await admin.call('POST /risk/rules/:ruleId/try', { params })
  const { rule } = await admin.call('GET /risk/rules/:ruleId', { params })
  const state = { version: rule.version, seen: rule.state, state: 'watching', reason } as const
  await admin.call('POST /risk/rules/:ruleId/state', { params, body: state })
}

async function cases(office: BackOffice, admin: Person): Promise<void> {
  const { db, demo } = office
  const of = { merNo: demo.merNo }
  const { tradeNo } = await paidOrder(db, of)
  const params = { tradeNo }
  await admin.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason } })
  const answerBy = new Date(Date.now() + 86_400_000).toISOString()
  const { dispute } = await admin.call('GET /disputes/:tradeNo', { params })
  const deadline = { answerBy, seen: dispute.answerBy ?? null, reason }
  await admin.call('POST /disputes/:tradeNo/deadline', { params, body: deadline })
  await admin.call('POST /disputes/:tradeNo/resolve', { params, body: { outcome: 'won', reason } })
  const owner = await office.person(demo.merNo, 'owner')
  const [asked, approved, rejected] = [
    await orderInReview(db, of),
    await orderInReview(db, of),
    await orderInReview(db, of),
  ]
  const answered = { params: { tradeNo: asked.tradeNo }, body: { info: { payerName: 'Payer' }, files: [] } }
  await owner.call('POST /reviews/:tradeNo/answer', answered)
  await admin.call('POST /reviews/:tradeNo/ask', { params: answered.params, body: { note: reason } })
  await admin.call('POST /reviews/:tradeNo/approve', {
    params: { tradeNo: approved.tradeNo },
    body: { reason },
  })
  await admin.call('POST /reviews/:tradeNo/reject', {
    params: { tradeNo: rejected.tradeNo },
    body: { note: reason, isReturned: true },
  })
  const open = await acceptedForReview(db, { ...of, needsReview: false })
  await admin.call('POST /reviews/:tradeNo/pick', { params: { tradeNo: open.tradeNo }, body: { reason } })
  for (const decision of ['approve', 'reject'] as const) {
    const payment = await paidOrder(db, of)
    const { refundNo } = await accept(db, anApplication(payment, { terms: { approveRefunds: true } }))
    await admin.call(`POST /refunds/:refundNo/${decision}`, { params: { refundNo }, body: { reason } })
  }
}

async function decisions(office: BackOffice, admin: Person): Promise<void> {
  const { db, demo } = office
  // The payment is at a channel that the gateway does not have, so the resolver cannot decide it.
  const made = aPayment({ merNo: demo.merNo })
  const payment = { ...made, attempt: made.attempt && { ...made.attempt, channel: 'removed' } }
  await acceptPayments(db, [payment])
  const { merNo, tradeNo } = payment
  const outcome = { kind: 'unknown', why: 'silent' } as const
  const report = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
  await recordOutcomes({ db, rates: noRates }, [report])
  await admin.call('POST /outcomes/:tradeNo/decide', {
    params: { tradeNo },
    body: { as: 'succeeded', reason },
  })
  const second = await office.operator()
  for (const decision of ['approve', 'reject'] as const) {
    const money = { amount: '5000.00', currency: 'USD' }
    const { approvalId = '' } = await admin.call('POST /corrections', {
      body: { merNo: String(merNo), from: 'merchant:available', to: 'rail:card', ...money, reason },
    })
    const decided = { params: { approvalId }, body: { reason } }
    await second.call(`POST /approvals/:approvalId/${decision}`, decided)
  }
}

async function suspense(office: BackOffice, admin: Person): Promise<void> {
  const { db, demo } = office
  const money = { amount: 500n, currency: 'USD' }
  const stray = { merNo: 0, channel: 'card', money, why: 'unmatched', origin: 'statement' } as const
  const booked = ['to assign', 'to return'].map((reference) => ({ ...stray, reference, at: new Date() }))
  await db.transaction((tx) => bookSuspense(tx, booked))
  const { rows } = await admin.call('GET /suspense', { query: {} })
  const idOf = (reference: string) => {
    return rows.find((one) => one.reference === reference)?.suspenseId ?? assert.fail(reference)
  }
  const returned = { params: { suspenseId: idOf('to return') }, body: { reason } }
  await admin.call('POST /suspense/:suspenseId/return', returned)
  const order = aPayment({ merNo: demo.merNo, money })
  await acceptPayments(db, [order])
  const outcome = { kind: 'failed', cause: 'cancelled', message: 'Nobody came' } as const
  await recordOutcomes({ db, rates: noRates }, [aSuccess(order, { outcome })])
  const { suspenseId } = await admin.call('POST /suspense/:suspenseId/assign', {
    params: { suspenseId: idOf('to assign') },
    body: { tradeNo: order.tradeNo, reason },
  })
  await admin.call('POST /suspense/:suspenseId/accept', { params: { suspenseId }, body: { reason } })
}

async function books(office: BackOffice, admin: Person): Promise<void> {
  await admin.call('POST /books/verify', {})
  await admin.call('POST /settlement/runs', { body: { asOf: new Date().toISOString(), reason } })
  await paidOrder(office.db, { merNo: office.demo.merNo })
  const content = 'reference,type,amount,currency,fee,date\nR-unknown,refund,5.00,USD,0.20,2026-03-01\n'
  const file = { channel: 'card', fileName: 'card.csv', content }
  await admin.call('POST /reconciliation/imports', { body: file })
  const last = async () => (await admin.call('GET /reconciliation/imports', {})).runs[0]
  assert.ok(await eventually(async () => (await last())?.state !== 'running'))
  const statementId = String((await last())?.result?.statementId)
  const today = new Date().toISOString().slice(0, 10)
  await admin.call('POST /reconciliation/fetches', { body: { channel: 'card', day: today } })
  assert.ok(await eventually(async () => (await last())?.state !== 'running'))
  await admin.call('POST /reconciliation/statements/:statementId/differences/:no/explain', {
    params: { statementId, no: 1 },
    body: { reason },
  })
}
