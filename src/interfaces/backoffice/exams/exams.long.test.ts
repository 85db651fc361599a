import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../test/back-office.ts'
import { eventually } from '../../../test/eventually.ts'
import { type ExamShop, openExamShop } from '../../../test/exam-shop.ts'
import { makeId } from '../../base/id.ts'
import { PLATFORM } from '../permissions.ts'
import { insertRun } from '../runs/sql.ts'
import { examKind } from './exam-run.ts'

let office: BackOffice
let developer: Person
let shop: ExamShop

before(async () => {
  office = await openBackOffice()
  developer = await office.person(office.demo.merNo, 'developer')
  // Nothing verifies with a secret that is not the merchant's, so the first exercise is the last one.
  shop = await openExamShop({ key: office.demo.key, webhookSecret: 'whsec_b3RoZXI=' })
})
after(async () => {
  shop.close()
  await office.close()
})

test('an exam runs in the background, is listed with its requests, and leaves a line in the audit log', async () => {
  await developer.call('POST /exams', { body: { notifyUrl: shop.notifyUrl } })
  const ended = async () => (await developer.call('GET /exams', {})).runs[0]?.state === 'done'
  assert.ok(await eventually(ended))
  const { open, exercises, runs } = await developer.call('GET /exams', {})
  assert.deepEqual([open, exercises, runs.length], [true, 15, 1])
  const [first] = (runs[0]?.result?.exercises ?? []) as { state: string; deliveries: { request: string }[] }[]
  assert.equal(first?.state, 'failed')
  assert.match(first.deliveries[0]?.request ?? '', /^POST \/notify HTTP\/1\.1\n.*webhook-id: N.*&sign=/s)
  const owner = await office.person(office.demo.merNo, 'owner')
  const { rows } = await owner.call('GET /audit', {})
  assert.equal(rows[0]?.action, 'exam.start')
  assert.equal(rows[0]?.actor, developer.email)
})

test("an operator examines a merchant's server, which leaves a line in the merchant's audit log", async () => {
  const operator = await office.operator()
  const { merNo } = office.demo
  const body = { notifyUrl: shop.notifyUrl }
  const params = { merNo }
  const { runId } = await operator.call('POST /merchants/:merNo/exams', { params, body })
  const newest = async () => (await operator.call('GET /exams', { query: { merNo } })).runs[0]
  assert.ok(await eventually(async () => (await newest())?.state === 'done'))
  assert.equal((await newest())?.runId, runId)
  const query = { merNo, action: 'exam.start' }
  assert.equal((await operator.call('GET /audit', { query })).rows[0]?.actor, operator.email)
  const nobody = { params: { merNo: merNo + 7 }, body }
  assert.equal((await operator.attempt('POST /merchants/:merNo/exams', nobody)).status, 404)
  const viewer = await office.operator('viewer')
  assert.equal((await viewer.attempt('POST /merchants/:merNo/exams', { params, body })).status, 403)
  assert.equal((await developer.attempt('POST /merchants/:merNo/exams', { params, body })).status, 403)
})

test('an address that is none is refused at its field', async () => {
  const notifyUrl = shop.notifyUrl
  const bad = await developer.attempt('POST /exams', { body: { notifyUrl: 'shop.example' } })
  assert.deepEqual([bad.status, Object.keys(bad.problem?.fields ?? {})], [422, ['notifyUrl']])
  const state = await developer.attempt('POST /exams', {
    body: { notifyUrl, stateUrl: 'file:///etc/passwd' },
  })
  assert.deepEqual([state.status, Object.keys(state.problem?.fields ?? {})], [422, ['stateUrl']])
})

test('a merchant has one exam at a time, and one whose node died is shown as broken off', async () => {
  const { merNo } = office.demo
  const at = new Date()
  const run = { runId: makeId('X', PLATFORM, at), kind: examKind(merNo), by: 'somebody', at }
  assert.ok(await insertRun(office.db, run))
  const second = await developer.attempt('POST /exams', { body: { notifyUrl: shop.notifyUrl } })
  assert.deepEqual([second.status, second.problem?.code], [409, 'refused'])
  const minuteAgo = new Date(Date.now() - 61_000)
  await office.db.query({
    text: 'update operator_runs set seen_at = $1 where run_id = $2',
    values: [minuteAgo, run.runId],
  })
  const [found] = (await developer.call('GET /exams', {})).runs
  assert.deepEqual([found?.runId, found?.state], [run.runId, 'failed'])
  assert.match(String(found?.result?.error), /broken off/)
  await developer.call('POST /exams', { body: { notifyUrl: shop.notifyUrl } })
})
