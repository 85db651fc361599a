import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { assertLocksInOrder } from '../../../test/harness/lock-waits.ts'
import { giveBack, takeUnbounded, type Usage } from './limit-usage.ts'

const database = useDatabase()

test('usage is given back in the order of its keys, so two nodes that give back do not deadlock', async () => {
  const merNo = 65_000_001
  const [day, month] = ['2026-11-15', '2026-11']
  const usageOf = (period: string): Usage => ({ merNo, method: '', period, used: 500n })
  // The row with the later key is stored first.
  for (const period of [day, month])
    await database.db.transaction((tx) => tx.query(takeUnbounded([usageOf(period)])))
  const lock = (period: string) => ({
    text: 'select from limit_usage where mer_no = $1 and period = $2 for update nowait',
    values: [merNo, period],
  })
  await assertLocksInOrder(database.db, { first: lock(month), second: lock(day) }, (tx) =>
    tx.query(giveBack([usageOf(day), usageOf(month)])),
  )
  const rows = await database.db.query({
    text: 'select period, used from limit_usage where mer_no = $1 order by period',
    values: [merNo],
  })
  assert.deepEqual(rows, [
    { period: month, used: 0n },
    { period: day, used: 0n },
  ])
})
