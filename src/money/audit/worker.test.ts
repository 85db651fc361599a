import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { paidOrder } from '../../test/paid-orders.ts'
import { systemClock } from '../base/clock.ts'
import { startAudit } from './worker.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

/** Runs one audit at once; returns what it logged, and how often it raised the alarm. */
async function auditOnce() {
  const errors: unknown[] = []
  let alarms = 0
  const log = { info: () => {}, error: (what: unknown) => void errors.push(what) }
  const worker = startAudit({ db: database.db, clock: systemClock, log, alarm: () => void alarms++ }, 0)
  await eventually(async () => worker.findings() !== undefined)
  await worker.stop()
  return { errors, alarms, findings: worker.findings() }
}

test('a scheduled audit raises no alarm for sound books, and one alarm for books that break a rule', async () => {
  const { merNo, tradeNo } = await paidOrder(database.db)
  assert.deepEqual(await auditOnce(), { errors: [], alarms: 0, findings: 0 })
  await database.db.query({ text: 'update orders set version = version + 1' })
  const { errors, alarms, findings } = await auditOnce()
  assert.deepEqual([alarms, findings], [1, 1])
  const [error] = errors
  assert.deepEqual(error, {
    check: 'order-history',
    rule: 'An order has the state and version of the last row of its history; without history it is new',
    merNo,
    subject: tradeNo,
    found: 'state 5, version 3',
    expected: 'state 5, version 2',
  })
})

test('a worker stopped before its first audit ends at once', async () => {
  const worker = startAudit({
    db: database.db,
    clock: systemClock,
    log: { info() {}, error() {} },
    alarm: assert.fail,
  })
  await worker.stop()
  assert.equal(worker.findings(), undefined)
})
