// More concurrent payments than the gateway accepts: first with a small limit for all payments under way, then with the
// real limits, where the number of working payments decides. The gateway runs in the process of the test.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandboxFor } from '../../sandbox/start-for-gateway.ts'
import { type Gateway, openGateway } from '../../src/gateway/gateway.ts'
import { MOST_WORKING } from '../../src/platform/concurrency/gate.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openLog } from '../../src/platform/runtime/log.ts'
import { blockOrders } from '../harness/block-orders.ts'
import { type Account, call, cardBody, pay, query, type Reply, readDemoAccount } from '../harness/client.ts'
import { assertSound, countOrders } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { freePort } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { operatorAt } from '../harness/operator.ts'

const TOO_MANY = 40

describe('a gateway with three places', () => checkOverload({ places: 3, bounds: { maxUnderWay: 3 } }))
describe('a gateway with its real bounds', () => checkOverload({ places: MOST_WORKING, bounds: {} }))

type Overload = { readonly places: number; readonly bounds: { readonly maxUnderWay?: number } }

function checkOverload({ places, bounds }: Overload): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-overload-'))
  let sandbox: { close(): Promise<void> }
  let gateway: Gateway
  let account: Account
  let other: Account
  let refusedForgeries = 0

  const database = useDatabase({
    async before({ db, url }) {
      const settings = {
        TOLLGATE_DATA_DIR: dataDir,
        PORT: String(await freePort()),
        // On a slow machine the sandbox's issuer takes its time for hundreds of payments at once.
        TOLLGATE_CHANNEL_TIMEOUT_MS: '60000',
      }
      const { TOLLGATE_FAST_PATHS } = process.env
      const started = await startSandboxFor(
        readConfig({ ...settings, DATABASE_URL: url, TOLLGATE_FAST_PATHS }),
      )
      sandbox = started
      const { config } = started
      gateway = await openGateway({ config, db, log: openLog('silent'), ...bounds })
      await gateway.listen()
      account = readDemoAccount(dataDir)
      const operator = operatorAt({ databaseUrl: url, dataDir })
      const { merNo, key } = await operator.run(
        'merchant',
        'create',
        '--name',
        'Other',
        '--site',
        account.site,
      )
      other = { ...account, merNo: Number(merNo), key: String(key) }
    },
    async after() {
      await gateway.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true })
    },
  })

  it('refuses a payment beyond them with 503 at once, stores nothing, and takes it later', async () => {
    const { db } = database
    const [used, orders] = [await usage(), await countOrders(db)]
    const blocked = await blockOrders(db)
    const { replies, refused } = await flood()
    for (const { code, headers, message } of refused) {
      assert.equal(code, '99999')
      assert.equal(headers.get('retry-after'), '1')
      assert.match(message, /nothing was stored/)
    }
    assert.equal(await countOrders(db), orders)
    assert.deepEqual(await usage(), used)
    assert.equal((await query(account, 'none')).code, '10026')

    blocked.release()
    const accepted = (await Promise.all(replies)).filter((reply) => reply.status !== 503)
    assertPaid(accepted, places)
    assert.equal(await countOrders(db), orders + places)
    assertPaid(await Promise.all(Array.from({ length: places }, () => pay(account))), places)
    assert.equal(await countOrders(db), orders + 2 * places)
    await assertSound(db)
  })

  it("takes another merchant's payment while one merchant floods it", async () => {
    const blocked = await blockOrders(database.db)
    const { replies } = await flood()
    const others = [pay(other), pay(other)]
    // The next payment is refused. So the gateway decided on the two others while all places were taken.
    await blocked.untilWaiting(1)
    assert.equal((await pay(account)).status, 503)
    blocked.release()
    assertPaid(await Promise.all(others), 2)
    await Promise.all(replies)
    await assertSound(database.db)
  })

  it('is not filled by requests with a wrong signature', async () => {
    const sign = 'F'.repeat(32)
    const forged = () => call(account, '/payment', { ...cardBody(account), sign })
    const forgeries = Array.from({ length: TOO_MANY }, forged)
    const real = Array.from({ length: places }, () => pay(account))
    const more = Array.from({ length: TOO_MANY }, forged)
    assertPaid(await Promise.all(real), places)
    const replies = await Promise.all([...forgeries, ...more])
    // A full gateway refuses requests with this merchant's number before it verifies their signature.
    refusedForgeries = replies.filter(({ status, code }) => status === 503 && code === '99999').length
    assert.equal(replies.filter(({ code }) => code === '10015').length, 2 * TOO_MANY - refusedForgeries)
  })

  it('counts what it refused', async () => {
    const metrics = await (await fetch(`${account.baseUrl}/metrics`)).text()
    const [, refused] = /^tollgate_overload_refusals_total\{reason="share"\} (\d+)$/m.exec(metrics) ?? []
    assert.equal(Number(refused), 2 * TOO_MANY + 1 + refusedForgeries)
    assert.match(metrics, /^tollgate_payments_under_way 0$/m)
  })

  it('takes as many as before once a flooding merchant waits as it was told', async () => {
    const blocked = await blockOrders(database.db)
    const { replies, refused } = await flood(places + TOO_MANY)
    blocked.release()
    await Promise.all(replies)
    // Without this pause, the payments that follow would be the next wave of the flood.
    await sleep(1000 * Number(refused[0]?.headers.get('retry-after')))
    assertPaid(await Promise.all(Array.from({ length: places }, () => pay(account))), places)
    await assertSound(database.db)
  })

  /** Sends more payments than there are places. Resolves once all surplus payments were refused; the others wait. */
  async function flood(
    tooMany = TOO_MANY,
  ): Promise<{ replies: Promise<Reply>[]; refused: readonly Reply[] }> {
    const refused: Reply[] = []
    const replies = Array.from({ length: places + tooMany }, async () => {
      const reply = await pay(account)
      if (reply.status === 503) refused.push(reply)
      return reply
    })
    // No other request can be answered before the table is free, so waiting for one would never end.
    assert.ok(await eventually(() => refused.length === tooMany), 'they were kept waiting')
    return { replies, refused }
  }

  function usage(): Promise<unknown[]> {
    return database.db.query({
      text: 'select mer_no, method, period, used from limit_usage order by mer_no, method, period',
    })
  }
}

function assertPaid(replies: readonly Reply[], count: number): void {
  assert.deepEqual(
    replies.map((reply) => reply.data.payCode),
    Array(count).fill(0),
  )
}
