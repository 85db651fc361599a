// Makes the changes of a merchant's staff: calls each route at least once. Begins with one row of each kind.
import assert from 'node:assert/strict'
import { type OneOfEach, oneOfEach } from '../../builders/one-of-each.ts'
import { paidOrder } from '../../builders/paid-orders.ts'
import { rsaPair } from '../../builders/rsa-keys.ts'
import type { BackOffice, Person } from '../back-office.ts'
import { call, newNumber, pay } from '../client.ts'
import { eventually } from '../eventually.ts'

const reason = 'Asked for by mail'

export async function changesByMerchants(office: BackOffice): Promise<void> {
  const owner = await office.person(office.demo.merNo, 'owner')
  const ids = await oneOfEach(office)
  await logs(office, owner)
  await views(owner)
  await files(office, owner, ids)
  await links(office, owner, ids)
  await payouts(office, owner)
  await ownPayouts(office, owner)
  await settings(owner)
}

async function logs(office: BackOffice, owner: Person): Promise<void> {
  const notifyUrl = 'http://127.0.0.1:9/failing'
  await pay(office.demo, { notifyUrl })
  const failed = async () => (await owner.call('GET /notifications', { query: { state: 'failed' } })).rows
  assert.ok(await eventually(async () => (await failed()).length > 0), 'a notification is given up')
  const since = new Date(0).toISOString()
  await owner.call('POST /notifications/resend-failed', { query: {}, body: { since, dryRun: false } })
  const [sent] = (await owner.call('GET /notifications', { query: {} })).rows
  const params = { notificationId: sent?.notificationId ?? '' }
  await owner.call('POST /notifications/:notificationId/resend', { params })
  await owner.call('POST /notifications/resend', { body: { tradeNos: [sent?.tradeNo ?? ''] } })
  for (const paused of [true, false])
    await owner.call('PUT /notifications/pause', { query: {}, body: { paused, reason } })
  const [request] = (await owner.call('GET /requests', { query: {} })).rows
  const requestId = request?.requestId ?? ''
  await owner.call('POST /requests/:requestId/again', { params: { requestId } })
  await owner.call('POST /signature/explain', { query: {}, body: { requestId } })
}

async function views(owner: Person): Promise<void> {
  const content = { name: 'Mine', query: 'state=5', columns: '', shared: false }
  const { viewId, version } = await owner.call('POST /views', { body: content })
  const params = { viewId }
  await owner.call('PUT /views/:viewId', { params, body: { ...content, name: 'Still mine', version } })
  await owner.call('DELETE /views/:viewId', { params })
}

async function files(office: BackOffice, owner: Person, ids: OneOfEach): Promise<void> {
  const { exportId = '', scheduleId = '', bulkId = '' } = ids
  const isMade = async () => {
    const { rows } = await owner.call('GET /exports', { query: {} })
    return rows.some((one) => one.exportId === exportId && one.state === 'done')
  }
  assert.ok(await eventually(isMade))
  await owner.call('DELETE /exports/:exportId', { params: { exportId } })
  await owner.call('DELETE /export-schedules/:scheduleId', { params: { scheduleId } })
  await owner.call('DELETE /bulk-refunds/:bulkId', { params: { bulkId } })
  const { tradeNo } = await paidOrder(office.db, { merNo: office.demo.merNo })
  const rows = [{ number: tradeNo }]
  const bulk = await owner.call('POST /bulk-refunds', { body: { reason, rows } })
  const started = { params: { bulkId: bulk.bulkId }, body: { version: bulk.version } }
  await owner.call('POST /bulk-refunds/:bulkId/start', started)
  const { params } = started
  const isDone = async () => (await owner.call('GET /bulk-refunds/:bulkId', { params })).bulk.state === 'done'
  assert.ok(await eventually(isDone), 'a worker writes lines about the refunds, in the name of the owner')
}

async function links(office: BackOffice, owner: Person, { linkId = '' }: OneOfEach): Promise<void> {
  const params = { linkId }
  await owner.call('POST /links/:linkId/mails', {
    params,
    body: { to: 'payer@shop.example', language: 'en' },
  })
  for (const state of ['off', 'active'] as const)
    await owner.call('PUT /links/:linkId/state', { params, body: { state } })
  const operator = await office.operator()
  await operator.call('PUT /links/:linkId/stop', { params, body: { isStopped: true, reason } })
}

async function payouts(office: BackOffice, owner: Person): Promise<void> {
  const { merNo } = office.demo
  const second = await office.person(merNo, 'owner')
  const payee = { benFirstName: 'Ink', benLastName: 'Maker', addressLine: '2 Market Street', city: 'Berlin' }
  const cardNo = 'DE02120300000000202051'
  const fields = { ...payee, countryCode: 'DE', beneficiaryType: 'business', cardNo }
  const entered = { label: 'Ink maker', kind: 'bank_account', currency: 'USD', fields } as const
  const { beneficiaryId } = await owner.call('POST /beneficiaries', { body: entered })
  const params = { beneficiaryId }
  const version = async () => {
    const { rows } = await owner.call('GET /beneficiaries', {})
    return rows.find((one) => one.beneficiaryId === beneficiaryId)?.version ?? assert.fail('no beneficiary')
  }
  await owner.call('PUT /beneficiaries/:beneficiaryId', {
    params,
    body: { ...entered, label: 'Ink', version: await version() },
  })
  const operator = await office.operator()
  await operator.call('PUT /merchants/:merNo', {
    params: { merNo },
    body: { options: { payoutApproval: '1.00' }, reason },
  })
  const line = { beneficiary: beneficiaryId, currencyCode: 'USD', sourceAmount: '2.00' }
  await owner.call('POST /payouts/check', { body: { lines: [line] } })
  const run = async (key: string) => {
    const body = { lines: [line, line], reason, key }
    return (await owner.call('POST /payouts/runs', { body })).approvalId ?? assert.fail('nobody is asked')
  }
  const [approved, rejected] = [await run('every-change-1'), await run('every-change-2')]
  const decided = (approvalId: string) => ({ params: { approvalId }, body: { reason } })
  await second.call('POST /payouts/approvals/:approvalId/approve', decided(approved))
  await second.call('POST /payouts/approvals/:approvalId/reject', decided(rejected))
  await waitingPayouts(operator)
  await owner.call('DELETE /beneficiaries/:beneficiaryId', { params })
}

async function waitingPayouts(operator: Person): Promise<void> {
  const waiting = async () => (await operator.call('GET /payouts/waiting', { query: {} })).rows
  assert.ok(await eventually(async () => (await waiting()).length === 2), 'both payouts wait')
  const [one, other] = await waiting()
  const of = (tradeNo = '') => ({ params: { tradeNo }, body: { reason } })
  await operator.call('POST /payouts/:tradeNo/approve', of(one?.tradeNo))
  await operator.call('POST /payouts/:tradeNo/reject', of(other?.tradeNo))
}

/** Sends two payouts by the merchant's program, which wait for the approval of the merchant's staff. */
async function ownPayouts({ demo }: BackOffice, owner: Person): Promise<void> {
  const { version } = await owner.call('GET /payouts/settings', { query: {} })
  await owner.call('PUT /payouts/settings', {
    body: { secondPersonAbove: '1.00', includesInterface: true, version },
  })
  const payee = { benFirstName: 'Ink', benLastName: 'Maker', addressLine: '2 Market Street', city: 'Berlin' }
  const fields = {
    ...payee,
    countryCode: 'DE',
    beneficiaryType: 'business',
    cardNo: 'DE02120300000000202051',
  }
  const money = { currencyCode: 'USD', sourceAmount: '2.00', withdrawType: '3' }
  const rest = {
    returnUrl: 'https://shop.example',
    notifyUrl: '',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
  }
  const send = async () => {
    const body = { merNo: demo.merNo, merOrderNo: newNumber(), ...fields, ...money, ...rest }
    return String((await call(demo, '/payout', body)).data.tradeNo)
  }
  const of = async () => ({ params: { tradeNo: await send() }, body: { reason } })
  await owner.call('POST /payouts/own/:tradeNo/approve', await of())
  await owner.call('POST /payouts/own/:tradeNo/reject', await of())
}

async function settings(owner: Person): Promise<void> {
  const { details } = await owner.call('GET /company', {})
  const company = { contact: 'Desk', email: 'desk@shop.example', website: 'shop.example', country: 'PT' }
  await owner.call('PUT /company/details', { body: { ...company, version: details.version } })
  const look = await owner.call('GET /company/look', {})
  await owner.call('PUT /company/look', { body: { accent: '#7c2d12', version: look.version } })
  const { version } = await owner.call('GET /payouts/settings', { query: {} })
  const limit = { secondPersonAbove: '500.00', includesInterface: false, version }
  await owner.call('PUT /payouts/settings', { body: limit })
  const { signing, notifying } = await owner.call('GET /developers', { query: {} })
  await owner.call('PUT /developers/signing', { body: { ...signing, signAnswers: !signing.signAnswers } })
  const chargebackUrl = 'https://shop.example/chargebacks'
  await owner.call('PUT /developers/notifications', { query: {}, body: { ...notifying, chargebackUrl } })
  await owner.call('POST /exams', { body: { notifyUrl: 'http://127.0.0.1:9/exam' } })
  await owner.call('POST /websites', { body: { site: 'leaving.example' } })
  await owner.call('DELETE /websites', { query: { site: 'leaving.example' } })
  const pem = rsaPair('merchant').publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await owner.call('PUT /keys/rsa', { body: { pem } })
  await owner.call('POST /keys/webhook-secret', {})
  await owner.call('POST /keys/rotate', { body: { endsOldKey: false } })
}
