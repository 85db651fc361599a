// What merchants, operators and load balancers see while the database cannot do its work.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { type Account, cardBody, newNumber, pay, query, type Reply } from '../harness/client.ts'
import { countOrders } from '../harness/database-checks.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../harness/database-proxy.ts'
import { eventually, staysFalse } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { cloneDatabase, useDatabase } from '../harness/harness.ts'
import { runTollgate } from '../harness/operator.ts'
import { missingPgBouncer, startPgBouncer } from '../harness/pgbouncer.ts'

/** A card whose issuer stays silent for longer than the gateway waits. */
const SILENT = '4000000000006975'

let proxy: DatabaseProxy
let installation: Installation
let gateway: GatewayProcess
let account: Account

const database = useDatabase({
  async before({ url }) {
    proxy = await openDatabaseProxy(url)
    installation = await openInstallation({ DATABASE_URL: proxy.url, TOLLGATE_CHANNEL_TIMEOUT_MS: '2500' })
    gateway = await installation.start()
    account = gateway.account
  },
  async after() {
    await installation.remove()
    await proxy.stop().catch(() => {})
  },
})

type Ready = { readonly status: number; readonly checks: Readonly<Record<string, boolean>> }

async function ready(): Promise<Ready> {
  const reply = await fetch(`${account.baseUrl}/readyz`)
  return { status: reply.status, checks: Object(await reply.json()).checks }
}

async function isReady(): Promise<boolean> {
  return (await ready()).status === 200
}

function assertNotStored(reply: Reply): void {
  assert.deepEqual({ status: reply.status, code: reply.code }, { status: 503, code: '99999' }, reply.message)
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(reply.message, /nothing was stored/)
}

function linesWith(text: string): string[] {
  return installation
    .output()
    .split('\n')
    .filter((line) => line.includes(text))
}

/**
 * Returns the errors and warnings of the log, for people. One warning is left out: a commit whose answer was lost may
 * have claimed a notification.
 */
function complaints(): string[] {
  return installation
    .output()
    .split('\n')
    .filter((line) => /"level":(40|50|60)/.test(line) && !line.includes('a worker died during attempts'))
}

/** Runs an outage, and returns what the log said of it. */
async function duringOutage(
  begin: () => Promise<unknown>,
  check: () => Promise<void>,
  end: () => Promise<unknown>,
): Promise<void> {
  const before = { complaints: complaints().length, ends: linesWith('the database works again').length }
  await begin()
  assert.ok(await eventually(async () => !(await isReady())))
  try {
    await check()
    // The workers go on failing all the time.
    assert.ok(await staysFalse(isReady, 2_500))
  } finally {
    await end()
  }
  assert.ok(await eventually(isReady))
  assert.ok(await eventually(() => linesWith('the database works again').length > before.ends))
  const said = complaints().slice(before.complaints)
  assert.equal(said.length, 1, said.join('\n'))
  assert.match(said[0] ?? '', /the database fails/)
  assert.equal(linesWith('the database works again').length, before.ends + 1)
  assert.equal((await pay(account)).data.payCode, 0)
}

/** Ends all sessions of the gateway, so that its next connections have the settings of the database. */
async function endSessions(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
}

async function setReadOnly(isOn: boolean): Promise<void> {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('set default_transaction_read_only = off')
  const [row] = (await client.query('select current_database() as name')).rows
  await client.query(`alter database ${row.name} set default_transaction_read_only = ${isOn ? 'on' : 'off'}`)
  await endSessions(client)
  await client.end()
}

describe('a gateway in an outage of its database', () => {
  it('is not ready and answers 503 while the database is read-only, and logs two lines', async () => {
    const orders = await countOrders(database.db)
    await duringOutage(
      () => setReadOnly(true),
      async () => {
        // The first probe may meet a connection that was just ended.
        const expected = { database: true, writes: false, schema: true, serving: true }
        assert.ok(await eventually(async () => isDeepStrictEqual((await ready()).checks, expected)))
        for (const reply of await Promise.all([pay(account), pay(account), pay(account)]))
          assertNotStored(reply)
        assert.equal((await query(account, newNumber())).code, '10026', 'reading still works')
      },
      () => setReadOnly(false),
    )
    assert.equal(await countOrders(database.db), orders + 1)
  })

  it('is not ready and answers 503 while nothing listens, and logs two lines', async () => {
    await duringOutage(
      () => proxy.stop(),
      async () => {
        const { checks } = await ready()
        assert.deepEqual(checks, { database: false, writes: false, schema: false, serving: true })
        assertNotStored(await pay(account))
        assertNotStored(await query(account, newNumber()))
        assert.equal((await fetch(`${account.baseUrl}/healthz`)).status, 200)
        const cookie = `tollgate=${'a'.repeat(43)}`
        const office = await fetch(`${account.baseUrl}/backoffice/api/account`, { headers: { cookie } })
        assert.deepEqual(
          { status: office.status, retryAfter: office.headers.get('retry-after') },
          { status: 503, retryAfter: '5' },
        )
        assert.equal(Object(await office.json()).problem.code, 'outage')
      },
      () => proxy.start(),
    )
  })

  it('answers every request although the server vanishes without a word, and serves with the next server', async () => {
    await duringOutage(
      async () => proxy.vanish({ isReplaced: false }),
      async () => {
        const beganMs = performance.now()
        const replies = await Promise.all([pay(account), query(account, newNumber())])
        assert.deepEqual(
          replies.map(({ code }) => code),
          ['99999', '99999'],
        )
        assert.ok(performance.now() - beganMs < 30_000)
        assertNotStored(await pay(account))
      },
      async () => proxy.replace(),
    )
  })

  it('answers 200 with 99999 if the answer to a commit is lost: the order may exist, and it does', async () => {
    const body = cardBody(account)
    proxy.loseAnswerTo('orders.insert')
    const reply = await pay(account, body)
    assert.deepEqual(
      { status: reply.status, code: reply.code },
      { status: 200, code: '99999' },
      reply.message,
    )
    assert.match(reply.message, /query the order/)
    assert.ok(await eventually(async () => (await query(account, body.merOrderNo)).code === '00000'))
  })

  it('answers 200 with 99999 if the outage begins after the order was stored', async () => {
    const merOrderNo = newNumber()
    const orders = await countOrders(database.db)
    const paying = pay(account, { merOrderNo, cardNo: SILENT })
    assert.ok(await eventually(async () => (await countOrders(database.db)) > orders))
    await proxy.stop()
    const reply = await paying
    assert.deepEqual(
      { status: reply.status, code: reply.code },
      { status: 200, code: '99999' },
      reply.message,
    )
    await proxy.start()
    assert.ok(await eventually(async () => (await query(account, merOrderNo)).code === '00000'))
  })

  it('shares one probe among all who ask for readiness', async () => {
    assert.ok(await eventually(isReady))
    const scans = async () => {
      const [row] = await database.db.query<{ scans: bigint }>({
        text: `select seq_scan + coalesce(idx_scan, 0) as scans
          from pg_stat_user_tables where relname = 'database_mode'`,
      })
      return Number(row?.scans)
    }
    const before = await scans()
    const beganMs = performance.now()
    for (let round = 0; round < 20; round++)
      assert.ok((await Promise.all(Array.from({ length: 10 }, isReady))).every(Boolean))
    await database.db.query({ text: 'select pg_stat_force_next_flush()' })
    const seconds = (performance.now() - beganMs) / 1000
    const probes = (await scans()) - before
    assert.ok(probes <= seconds + 2, `${probes} probes in ${seconds} s`)
  })
})

describe('a node whose database was migrated by a newer version', () => {
  it('is not ready, answers 503, and its workers stop', async () => {
    assert.ok(await eventually(isReady))
    const before = complaints().length
    await database.db.transaction(async (tx) => {
      await tx.query({ text: `insert into migrations (name) values ('9999_of_a_newer_version.sql')` })
      await tx.query({ text: `select pg_notify('schema', '')` })
    })
    assert.ok(await eventually(async () => !(await isReady())))
    const { status, checks } = await ready()
    assert.equal(status, 503)
    assert.deepEqual(checks, { database: true, writes: true, schema: false, serving: true })
    assertNotStored(await pay(account))
    assertNotStored(await query(account, newNumber()))
    assert.equal((await fetch(`${account.baseUrl}/healthz`)).status, 200)
    assert.equal((await fetch(`${account.baseUrl}/pay/none`)).status, 503)
    // A worker looks for work every half second.
    const quietSeconds = async () => {
      const found = await observer.query(
        `select extract(epoch from clock_timestamp() - max(query_start))::float8 as seconds
          from pg_stat_activity where datname = current_database() and application_name = 'tollgate'`,
      )
      return Number(found.rows[0].seconds)
    }
    const observer = new pg.Client(database.connection)
    await observer.connect()
    assert.ok(await eventually(async () => (await quietSeconds()) > 3))
    await observer.end()
    const said = complaints().slice(before)
    assert.equal(said.length, 1, said.join('\n'))
    assert.match(said[0] ?? '', /newer version has migrated/)
    assert.equal(await gateway.stop(), 0)
  })

  it('does not start, and says so in one sentence', async () => {
    await assert.rejects(
      installation.start(),
      /Tollgate does not start: the database is newer than this program \(9999_\w+\.sql\): [^\n]+\.\n$/,
    )
  })
})

describe('a gateway behind PgBouncer', { skip: (await missingPgBouncer()) ?? false }, () => {
  const pooled = async (t: TestContext, poolMode: string) => {
    const own = await cloneDatabase()
    const bouncer = await startPgBouncer(own.url, { poolMode, poolSize: 40 })
    const behind = await openInstallation({ DATABASE_URL: bouncer.url })
    t.after(async () => {
      await behind.remove()
      await bouncer.stop()
      await own.drop()
    })
    const env = { DATABASE_URL: bouncer.url, TOLLGATE_DATA_DIR: behind.dataDir }
    const { stdout } = await runTollgate(['doctor', '--json'], env)
    const findings: readonly { check: string; status: string; found: string }[] = JSON.parse(stdout).findings
    return { behind, found: findings.find(({ check }) => check === 'database') }
  }

  for (const poolMode of ['transaction', 'statement'])
    it(`does not start in ${poolMode} mode and says what to do, and so does the doctor`, async (t) => {
      const { behind, found } = await pooled(t, poolMode)
      const sentence = /the pooler at [\d.:]+ lets connections share a server\. Set its pool_mode to session/
      await assert.rejects(behind.start(), sentence)
      assert.doesNotMatch(behind.output(), /\n\s+at /, 'without a stack')
      assert.equal(found?.status, 'fail')
      assert.match(found.found, sentence)
    })

  it('serves in session mode', async (t) => {
    const { behind, found } = await pooled(t, 'session')
    assert.equal(found?.status, 'ok')
    const { account: shop, stop } = await behind.start()
    const paid = await Promise.all(Array.from({ length: 16 }, () => pay(shop)))
    assert.deepEqual(new Set(paid.map(({ data }) => data.payCode)), new Set([0]))
    assert.equal(await stop(), 0)
  })
})
