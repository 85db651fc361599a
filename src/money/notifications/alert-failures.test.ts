import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openLog } from '../../platform/runtime/log.ts'
import { createFailureAlerts } from './alert-failures.ts'

const database = useDatabase()

const failed = { merNo: 7, url: 'https://shop.example/notify', fields: { merOrderNo: 'A-1' } }

async function alerts(): Promise<unknown[]> {
  const rows = await database.db.query<{ content: unknown }>({ text: 'select content from alerts' })
  return rows.map(({ content }) => content)
}

test('given-up deliveries of a merchant are reported once an hour, by all nodes together', async () => {
  let now = new Date()
  const node = () =>
    createFailureAlerts({ db: database.db, clock: { now: () => now }, log: openLog('silent') })
  const [one, other] = [node(), node()]
  one.report(failed)
  assert.ok(await eventually(async () => (await alerts()).length === 1))
  assert.deepEqual(await alerts(), [{ orderNo: 'A-1', url: failed.url }])
  one.report(failed)
  other.report(failed)
  assert.ok(await staysFalse(async () => (await alerts()).length > 1, 300))
  now = new Date(now.getTime() + 3_600_001)
  other.report(failed)
  assert.ok(await eventually(async () => (await alerts()).length === 2))
})
