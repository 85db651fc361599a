import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { assertLocksInOrder } from '../../../test/harness/lock-waits.ts'
import { makeId } from '../../platform/base/id.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { countRetrying } from './list-notifications.ts'
import { askToResend, resendSlice } from './resend-notifications.ts'
import { startRound, startRoundOfFailed } from './sql.ts'

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

type Failing = { readonly merNo: number; readonly at: Date; readonly leased?: boolean }

/** Inserts a notification whose second attempt failed at this time. With `leased`, its third attempt is in progress. */
async function retrying({ merNo, at, leased = false }: Failing): Promise<string> {
  const notificationId = makeId('N', merNo, at)
  const until = leased ? at : null
  await database.db.query({
    text: `
      with made as (
        insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, attempts, due_at,
          leased_until)
        values ($1, $2, $2, 'payment', 'https://shop.example/notify', '{}', $3, $4, $3, $5) returning 1
      )
      insert into notification_attempts (mer_no, notification_id, attempt_no, started_at, finished_at, error)
      values ($1, $2, 2, $3, $3, 'answered 500')`,
    values: [merNo, notificationId, at, leased ? 3 : 2, until],
  })
  return notificationId
}

async function standing(merNo: number, notificationId: string) {
  const [row] = await database.db.query<{ due_at: Date; round_start: number; parked: boolean }>({
    text: 'select due_at, round_start, parked from notifications where mer_no = $1 and notification_id = $2',
    values: [merNo, notificationId],
  })
  return row
}

test('the bulk resend sends waiting retries once, and skips attempts under way', async () => {
  const merNo = 9
  const before = await retrying({ merNo, at: hour(1) })
  const waiting = await retrying({ merNo, at: hour(3) })
  const underWay = await retrying({ merNo, at: hour(4), leased: true })
  const after = await retrying({ merNo, at: hour(6) })
  await failedAt(merNo, hour(3))
  const wanted = { merNo, since: hour(2) }
  assert.equal(await countRetrying(database.db, wanted, 10), 2)
  await askToResend(database.db, wanted, hour(5))
  assert.equal(await resendSlice(database.db, 1), 1)
  assert.equal(await resendSlice(database.db, 1), 1)
  assert.equal(await resendSlice(database.db, 1), 0)
  assert.equal(await resendSlice(database.db, 1), undefined)
  assert.deepEqual(await standing(merNo, waiting), { due_at: hour(5), round_start: 2, parked: true })
  assert.deepEqual(await standing(merNo, underWay), { due_at: hour(4), round_start: 0, parked: false })
  for (const [notificationId, at] of [
    [before, hour(1)],
    [after, hour(6)],
  ] as const)
    assert.deepEqual(await standing(merNo, notificationId), { due_at: at, round_start: 0, parked: false })
  assert.equal(await countRetrying(database.db, wanted, 10), 1, 'only the one that failed after it was asked')
  assert.equal(await stillFailed(merNo), 0)
})

const rounds: Readonly<Record<string, (tx: Tx, merNo: number, tradeNo: string) => Promise<unknown>>> = {
  'all notifications of an order': (tx, merNo, tradeNo) =>
    startRound(tx, { merNo, tradeNo, notificationId: undefined }, hour(2)),
  'all that failed': (tx, merNo) => startRoundOfFailed(tx, { merNo, since: hour(0) }, hour(2), 10),
}

for (const [at, [name, send]] of Object.entries(rounds).entries())
  test(`sending ${name} again locks them in the order in which workers record results`, async () => {
    const merNo = 20 + at
    const tradeNo = makeId('T', merNo, hour(1))
    // The later notification is stored first.
    for (const notificationId of ['N2', 'N1'])
      await database.db.query({
        text: `
          insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, attempts,
            failed_at)
          values ($1, $2, $3, 'payment', 'https://shop.example/notify', '{}', $4, 9, $4)`,
        values: [merNo, notificationId, tradeNo, hour(1)],
      })
    const lock = (notificationId: string) => ({
      text: 'select from notifications where mer_no = $1 and notification_id = $2 for update nowait',
      values: [merNo, notificationId],
    })
    const rows = { first: lock('N1'), second: lock('N2') }
    await assertLocksInOrder(database.db, rows, (tx) => send(tx, merNo, tradeNo))
    assert.equal(await stillFailed(merNo), 0)
  })
