import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { makeId } from '../../platform/base/id.ts'
import { askToResend, resendSlice } from './resend-notifications.ts'

const database = useDatabase()

const hour = (hours: number) => new Date(Date.parse('2026-11-16T00:00:00Z') + hours * 3_600_000)

async function failedAt(merNo: number, at: Date): Promise<void> {
  await database.db.query({
    text: `
      insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, attempts, failed_at)
      values ($1, $2, $2, 'payment', 'https://shop.example/notify', '{}', $3, 9, $3)`,
    values: [merNo, makeId('N', merNo, at), at],
  })
}

async function stillFailed(merNo: number): Promise<number | undefined> {
  const [row] = await database.db.query<{ failed: number }>({
    text: 'select count(*)::int as failed from notifications where mer_no = $1 and failed_at is not null',
    values: [merNo],
  })
  return row?.failed
}

test('what somebody asked to send again is done in slices, by whichever worker is there', async () => {
  for (const hours of [1, 2, 3, 4, 6]) await failedAt(7, hour(hours))
  await failedAt(8, hour(3))
  await askToResend(database.db, { merNo: 7, since: hour(2) }, hour(5))
  assert.equal(await resendSlice(database.db, 2), 2)
  assert.equal(await stillFailed(7), 3)
  // Another worker continues where the first one stopped.
  assert.equal(await resendSlice(database.db, 2), 1)
  assert.equal(await resendSlice(database.db, 2), undefined)
  assert.equal(await stillFailed(7), 2, 'not the one before, nor the one that failed after it was asked')
  assert.equal(await stillFailed(8), 1)
})
