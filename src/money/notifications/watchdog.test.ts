import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { measureText, stuckCountText } from './claim-sql.ts'
import { pauseMerchant } from './pause-merchant.ts'
import { listStuck, readStuck, startWatchdog } from './watchdog.ts'

const [PAUSED, SLOW, PROMPT, FAILING] = [61_000_001, 61_000_002, 61_000_003, 61_000_004]
const MOST_COUNTED = 10_000

const database = useDatabase({
  async before() {
    await pauseMerchant(database.db, PAUSED, new Date())
    await fill(PAUSED, 25_000, true, '-1 minute')
    await fill(SLOW, 3, true, '-2 minutes')
    await fill(PROMPT, 2, false, '-1 minute')
    await fill(PROMPT, 25_000, false, '1 hour')
    await fill(FAILING, 4, false, '2 hours', 1)
    await fill(FAILING, 1, true, '-3 seconds', 2)
    await fill(PAUSED, 1, false, '2 hours', 1)
    await fill(SLOW, 1, true, '-3 minutes', 1)
    await database.db.query({ text: 'analyze notifications' })
  },
})

async function fill(
  merNo: number,
  count: number,
  parked: boolean,
  dueIn: string,
  attempts = 0,
): Promise<void> {
  await database.db.query({
    text: `
      insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at, parked,
        attempts)
      select $1::bigint, $4 || at, 'T' || at, 'payment', 'http://127.0.0.1/', '{}', now() + $1::bigint * interval '1 second', now() + $4::interval, $3, $5
      from generate_series(1, $2::int) at`,
    values: [merNo, count, parked, dueIn, attempts],
  })
}

test('only overdue notifications are reported, and the counts stop at their bound', async () => {
  const log = pino({ level: 'silent' })
  const watchdog = startWatchdog({ db: database.db, clock: systemClock, log, everyMs: 5_000 })
  const health = await watchdog.check()
  await watchdog.stop()
  assert.equal(health.overdue, 6)
  assert.ok(health.oldestDueSeconds >= 120)
  assert.equal(health.parked, MOST_COUNTED)
  assert.equal(health.pending, MOST_COUNTED)
})

test('a notification is stuck if it is retrying or overdue, in the count as in the list of merchants', async () => {
  const { oldest, ...counts } = await readStuck(database.db, new Date())
  assert.deepEqual(counts, { retrying: 6, overdue: 5 })
  assert.ok(oldest !== null)
  const found = await listStuck(database.db, new Date())
  assert.deepEqual(
    found.map(({ merNo, retrying, overdue }) => [merNo, retrying, overdue]),
    [
      [SLOW, 1, 3],
      [PROMPT, 0, 2],
      [FAILING, 5, 0],
    ],
  )
})

type Plan = {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

for (const [name, counted] of [
  ['watchdog', measureText],
  ['count of stuck notifications', stuckCountText],
] as const)
  test(`the ${name} scans indexes only, and not beyond its bound`, () => assertBounded(counted))

async function assertBounded(counted: string): Promise<void> {
  const text = `explain (analyze, format json) ${counted}`
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
    assert.ok(!['Sort', 'Seq Scan'].includes(plan['Node Type']), JSON.stringify(plan))
  }
}

function partsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)]
}
