// More payments than the gateway takes at once. In one process with the test, which sets a bound small enough to reach.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Db } from '../../src/base/db.ts'
import { readConfig } from '../../src/config.ts'
import { openGateway } from '../../src/gateway.ts'
import { openLog } from '../../src/log.ts'
import { assertSound, countOrders } from '../books.ts'
import { pay, query, readDemoAccount } from '../client.ts'
import { eventually, freePort } from '../gateway-process.ts'
import { cloneDatabase } from '../harness.ts'

const PLACES = 3

test('beyond the bound a payment is turned away at once with 503, stores nothing, and is welcome afterwards', async (t) => {
  const { db, url, drop } = await cloneDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-overload-'))
  const settings = {
    TOLLGATE_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    TOLLGATE_CHANNEL_TIMEOUT_MS: '1500',
  }
  const config = readConfig({ ...settings, DATABASE_URL: url })
  const gateway = await openGateway({ config, db, log: openLog('silent'), maxUnderWay: PLACES })
  t.after(async () => {
    await gateway.close()
    await drop()
    rmSync(dataDir, { recursive: true })
  })
  await gateway.listen()
  const account = readDemoAccount(dataDir)

  const held = Array.from({ length: PLACES }, () => pay(account, { cardNo: '4000000000000119' }))
  assert.ok(await eventually(async () => (await countOrders(db)) === PLACES, 5_000, 10))
  const used = await usage(db)

  const begunAt = Date.now()
  const turnedAway = await Promise.all(Array.from({ length: 40 }, () => pay(account)))
  assert.ok(Date.now() - begunAt < 1_000, 'they were kept waiting')
  for (const { status, code, headers, message } of turnedAway) {
    assert.equal(status, 503)
    assert.equal(code, '99999')
    assert.equal(headers.get('retry-after'), '1')
    assert.match(message, /nothing was stored/)
  }
  assert.equal(await countOrders(db), PLACES)
  assert.deepEqual(await usage(db), used)
  assert.equal((await query(account, 'none')).code, '10026')

  for (const reply of await Promise.all(held)) assert.equal(reply.data.payCode, 2)
  const welcome = await Promise.all(Array.from({ length: PLACES }, () => pay(account)))
  for (const reply of welcome) assert.equal(reply.data.payCode, 0)
  assert.equal(await countOrders(db), 2 * PLACES)
  await assertSound(db)
})

function usage(db: Db): Promise<unknown[]> {
  return db.query({
    text: 'select mer_no, method, period, used from limit_usage order by mer_no, method, period',
  })
}
