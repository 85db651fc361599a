import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { makeId } from '../../platform/base/id.ts'
import { OF_ONE, readEndpoints, readWorstEndpoints } from './endpoint-health.ts'
import { endpointsText } from './endpoint-sql.ts'

const now = new Date('2026-11-19T12:00:00Z')
const HOUR_MS = 3_600_000
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
const [HEALTHY, FAILING, BUSY] = [62_000_001, 62_000_002, 62_000_003]

const database = useDatabase()

type Sent = {
  readonly merNo: number
  readonly url: string
  readonly at: Date
  /** The number of failed attempts before the acknowledgement, or before the next attempt. */
  readonly failures?: number
  readonly acknowledged?: boolean
}

async function sent({ merNo, url, at, failures = 0, acknowledged = false }: Sent): Promise<void> {
  const id = makeId('N', merNo, at)
  const attempts = failures + (acknowledged ? 1 : 0)
  const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000)
  const ack = acknowledged
    ? [attempts, later(failures), 200, 5, 'SUCCESS', later(failures)]
    : Array(6).fill(null)
  await database.db.query({
    text: `
      insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, attempts, due_at,
        acked_attempt, acked_left_at, acked_status, acked_latency_ms, acked_answer, delivered_at)
      values ($1, $2, $2, 'payment', $3, '{}', $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [merNo, id, url, at, attempts, acknowledged ? null : later(failures), ...ack],
  })
  for (let attempt = 1; attempt <= failures; attempt++)
    await database.db.query({
      text: `
        insert into notification_attempts (mer_no, notification_id, attempt_no, started_at, finished_at, status, error)
        values ($1, $2, $3, $4, $4, 500, 'answered 500')`,
      values: [merNo, id, attempt, later(attempt - 1)],
    })
}

test('an endpoint is a server, with its acknowledged attempts of the last day and its last answer', async () => {
  await sent({ merNo: HEALTHY, url: 'https://shop.example/n/1', at: ago(3), acknowledged: true })
  await sent({
    merNo: HEALTHY,
    url: 'https://shop.example/n/2?order=7',
    at: ago(2),
    failures: 2,
    acknowledged: true,
  })
  await sent({ merNo: HEALTHY, url: 'https://old.example/n', at: ago(30), failures: 1 })
  await sent({ merNo: HEALTHY, url: 'https://exam.invalid/notifications', at: ago(1), acknowledged: true })
  await sent({ merNo: FAILING, url: 'https://down.example:8443/n', at: ago(2), acknowledged: true })
  await sent({ merNo: FAILING, url: 'https://down.example:8443/n', at: ago(1), failures: 3 })
  const shop = {
    merNo: HEALTHY,
    origin: 'https://shop.example',
    attempts: 4,
    acknowledged: 2,
    lastAt: new Date(ago(2).getTime() + 120_000),
    status: 200,
    error: null,
  }
  const down = {
    merNo: FAILING,
    origin: 'https://down.example:8443',
    attempts: 4,
    acknowledged: 1,
    lastAt: new Date(ago(1).getTime() + 120_000),
    status: 500,
    error: 'answered 500',
  }
  assert.deepEqual(await readEndpoints(database.db, HEALTHY, now), [shop])
  assert.deepEqual(await readEndpoints(database.db, FAILING, now), [down])
  assert.deepEqual(await readWorstEndpoints(database.db, now), [down, shop])
})

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

test('of a merchant with many notifications only the newest are read, by their key', async () => {
  await database.db.query({
    text: `
      insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, attempts,
        acked_attempt, acked_left_at, acked_status, acked_latency_ms, acked_answer, delivered_at)
      select $1, 'N' || at, 'T' || at, 'payment', 'https://busy.example/', '{}', $2, 1, 1, $2, 200, 5, 'SUCCESS', $2
      from generate_series(100000, 130000) at`,
    values: [BUSY, now],
  })
  await database.db.query({ text: 'analyze notifications' })
  const [row] = await database.db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
    text: `explain (analyze, format json) ${endpointsText(OF_ONE)}`,
    values: [[BUSY], 'N'],
  })
  const whole = row?.['QUERY PLAN'][0]?.Plan
  assert.ok(whole)
  const scans = partsOf(whole).filter((plan) => plan['Relation Name'] !== undefined)
  assert.ok(scans.length >= 2)
  for (const scan of scans) {
    assert.equal(scan['Node Type'], 'Index Scan')
    assert.ok(scan['Actual Rows'] * scan['Actual Loops'] <= OF_ONE.notifications, JSON.stringify(scan))
  }
})

function partsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)]
}
