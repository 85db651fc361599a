import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { State, type StateNumber } from '../../orders/order.ts'
import {
  merchantRatesText,
  platformCountsText,
  readCounts,
  readMerchantRates,
  readPlatformCounts,
} from './read-counts.ts'
import { type CountStep, writeCounts } from './write-index.ts'

const LONDON = 62_000_001
const TOKYO = 62_000_002
/** The first number of the merchants that have counts for two years. */
const OLD = 62_000_100
const OLD_MERCHANTS = 5
const OLD_DAYS = 730
const now = new Date('2026-03-12T20:30:00Z')

const database = useDatabase({
  async before() {
    await database.db.query({
      text: `insert into merchants (mer_no, name, state, timezone, created_at)
        values ($1, 'Old Books', 'active', 'Europe/London', $3), ($2, 'Tea', 'active', 'Asia/Tokyo', $3)`,
      values: [LONDON, TOKYO, now],
    })
  },
})

function step(merNo: number, hour: string, state: StateNumber, orders: bigint): CountStep {
  const [localDay = '', at = ''] = hour.split(' ')
  const cell = {
    localDay,
    hour: Number(at),
    method: 'card',
    state,
    currency: 'USD',
    amount: 100n,
    reason: '',
  }
  return { merNo, cell, orders, amount: 100n * orders }
}

async function write(steps: readonly CountStep[]): Promise<void> {
  await database.db.query({ text: 'delete from order_counts' })
  await database.db.transaction((tx) => writeCounts(tx, steps))
}

test('a day counts as a whole, and also up to the current hour', async () => {
  await write([
    step(LONDON, '2026-03-05 20', State.succeeded, 3n),
    step(LONDON, '2026-03-05 19', State.succeeded, 2n),
    step(LONDON, '2026-03-05 19', State.failed, 4n),
  ])
  const counts = await readCounts(database.db, LONDON, { from: '2026-03-01', to: '2026-03-12', hour: 20 })
  const day = { day: '2026-03-05', method: 'card', currency: 'USD' }
  assert.deepEqual(counts, [{ ...day, orders: 9, paid: 5, failed: 4, volume: 500n, volumeByNow: 200n }])
})

test('the days and hours of all merchants together are those of their time zones', async () => {
  await write([
    // In Tokyo it is 05:30 on the next day.
    step(TOKYO, '2026-03-13 05', State.succeeded, 1n),
    step(TOKYO, '2026-03-13 04', State.succeeded, 2n),
    // This day has not begun in London, so its orders are not counted.
    step(LONDON, '2026-03-13 00', State.succeeded, 40n),
    step(LONDON, '2026-03-12 20', State.succeeded, 10n),
    step(LONDON, '2026-03-12 19', State.succeeded, 20n),
    step(LONDON, '2026-03-10 10', State.failed, 5n),
    step(LONDON, '2026-03-09 10', State.failed, 5n),
  ])
  const counts = await readPlatformCounts(database.db, now, 3)
  assert.deepEqual(counts, [
    { back: 0, currency: 'USD', orders: 33, paid: 33, failed: 0, volume: 3_300n, volumeByNow: 2_200n },
    { back: 2, currency: 'USD', orders: 5, paid: 0, failed: 5, volume: 0n, volumeByNow: 0n },
  ])
})

test('the rate now is that of two hours, and the usual rate that of the seven days before', async () => {
  await write([
    step(LONDON, '2026-03-12 20', State.failed, 4n),
    step(LONDON, '2026-03-12 19', State.succeeded, 6n),
    step(LONDON, '2026-03-12 18', State.succeeded, 50n),
    step(LONDON, '2026-03-05 20', State.failed, 7n),
    step(LONDON, '2026-03-04 20', State.failed, 1_000n),
    step(TOKYO, '2026-03-13 05', State.failed, 9n),
    step(TOKYO, '2026-03-13 00', State.cancelled, 9n),
  ])
  const both = await readMerchantRates(database.db, now, { least: 9, limit: 5 })
  assert.deepEqual(both, [
    { merNo: LONDON, name: 'Old Books', now: { paid: 6, failed: 4 }, usual: { paid: 50, failed: 7 } },
    { merNo: TOKYO, name: 'Tea', now: { paid: 0, failed: 9 }, usual: { paid: 0, failed: 0 } },
  ])
  const merNosOf = async (bounds: { least: number; limit: number }) =>
    (await readMerchantRates(database.db, now, bounds)).map(({ merNo }) => merNo)
  assert.deepEqual(await merNosOf({ least: 10, limit: 5 }), [LONDON])
  assert.deepEqual(await merNosOf({ least: 9, limit: 1 }), [TOKYO], 'the one with the most failures')
})

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

function rowsRead(plan: Plan): number {
  const read = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  const own = plan['Relation Name'] === 'order_counts' ? read : 0
  return (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), own)
}

async function countRead(text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await database.db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
    text: `explain (analyze, format json) ${text}`,
    values,
  })
  const plan = row?.['QUERY PLAN'][0]?.Plan
  assert.ok(plan)
  return rowsRead(plan)
}

test('both read only the days that they need, however old the merchants are', async () => {
  const { db } = database
  await db.query({
    text: `insert into merchants (mer_no, name, state, created_at)
      select mer_no, 'Shop ' || mer_no, 'active', $3 from generate_series($1::bigint, $2::bigint) mer_no`,
    values: [OLD, OLD + OLD_MERCHANTS - 1, now],
  })
  await db.query({
    text: `insert into order_counts (mer_no, local_day, hour, method, state, currency, reason, orders, amount)
      select mer_no, $3::date - back, hour, 'card', ${State.failed}, 'USD', '', 10, 1000
      from generate_series($1::bigint, $2::bigint) mer_no,
        generate_series(0, ${OLD_DAYS - 1}) back, generate_series(0, 19) hour`,
    values: [OLD, OLD + OLD_MERCHANTS - 1, '2026-03-12'],
  })
  await db.query({ text: 'analyze order_counts' })
  await db.query({ text: 'analyze merchants' })
  const aDay = OLD_MERCHANTS * 20
  const days = await countRead(platformCountsText, [now, 14])
  assert.ok(days >= 14 * aDay && days < 15 * aDay, `${days} rows for fourteen days`)
  const rates = await countRead(merchantRatesText, [now, 1, 2])
  assert.ok(rates < 2 * OLD_MERCHANTS + 9 * 2 * 20, `${rates} rows for two merchants`)
})
