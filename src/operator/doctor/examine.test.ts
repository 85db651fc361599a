// The findings that an operator reads about a new installation. Each mistake must appear once, in a readable line.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../../test/harness/gateway-process.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import type { Finding } from './checks.ts'
import { examine } from './examine.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-examine-'))
const channels = join(folder, 'channels.json')
let port = 0
const database = useDatabase({
  async before() {
    port = await freePort()
  },
  after: () => rmSync(folder, { recursive: true }),
})

async function findings(): Promise<Finding[]> {
  const env = { PORT: String(port), TOLLGATE_DATA_DIR: folder, TOLLGATE_CHANNELS: channels }
  return examine({
    config: () => readConfig({ ...env, TOLLGATE_MASTER_KEY: '0'.repeat(64) }),
    clock: systemClock,
    openDatabase: async () => ({ db: database.db, close: async () => {} }),
  })
}

async function failures(): Promise<string[]> {
  const found = await findings()
  return found.filter(({ status }) => status === 'fail').map(({ check, found }) => `${check}: ${found}`)
}

test('a wrong channels file fails once, under its own name', async () => {
  writeFileSync(channels, '[{ "name": "Card!" }]', { mode: 0o600 })
  const [first = '', ...others] = await failures()
  assert.match(first, /^channels file: TOLLGATE_CHANNELS, entry 1 needs a "name"/)
  assert.deepEqual(others, [])
})

test('another program at the address is what is found, and nobody is accused of changing its pages', async (t) => {
  const server = createServer((_request, response) => response.end('<h1>It works!</h1>')).listen(port)
  t.after(() => server.close())
  writeFileSync(channels, '[]', { mode: 0o600 })
  assert.deepEqual(await failures(), [`gateway: another program answers at http://127.0.0.1:${port}`])
})

test('the doctor looks for outcomes that take too long', async () => {
  const outcomes = (await findings()).filter(({ check }) => check === 'outcomes')
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['ok'],
  )
})

test('the doctor names merchants whose notifications are retrying or overdue', async () => {
  const about = async () => {
    const found = (await findings()).find(({ check }) => check === 'notifications')
    return `${found?.status}: ${found?.found}`
  }
  assert.equal(await about(), 'ok: none is retrying or overdue')
  for (const [merNo, made, due, attempts] of [
    [7, '2 hours', '1 minute', 2],
    [8, '1 hour', '-1 minute', 0],
  ] as const)
    await database.db.query({
      text: `
        insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at, attempts)
        values ($1, 'N', 'T', 'payment', 'http://127.0.0.1/', '{}', now() - $2::interval, now() + $3::interval, $4)`,
      values: [merNo, made, due, attempts],
    })
  assert.equal(await about(), 'warn: merchant 7 and 1 more: 1 retrying after a failed attempt, 1 overdue')
})

test('migrations that are not applied are counted, not listed', async () => {
  writeFileSync(channels, '[]')
  assert.deepEqual(await failures(), [])
  await database.db.query({
    text: 'delete from migrations where name in (select name from migrations order by name limit 3)',
  })
  assert.deepEqual(await failures(), ['migrations: not applied: 0001_foundation.sql and 2 more'])
})
