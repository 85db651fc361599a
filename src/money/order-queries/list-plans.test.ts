import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { aPayment } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { takeAsOf, visibleValues } from './as-of.ts'
import { placesText, spanPageText } from './list-orders.ts'
import { startMilestones } from './milestone-worker.ts'

const MER_NO = 55_000_001
const ORDERS = 2_050
const SPACING = 100
const LIMIT = 15
const start = new Date('2026-03-01T00:00:00Z')
const now = new Date('2026-03-02T00:00:00Z')

const database = useDatabase({
  async before() {
    const payments = Array.from({ length: ORDERS }, (_, at) =>
      aPayment({ merNo: MER_NO, createdAt: new Date(start.getTime() + at * 1000) }),
    )
    await acceptPayments(database.db, payments)
    await database.db.query({ text: 'analyze orders' })
  },
})

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly Plans?: readonly Plan[]
}

/** Returns the largest number of rows of `orders` that one node of the query plan read. */
function seenIn(plan: Plan): number {
  const own = plan['Relation Name'] === 'orders' ? plan['Actual Rows'] : 0
  return Math.max(own, ...(plan.Plans ?? []).map(seenIn))
}

async function mostSeen(text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await database.db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
    text: `explain (analyze, format json) ${text}`,
    values,
  })
  const plan = row?.['QUERY PLAN'][0]?.Plan
  assert.ok(plan)
  return seenIn(plan)
}

test('with milestones, neither a total nor a deep page reads many orders', async () => {
  const span = [MER_NO, ...visibleValues(await takeAsOf(database.db, now)), start, now]
  const page = [...span, 1_000, ORDERS - 1_000, LIMIT]
  assert.equal(await mostSeen(placesText, span), ORDERS)
  assert.equal(await mostSeen(spanPageText, page), ORDERS - 1_000 + LIMIT)

  const log = pino({ level: 'silent' })
  const deps = { db: database.db, clock: { now: () => now }, log, alarm: () => {}, everyMs: 30_000 }
  await startMilestones(deps).stop()

  assert.ok((await mostSeen(placesText, span)) < SPACING)
  assert.ok((await mostSeen(spanPageText, page)) < SPACING + LIMIT)
})
