import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type ExamShop, openExamShop } from '../../../../test/harness/exam-shop.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { makeId } from '../../../platform/base/id.ts'
import type { Exercised } from '../../exam/exercise.ts'
import { insertRun } from '../runs/sql.ts'
import { examKind } from './exam-run.ts'

let office: BackOffice
let developer: Person
let shop: ExamShop

before(async () => {
  office = await openBackOffice()
  developer = await office.person(office.demo.merNo, 'developer')
  // The shop has a wrong webhook secret. Therefore it finds every signature invalid, and only the first exercise runs.
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
  assert.deepEqual({ open, exercises, runs: runs.length }, { open: true, exercises: 16, runs: 1 })
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
  assert.deepEqual(
    { status: bad.status, fields: Object.keys(bad.problem?.fields ?? {}) },
    { status: 422, fields: ['notifyUrl'] },
  )
  const state = await developer.attempt('POST /exams', {
    body: { notifyUrl, stateUrl: 'file:///etc/passwd' },
  })
  assert.deepEqual(
    { status: state.status, fields: Object.keys(state.problem?.fields ?? {}) },
    { status: 422, fields: ['stateUrl'] },
  )
})

test('a merchant has one exam at a time, and one whose node died is shown as broken off', async () => {
  const { merNo } = office.demo
  const at = new Date()
  const run = { runId: makeId('X', PLATFORM, at), kind: examKind(merNo), by: 'somebody', at }
  assert.ok(await insertRun(office.db, run))
  const second = await developer.attempt('POST /exams', { body: { notifyUrl: shop.notifyUrl } })
  assert.deepEqual({ status: second.status, code: second.problem?.code }, { status: 409, code: 'refused' })
  const minuteAgo = new Date(Date.now() - 61_000)
  await office.db.query({
    text: 'update operator_runs set seen_at = $1 where run_id = $2',
    values: [minuteAgo, run.runId],
  })
  const [found] = (await developer.call('GET /exams', {})).runs
  assert.deepEqual({ runId: found?.runId, state: found?.state }, { runId: run.runId, state: 'failed' })
  assert.match(String(found?.result?.error), /broken off/)
  await developer.call('POST /exams', { body: { notifyUrl: shop.notifyUrl } })
})

test('a good shop passes in a sandbox that other machines can reach, which may send to that shop alone', async () => {
  const host = '127.0.0.2'
  const open = await openBackOffice({ HOST: '0.0.0.0', TOLLGATE_NOTIFY_ALLOW: host })
  const { merNo, key } = open.demo
  const owner = await open.person(merNo, 'owner')
  const { webhookSecret } = await owner.call('POST /keys/webhook-secret', {})
  const good = await openExamShop({ key, webhookSecret }, undefined, host)
  try {
    await owner.call('POST /exams', { body: { notifyUrl: good.notifyUrl, stateUrl: good.stateUrl } })
    const newest = async () => (await owner.call('GET /exams', {})).runs[0]
    assert.ok(await eventually(async () => (await newest())?.state === 'done'))
    const exercises = (await newest())?.result?.exercises as readonly Exercised[]
    assert.deepEqual(
      exercises.map(({ name, state, found }) => (state === 'passed' ? state : `${name}: ${found.join()}`)),
      exercises.map(() => 'passed'),
    )
  } finally {
    good.close()
    await open.close()
  }
})
