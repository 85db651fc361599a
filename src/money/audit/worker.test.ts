import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { startAudit } from './worker.ts'

const database = useDatabase()

/** Runs one audit immediately. Returns what it logged, and how often it raised the alarm. */
async function auditOnce() {
  const errors: unknown[] = []
  let alarms = 0
  const log = { info: () => {}, error: (what: unknown) => void errors.push(what) }
  const deps = { db: database.db, clock: systemClock, log, alarm: () => void alarms++ }
  const worker = startAudit({ ...deps, everyMs: 3_600_000 }, 0)
  await eventually(async () => worker.findings() !== undefined)
  await worker.stop()
  return { errors, alarms, findings: worker.findings() }
}

test('a scheduled audit raises no alarm for sound books, and one alarm for books that break a rule', async () => {
  const { merNo, tradeNo } = await paidOrder(database.db)
  const [decided] = await database.db.query<{ at: string }>({
    text: 'select decided_at::text as at from orders where trade_no = $1',
    values: [tradeNo],
  })
  assert.deepEqual(await auditOnce(), { errors: [], alarms: 0, findings: 0 })
  await database.db.query({ text: 'update orders set version = version + 1' })
  const { errors, alarms, findings } = await auditOnce()
  assert.deepEqual({ alarms, findings }, { alarms: 1, findings: 1 })
  const [error] = errors
  assert.deepEqual(error, {
    check: 'order-history',
    rule: 'An order has the state and version of the last row of its history, and in review also its time; without history it is new',
    merNo,
    subject: tradeNo,
    found: `state 5, version 3, at ${decided?.at}`,
    expected: `state 5, version 2, at ${decided?.at}`,
  })
})

test('a worker stopped before its first audit ends at once', async () => {
  const worker = startAudit({
    db: database.db,
    clock: systemClock,
    log: { info() {}, error() {} },
    alarm: assert.fail,
    everyMs: 3_600_000,
  })
  await worker.stop()
  assert.equal(worker.findings(), undefined)
})
