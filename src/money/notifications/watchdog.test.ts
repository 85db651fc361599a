import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { measureText } from './claim-sql.ts'
import { pauseMerchant } from './pause-merchant.ts'
import { listOverdue, startWatchdog } from './watchdog.ts'

const [PAUSED, SLOW, PROMPT] = [61_000_001, 61_000_002, 61_000_003]
const MOST_COUNTED = 10_000

const database = useDatabase({
  async before() {
    await pauseMerchant(database.db, PAUSED, new Date())
    await fill(PAUSED, 25_000, true, '-1 minute')
    await fill(SLOW, 3, true, '-2 minutes')
    await fill(PROMPT, 2, false, '-1 minute')
    await fill(PROMPT, 25_000, false, '1 hour')
    await database.db.query({ text: 'analyze notifications' })
  },
})

async function fill(merNo: number, count: number, parked: boolean, dueIn: string): Promise<void> {
  await database.db.query({
    text: `
      insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at, parked)
      select $1, $4 || at, 'T' || at, 'payment', 'http://127.0.0.1/', '{}', now(), now() + $4::interval, $3
      from generate_series(1, $2::int) at`,
    values: [merNo, count, parked, dueIn],
  })
}

test('only overdue notifications are reported, and the counts stop at their bound', async () => {
  const log = pino({ level: 'silent' })
  const watchdog = startWatchdog({ db: database.db, clock: systemClock, log, everyMs: 5_000 })
  const health = await watchdog.check()
  await watchdog.stop()
  assert.equal(health.overdue, 5)
  assert.ok(health.oldestDueSeconds >= 120)
  assert.equal(health.parked, MOST_COUNTED)
  assert.equal(health.pending, MOST_COUNTED)
})

test('merchants with overdue notifications are listed, without those that are paused', async () => {
  const found = await listOverdue(database.db, new Date())
  assert.deepEqual(
    found.map(({ merNo, count }) => [Number(merNo), count]),
    [
      [SLOW, 3],
      [PROMPT, 2],
    ],
  )
})

type Plan = {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

test('it scans indexes only, and not beyond its bound', async () => {
  const text = `explain (analyze, format json) ${measureText}`
  const [row] = await database.db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    { text, values: [new Date()] },
    { byKey: true },
  )
  const whole = row?.['QUERY PLAN'][0]?.Plan
  assert.ok(whole)
  for (const plan of partsOf(whole)) {
    assert.ok(
      plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) <= MOST_COUNTED,
      JSON.stringify(plan),
    )
    assert.ok(!['Sort', 'Seq Scan'].includes(plan['Node Type']))
  }
})

function partsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)]
}
