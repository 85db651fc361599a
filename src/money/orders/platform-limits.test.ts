import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { listPlatformLimits, readPlatformLimits, setPlatformLimits } from './platform-limits.ts'

const database = useDatabase()

test('a daily and a monthly limit are set by themselves, and a method without limits has no row', async () => {
  const set = async (method: string, daily: string | undefined, monthly: string | undefined) => {
    await setPlatformLimits(database.db, readPlatformLimits({ method, daily, monthly }))
    return Object.fromEntries(await listPlatformLimits(database.db))
  }
  const card = { daily: 1_000_00n, monthly: undefined }
  assert.deepEqual(await set('card', '1000', undefined), { card })
  const both = { ...card, monthly: 5_000_00n }
  assert.deepEqual(await set('card', undefined, '5000'), { card: both })
  const payout = { daily: undefined, monthly: 7_00n }
  assert.deepEqual(await set('payout', undefined, '7'), { card: both, payout })
  assert.deepEqual(await set('card', 'none', undefined), {
    card: { daily: undefined, monthly: 5_000_00n },
    payout,
  })
  assert.deepEqual(await set('card', undefined, 'none'), { payout })
})

test('limits are refused for a method that does not exist', () => {
  assert.throws(
    () => readPlatformLimits({ method: 'cash', daily: '1000', monthly: undefined }),
    /cash is not a method/,
  )
})
