// Gateways are killed with kill -9 at the worst moments. Every charge is booked once, every response stays true, and
// nothing stays open.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CardBook, openCardBook } from '../../sandbox/card-book.ts'
import { CALL_GRACE_MS } from '../../src/money/orders/call-lease.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { type Account, newNumber, pay } from '../harness/client.ts'
import {
  assertSound,
  CANCELLED,
  countOpen,
  countOrders,
  orderSnapshot,
  PAID,
  statesOf,
} from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { type Installation, openInstallation } from '../harness/gateway-process.ts'
import { cloneDatabase } from '../harness/harness.ts'

type Story = { readonly db: Db; readonly installation: Installation; readonly issuer: () => CardBook }

async function begin(t: TestContext): Promise<Story> {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url })
  t.after(async () => {
    await installation.remove()
    await database.drop()
  })
  const issuer = () => {
    const book = openCardBook(join(installation.dataDir, 'sandbox', 'card-issuer.sqlite'))
    t.after(() => book.close())
    return book
  }
  return { db: database.db, installation, issuer }
}

test('a gateway killed between the call and its outcome books a charge once, and fails uncharged payments', async (t) => {
  const { db, installation, issuer } = await begin(t)
  // The bank must stay silent until the kill, even on a slow machine.
  const first = await installation.start({ TOLLGATE_CHANNEL_TIMEOUT_MS: '60000' })
  const numbers = { charged: newNumber(), uncharged: newNumber() }
  const calls = Promise.allSettled([
    pay(first.account, { merOrderNo: numbers.charged, cardNo: '4000000000000119' }),
    pay(first.account, { merOrderNo: numbers.uncharged, cardNo: '4000000000006975' }),
  ])
  const book = issuer()
  assert.ok(await eventually(async () => (await countOrders(db)) === 2))
  const trades = await tradesOf(db)
  const chargedTrade = trades.get(numbers.charged) ?? ''
  const unchargedTrade = trades.get(numbers.uncharged) ?? ''
  const isCharged = (tradeNo: string) => book.findCharge(attemptReference(tradeNo, 1))?.status === 'captured'
  assert.ok(await eventually(() => isCharged(chargedTrade)), 'the bank never saw the charge')
  await first.kill()
  for (const call of await calls)
    assert.equal(call.status, 'rejected', 'the gateway answered before it was killed')
  assert.equal(await countOpen(db), 2)

  assert.deepEqual(await callsLostAfter(db), [60_000 + CALL_GRACE_MS])
  await db.query({ text: 'update orders set attempt_ask_at = created_at' })
  const second = await installation.start()
  assert.ok(await eventually(async () => (await countOpen(db)) === 0), 'still open')
  assert.deepEqual(await orderSnapshot(db, chargedTrade), PAID)
  assert.deepEqual(await orderSnapshot(db, unchargedTrade), CANCELLED)
  assert.equal(isCharged(unchargedTrade), false)
  assert.equal(await unsettled(db, second.account), 1234n)

  const again = await pay(second.account, { merOrderNo: numbers.charged })
  assert.match(again.code, /^1000[39]$/)
  await assertSound(db)
})

const ROUNDS = 3
/** The largest number of rounds. A kill between two payments tests nothing, so the test adds rounds. */
const MOST_ROUNDS = 12
const CONNECTIONS = 32
const MOST_PER_ROUND = 3_000

test('a gateway killed under load loses no answered payment and books nothing twice', async (t) => {
  const { db, installation, issuer } = await begin(t)
  const answered = new Map<unknown, unknown>()
  let cutOff = 0
  for (let round = 0; round < ROUNDS || (cutOff === 0 && round < MOST_ROUNDS); round++) {
    const gateway = await installation.start()
    const load = payUntilItBreaks(gateway.account, answered)
    // The gateway is killed only once it is busy, however slow the machine is.
    assert.ok(await eventually(() => answered.size >= 50 * (round + 1)))
    await sleep(Math.random() * 500)
    await gateway.kill()
    await load
    cutOff += await countOpen(db)
  }
  assert.ok(cutOff > 0, 'every kill came between two payments, so nothing was tested')
  await installation.start()
  assert.ok(await eventually(async () => (await countOpen(db)) === 0), 'still open')

  assert.ok(answered.size > 100, `only ${answered.size} payments were answered`)
  const states = await statesOf(db)
  for (const [tradeNo, payCode] of answered) assert.equal(states.get(String(tradeNo)), payCode === 0 ? 5 : 6)
  const book = issuer()
  for (const [tradeNo, state] of states) {
    const charge = book.findCharge(attemptReference(tradeNo, 1))
    assert.equal(
      charge?.status === 'captured',
      state === 5,
      `${tradeNo}: ${state}, and the bank says ${charge?.status}`,
    )
  }
  await assertSound(db)
})

/** Pays with many workers. Each worker continues until the gateway is gone. */
async function payUntilItBreaks(account: Account, answered: Map<unknown, unknown>): Promise<void> {
  let left = MOST_PER_ROUND
  const work = async () => {
    while (left-- > 0) {
      const cardNo = left % 4 === 0 ? '4000000000000002' : '4242424242424242'
      const reply = await pay(account, { cardNo })
      assert.equal(reply.code, '00000')
      // The payment is pending if the bank's response came too late. Its outcome is compared with the bank's book.
      if (reply.data.payCode !== 2) answered.set(reply.data.tradeNo, reply.data.payCode)
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: CONNECTIONS }, work))
  for (const end of ends)
    if (end.status === 'rejected' && end.reason instanceof assert.AssertionError) throw end.reason
}

/** Returns how long after its start an open call counts as lost. */
async function callsLostAfter(db: Db): Promise<number[]> {
  const rows = await db.query<{ ms: number }>({
    text: 'select distinct extract(epoch from ask_at - created_at)::float8 * 1000 as ms from attempts',
  })
  return rows.map(({ ms }) => ms)
}

async function tradesOf(db: Db): Promise<Map<string, string>> {
  const rows = await db.query<{ mer_order_no: string; trade_no: string }>({
    text: 'select mer_order_no, trade_no from orders',
  })
  return new Map(rows.map((row) => [row.mer_order_no, row.trade_no]))
}

async function unsettled(db: Db, { merNo }: Account): Promise<bigint | undefined> {
  const [row] = await db.query<{ balance: bigint }>({
    text: `select credits - debits as balance from balances
      where mer_no = $1 and account = 'merchant:unsettled' and currency = 'USD'`,
    values: [merNo],
  })
  return row?.balance
}
