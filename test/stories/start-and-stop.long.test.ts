// Starts, stops and crashes of a gateway with an embedded database.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it, type TestContext, test } from 'node:test'
import { blockOrders } from '../harness/block-orders.ts'
import { type Account, cardBody, newNumber, pay, query, queryBody, signed } from '../harness/client.ts'
import { assertSound, countOrders } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { freePort, type Installation, killServer, openInstallation } from '../harness/gateway-process.ts'
import { cloneDatabase, type TestDatabase } from '../harness/harness.ts'

const GOOD = '4242424242424242'
const SILENT = '4000000000006975'
/** The setting limits how long a request with the silent card takes. */
const SHORT_TIMEOUT = { TOLLGATE_CHANNEL_TIMEOUT_MS: '1500' }

describe('a gateway with an embedded database', () => {
  let installation: Installation
  let paid: Readonly<Record<string, unknown>>
  before(async () => {
    installation = await openInstallation(SHORT_TIMEOUT)
  })
  after(() => installation.remove())

  it('stops the database when it stops, and finds merchant and order after the next start', async () => {
    const first = await installation.start()
    paid = (await pay(first.account)).data
    assert.equal(paid.payCode, 0)
    assert.notEqual(installation.serverPid(), undefined)
    assert.equal(await first.stop(), 0)
    assert.equal(installation.serverPid(), undefined)

    const second = await installation.start()
    assert.deepEqual(second.account, first.account)
    await assertKnows(second.account, paid)
    await second.kill()
  })

  it('uses the database that still runs after kill -9', async () => {
    const left = installation.serverPid()
    assert.notEqual(left, undefined, 'the database went down with the gateway')
    const gateway = await installation.start()
    assert.equal(installation.serverPid(), left)
    await assertKnows(gateway.account, paid)
    await gateway.kill()
  })

  it('recovers after kill -9 of both processes', async () => {
    await killServer(installation)
    const gateway = await installation.start()
    await assertKnows(gateway.account, paid)
    assert.equal((await pay(gateway.account)).data.payCode, 0)
    assert.equal(await gateway.stop(), 0)
    assert.equal(installation.serverPid(), undefined)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`answers a request in flight before ${signal} stops it and the database`, async (t) => {
      const gateway = await installation.start()
      const { account } = gateway
      const kept = new Agent({ keepAlive: true })
      t.after(() => kept.destroy())
      const idle = await post(kept, account, '/order/query', queryBody(account, { merOrderNo: 'none' }))
      assert.match(idle, /"code":"10026"/)

      const merOrderNo = newNumber()
      const pending = pay(account, { merOrderNo, cardNo: SILENT })
      assert.ok(await eventually(async () => (await query(account, merOrderNo)).code === '00000'))
      const stopped = gateway.stop(signal)
      // A busy machine may deliver the signal late.
      assert.ok(await eventually(() => isStopping(account)))
      const late = cardBody(account)
      const turnedAway = await post(kept, account, '/payment', late).catch((error: Error) => error)
      if (typeof turnedAway === 'string') assert.match(turnedAway, /"code":"99999".*shutting down/)

      const reply = await pending
      assert.equal(reply.code, '00000')
      assert.equal(reply.data.payCode, 2)
      assert.equal(await stopped, 0)
      assert.equal(installation.serverPid(), undefined)

      const next = await installation.start()
      assert.equal((await query(account, reply.data.merOrderNo)).code, '00000')
      assert.equal((await query(account, late.merOrderNo)).code, '10026')
      await next.stop()
    })
  }
})

async function assertKnows(account: Account, paid: Readonly<Record<string, unknown>>): Promise<void> {
  const found = await query(account, paid.merOrderNo)
  assert.equal(found.data.tradeNo, paid.tradeNo)
  assert.equal(found.data.state, 3)
  assert.match((await pay(account, { merOrderNo: paid.merOrderNo })).code, /^1000[39]$/)
}

function post(agent: Agent, account: Account, path: string, body: Record<string, unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', referer: `https://${account.site}/` }
    const outgoing = request(account.baseUrl + path, { method: 'POST', agent, headers })
    outgoing.on('error', reject).on('response', (response) => text(response).then(resolve, reject))
    outgoing.end(JSON.stringify(signed(account, path, body)))
  })
}

test('a stopping gateway answers 503 to a further request on a busy connection', async (t) => {
  const { database, installation } = await shared(t)
  const gateway = await installation.start()
  const orders = await blockOrders(database.db)
  const socket = sendRaw(gateway.account, rawPayment(gateway.account, GOOD))
  const answers = text(socket)
  await orders.untilWaiting(1)
  const stopped = gateway.stop()
  assert.ok(await eventually(() => isStopping(gateway.account)))
  socket.write(rawPayment(gateway.account, GOOD))
  orders.release()

  const [, first = '', second = ''] = (await answers).split('HTTP/1.1 ')
  assert.match(first, /^200 OK[\s\S]*"payCode":0/)
  assert.match(second, /^503 [\s\S]*retry-after: 1[\s\S]*"code":"99999"/)
  assert.equal(await stopped, 0)
  assert.equal(await countOrders(database.db), 1)
})

function rawPayment(account: Account, cardNo: string): string {
  const body = JSON.stringify(signed(account, '/payment', cardBody(account, { cardNo })))
  const headers = `Host: tollgate\r\nReferer: https://${account.site}/\r\nContent-Type: application/json`
  return `POST /payment HTTP/1.1\r\n${headers}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

test('a stop does not wait for silent or slow clients, and finishes the payment of a client that disconnected', async (t) => {
  const { database, installation } = await shared(t)
  const gateway = await installation.start()
  const raw = rawPayment(gateway.account, SILENT)
  for (const piece of ['', raw.slice(0, 50), raw.slice(0, -50)]) sendRaw(gateway.account, piece)
  const gone = sendRaw(gateway.account, raw)
  assert.ok(await eventually(async () => (await countOrders(database.db)) === 1))
  gone.destroy()

  assert.equal(await gateway.stop(), 0, 'it was forced: it waited for clients')
  assert.deepEqual(await database.db.query({ text: 'select state from attempts' }), [{ state: 'unknown' }])
})

/** An installation on the database server of the test run. */
async function shared(t: TestContext): Promise<{ database: TestDatabase; installation: Installation }> {
  const database = await cloneDatabase()
  const installation = await openInstallation({ ...SHORT_TIMEOUT, DATABASE_URL: database.url })
  t.after(async () => {
    await installation.remove()
    await database.drop()
  })
  return { database, installation }
}

/** True if the gateway is not ready any more, or accepts no new connections. */
function isStopping({ baseUrl }: Account): Promise<boolean> {
  return fetch(`${baseUrl}/readyz`).then(
    ({ status }) => status !== 200,
    () => true,
  )
}

function sendRaw(account: Account, bytes: string): Socket {
  const socket = connect(Number(new URL(account.baseUrl).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}

test('a gateway stopped under load answers every order that it accepted', async (t) => {
  const { database, installation } = await shared(t)
  const gateway = await installation.start()
  const answered = new Map<string, unknown>()
  const work = async () => {
    for (let count = 0; count < 500; count++) {
      const reply = await pay(gateway.account)
      if (reply.code === '00000') answered.set(String(reply.data.tradeNo), reply.data.payCode)
      else assert.equal(`${reply.status} ${reply.code}`, '503 99999')
    }
  }
  const load = Promise.allSettled(Array.from({ length: 16 }, work))
  assert.ok(await eventually(() => answered.size > 50))
  assert.equal(await gateway.stop(), 0)
  for (const end of await load) {
    const isLostConnection = end.status === 'rejected' && end.reason instanceof TypeError
    assert.ok(end.status === 'fulfilled' || isLostConnection, `${end.status === 'rejected' && end.reason}`)
  }
  const rows = await database.db.query<{ trade_no: string; state: number }>({
    text: 'select trade_no, state from orders order by trade_no',
  })
  assert.deepEqual(
    rows.map(({ trade_no }) => trade_no),
    [...answered.keys()].sort(),
  )
  // On a slow machine the issuer's response may come too late. Then the outcome is not known yet, as the response said.
  for (const { trade_no, state } of rows) if (answered.get(trade_no) === 0) assert.equal(state, 5, trade_no)
  await assertSound(database.db)
})

test('two gateways that start at the same time in an empty folder create one database, and both serve', async (t) => {
  const installation = await openInstallation()
  t.after(() => installation.remove())
  await assertBothServe(installation)
  assert.equal(installation.serverPid(), undefined)
})

test('two gateways that start at the same time on an empty DATABASE_URL migrate it once, and both serve', async (t) => {
  const { database, installation } = await shared(t)
  await database.db.query({ text: 'drop schema public cascade' })
  await database.db.query({ text: 'create schema public' })
  await assertBothServe(installation)
  const applied = installation.output().match(/applied migration \w+\.sql/g) ?? []
  assert.ok(applied.length > 0)
  assert.equal(new Set(applied).size, applied.length)
})

async function assertBothServe(installation: Installation): Promise<void> {
  const gateways = await Promise.all([
    installation.start(),
    installation.start({ PORT: String(await freePort()) }),
  ])
  const [one, other] = gateways.map((gateway) => gateway.account)
  assert.ok(one !== undefined && other !== undefined)
  assert.notEqual(one.baseUrl, other.baseUrl)
  const [paid, alsoPaid] = await Promise.all([pay(one), pay(other)])
  assert.equal((await query(other, paid.data.merOrderNo)).data.state, 3)
  assert.equal((await query(one, alsoPaid.data.merOrderNo)).data.state, 3)
  assert.deepEqual(await Promise.all(gateways.map((gateway) => gateway.stop())), [0, 0])
}
