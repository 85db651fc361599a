// More concurrent payments than the gateway accepts. It runs in the process of the test, which sets a small limit.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSandboxFor } from '../../sandbox/start-for-gateway.ts'
import { readConfig } from '../../src/config.ts'
import { openGateway } from '../../src/gateway.ts'
import type { Db } from '../../src/postgres/db.ts'
import { openLog } from '../../src/runtime/log.ts'
import { blockOrders } from '../block-orders.ts'
import { pay, query, type Reply, readDemoAccount } from '../client.ts'
import { assertSound, countOrders } from '../database-checks.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../gateway-process.ts'
import { cloneDatabase } from '../harness.ts'

const PLACES = 3
const TOO_MANY = 40

test('beyond the limit a payment gets 503 immediately, stores nothing, and can be sent again later', async (t) => {
  const { db, url, drop } = await cloneDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-overload-'))
  const settings = { TOLLGATE_DATA_DIR: dataDir, PORT: String(await freePort()) }
  const { TOLLGATE_FAST_PATHS } = process.env
  const sandbox = await startSandboxFor(readConfig({ ...settings, DATABASE_URL: url, TOLLGATE_FAST_PATHS }))
  const { config } = sandbox
  const gateway = await openGateway({ config, db, log: openLog('silent'), maxUnderWay: PLACES })
  t.after(async () => {
    await gateway.close()
    await sandbox.close()
    await drop()
    rmSync(dataDir, { recursive: true })
  })
  await gateway.listen()
  const account = readDemoAccount(dataDir)
  const used = await usage(db)

  const blocked = await blockOrders(db)
  const turnedAway: Reply[] = []
  const replies = Array.from({ length: PLACES + TOO_MANY }, async () => {
    const reply = await pay(account)
    if (reply.status === 503) turnedAway.push(reply)
    return reply
  })
  // No other request can be answered before the table is free, so waiting for one would never end.
  assert.ok(await eventually(() => turnedAway.length === TOO_MANY), 'they were not refused')
  for (const { code, headers, message } of turnedAway) {
    assert.equal(code, '99999')
    assert.equal(headers.get('retry-after'), '1')
    assert.match(message, /nothing was stored/)
  }
  assert.equal(await countOrders(db), 0)
  assert.deepEqual(await usage(db), used)
  assert.equal((await query(account, 'none')).code, '10026')

  blocked.release()
  const taken = (await Promise.all(replies)).filter((reply) => reply.status !== 503)
  assert.deepEqual(
    taken.map((reply) => reply.data.payCode),
    [0, 0, 0],
  )
  assert.equal(await countOrders(db), PLACES)
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
