// One row of each kind that belongs to a merchant, made the way people make it. A test then asks for all of them as a
// person of another merchant.
import assert from 'node:assert/strict'
import { insertPasskey } from '../../src/people/factors/sql.ts'
import type { BackOffice, Person } from '../harness/back-office.ts'
import { pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { paidOrder } from './paid-orders.ts'
import { orderInReview } from './reviews.ts'

/** The ids by the name of the route's parameter; `disputes.tradeNo` is the parameter below /disputes. */
export type OneOfEach = Readonly<Record<string, string>>

const reason = 'Only for this test'

/** The texts of a merchant that other merchants must never read. */
export const secrets = {
  label: 'Quiet paper mill',
  name: 'Confidential view',
  note: 'Delivered to the back door',
  role: 'night-watch',
  site: 'unannounced.example',
  merOrderNo: 'HIDDEN-17',
} as const

export async function oneOfEach(office: BackOffice): Promise<OneOfEach> {
  const owner = await office.person(office.demo.merNo, 'owner')
  const orders = await ordersOf(office, owner)
  const payouts = await payoutsOf(owner)
  const jobs = await jobsOf(owner, orders['orders.tradeNo'] ?? '')
  const people = await peopleOf(office, owner)
  await owner.call('POST /websites', { body: { site: secrets.site } })
  return { ...orders, ...payouts, ...jobs, ...people, ...(await logsOf(owner)), site: secrets.site }
}

async function ordersOf(office: BackOffice, owner: Person) {
  const { merOrderNo, note } = secrets
  const notifyUrl = 'http://127.0.0.1:9/notify'
  const { code, data } = await pay(office.demo, {
    merOrderNo,
    notifyUrl,
    billingEmail: 'payer@hidden.example',
  })
  assert.equal(code, '00000')
  const tradeNo = String(data.tradeNo)
  const refund = { amount: '1.00', reason, merRefundNo: 'one-of-each' }
  const { refundNo } = await owner.call('POST /orders/:tradeNo/refunds', {
    params: { tradeNo },
    body: refund,
  })
  const disputed = await paidOrder(office.db, { merNo: office.demo.merNo })
  const operator = await office.operator()
  await operator.call('POST /disputes', { body: { tradeNo: disputed.tradeNo, reasonCode: '4853', reason } })
  const file = { name: 'proof.txt', content: Buffer.from(note).toString('base64') }
  const { evidenceId } = await owner.call('POST /disputes/:tradeNo/evidence', {
    params: { tradeNo: disputed.tradeNo },
    body: { note, file },
  })
  const reviewed = await orderInReview(office.db, { merNo: office.demo.merNo })
  const params = { tradeNo: reviewed.tradeNo }
  const letter = { type: '.pdf', content: Buffer.from('%PDF-1.7 letter').toString('base64') }
  const { fileId } = await owner.call('POST /reviews/:tradeNo/files', { params, body: letter })
  const files = [{ fileId, proves: 'buyerConfirmationLetter' as const }]
  await owner.call('POST /reviews/:tradeNo/answer', { params, body: { info: { payerName: 'Payer' }, files } })
  return {
    'orders.tradeNo': tradeNo,
    tradeNo,
    number: merOrderNo,
    q: merOrderNo,
    refundNo,
    'disputes.tradeNo': disputed.tradeNo,
    evidenceId,
    'reviews.tradeNo': reviewed.tradeNo,
    fileId,
  }
}

async function payoutsOf(owner: Person) {
  const payee = { benFirstName: 'Paper', benLastName: 'Mill', addressLine: '1 Market Street', city: 'Berlin' }
  const fields = {
    ...payee,
    countryCode: 'DE',
    beneficiaryType: 'business',
    cardNo: 'DE89370400440532013000',
  }
  const { label } = secrets
  const { beneficiaryId } = await owner.call('POST /beneficiaries', {
    body: { label, kind: 'bank_account', currency: 'USD', fields },
  })
  const line = { beneficiary: beneficiaryId, currencyCode: 'USD', sourceAmount: '2.00' }
  const { runId, approvalId = '' } = await owner.call('POST /payouts/runs', {
    body: { lines: [line], reason, key: 'one-of-each' },
  })
  return { beneficiaryId, runId, approvalId }
}

async function jobsOf(owner: Person, tradeNo: string) {
  const { name } = secrets
  const { viewId } = await owner.call('POST /views', {
    body: { name, query: 'state=5', columns: '', shared: true },
  })
  const { exportId } = await owner.call('POST /exports', { body: { filter: {}, columns: '' } })
  const { scheduleId } = await owner.call('POST /export-schedules', {
    body: { name, filter: {}, columns: '', every: 'day' },
  })
  const { bulkId } = await owner.call('POST /bulk-refunds', { body: { reason, rows: [{ number: tradeNo }] } })
  const { linkId } = await owner.call('POST /links', {
    body: {
      title: name,
      currency: 'USD',
      amount: '1.00',
      uses: 'many',
      language: '',
      reference: '',
      notifyUrl: '',
    },
  })
  return { viewId, exportId, scheduleId, bulkId, linkId }
}

async function peopleOf(office: BackOffice, owner: Person) {
  const { role } = secrets
  await owner.call('POST /roles', { body: { role, permissions: ['orders.read'] } })
  const invited = { email: 'colleague@hidden.example', name: 'Colleague', role }
  const { userId } = await owner.call('POST /users', { body: invited })
  const { rows } = await owner.call('GET /account/sessions', {})
  const sessionId = rows[0]?.sessionId ?? ''
  const passkeyId = 'passkey-of-a-colleague'
  const passkey = { passkeyId, name: 'Key ring', publicKey: Buffer.from('key'), signCount: 0, transports: [] }
  const { merNo } = office.demo
  await office.db.transaction((tx) => insertPasskey(tx, { ...passkey, merNo, userId, now: new Date() }))
  return { role, userId, sessionId, passkeyId }
}

/** Waits for the logs, which workers write. */
async function logsOf(owner: Person) {
  let requestId: string | undefined
  let notificationId: string | undefined
  const isWritten = await eventually(async () => {
    requestId = (await owner.call('GET /requests', {})).rows[0]?.requestId
    notificationId = (await owner.call('GET /notifications', {})).rows[0]?.notificationId
    return requestId !== undefined && notificationId !== undefined
  })
  assert.ok(isWritten, 'the logs have lines')
  const { rows } = await owner.call('GET /audit', {})
  return {
    requestId: requestId ?? '',
    notificationId: notificationId ?? '',
    entryId: rows[0]?.entryId ?? '',
  }
}
