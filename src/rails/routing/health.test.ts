import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { readEarlierHealth, readHealth } from './health.ts'
import { addHealth } from './sql.ts'

const database = useDatabase()

test("a minute's calls are counted since that minute, and not before it", async () => {
  const [before, minute] = [new Date('2026-05-01T09:59:00Z'), new Date('2026-05-01T10:00:00Z')]
  const row = (at: Date, calls: number) => {
    return { channel: 'card', minute: at, outcome: 'answered', calls, totalMs: calls }
  }
  await addHealth(database.db, [row(before, 3), row(minute, 5)])
  const now = await readHealth(database.db, minute)
  const earlier = await readEarlierHealth(database.db, ['card'], minute)
  assert.deepEqual([now.get('card')?.calls, earlier.get('card')?.calls], [5, 3])
})
