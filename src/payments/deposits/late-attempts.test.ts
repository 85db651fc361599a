// Late money of an order with several attempts belongs to the attempt that it was paid for.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aHosted, aSuccess, noRates } from '../../../test/builders.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts'
import { assertMoneySound, balancesOf, stateOf } from '../../../test/paid-orders.ts'
import type { Outcome } from '../../channels/contract.ts'
import { findPayment } from '../../order-queries/find-payment.ts'
import { lockOrder, lockPaidOrders } from '../../orders/lock-orders.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { changeOrders } from '../../orders/write-changes.ts'
import { listHeld } from '../../suspense/book-suspense.ts'
import { acceptPayments } from '../accept-payments.ts'
import { recordOutcomes } from '../record-outcomes.ts'
import { acceptSuspense } from './accept-suspense.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(async () => {
  await assertMoneySound(database.db)
  await database.drop()
})

const at = new Date('2026-07-01T08:00:00Z')
const deps = () => ({ db: database.db, clock: { now: () => at }, rates: noRates })
const action = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const

async function report(order: NewPayment, attemptNo: number, outcome: Outcome, keepsOrder?: true) {
  const about = { attemptNo, outcome, at, keepsOrder, accepted: undefined }
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(order, about)])
}

const over: Outcome = { kind: 'failed', cause: 'cancelled', message: 'Given up' }

/** The payer started a transfer, cancelled it for a wallet, and cancelled that too: 10.00 USD, 10 % and 2 % in fees. */
async function triedTwice(merNo: number): Promise<NewPayment> {
  const order = aHosted({ merNo, createdAt: at })
  await acceptPayments(database.db, [order])
  for (const [attemptNo, method, feeBps] of [
    [1, 'sepa', 1_000],
    [2, 'cash_app', 200],
  ] as const) {
    await database.db.transaction(async (tx) => {
      const found = await lockOrder(tx, { merNo, tradeNo: order.tradeNo })
      assert.ok(found)
      const entered = { card: undefined, details: {}, sealed: undefined }
      const next = { no: attemptNo, channel: `${method}-channel`, askAt: at, entered }
      const choice = { method, terms: { ...order.terms, feeBps }, platformLimited: false }
      await changeOrders(tx, [{ order: found, at, state: found.state, choice, next }])
    })
    await report(order, attemptNo, { kind: 'pending', channelRef: `ref-${merNo}-${attemptNo}`, action })
    await report(order, attemptNo, over, attemptNo === 1 ? true : undefined)
  }
  assert.equal(await stateOf(database.db, order), 7)
  return order
}

const came = (order: NewPayment, name: string, amount: bigint): Outcome => {
  const money = { amount, currency: 'USD' }
  const deposits = [{ depositRef: `${order.merNo}-${name}`, money, at }]
  return { kind: 'received', channelRef: 'c', deposits, action }
}

async function held(merNo: number) {
  return (await listHeld(database.db, merNo, 10)).sort((one, other) =>
    one.channel.localeCompare(other.channel),
  )
}

async function paidBy(order: NewPayment) {
  const paid = await database.db.transaction((tx) => lockPaidOrders(tx, [order]))
  const found = paid.get(order.tradeNo)
  assert.ok(found)
  const { channel, no: attemptNo, channelRef } = found.attempt
  return { channel, attemptNo, channelRef, method: found.method, fees: found.paid.fees }
}

test('the order is paid by the first attempt, with its channel, method and fees', async () => {
  const order = await triedTwice(58_000_001)
  await report(order, 1, came(order, 'a', 1000n))
  const [late] = await held(order.merNo)
  assert.ok(late)
  await acceptSuspense(deps(), late.suspenseId)
  assert.deepEqual(await paidBy(order), {
    channel: 'sepa-channel',
    attemptNo: 1,
    channelRef: `ref-${order.merNo}-1`,
    method: 'sepa',
    fees: 100n,
  })
  const found = await findPayment(database.db, order)
  assert.deepEqual([found?.attempt?.channel, found?.attempts], ['sepa-channel', 2])
  const balances = await balancesOf(database.db, order.merNo)
  assert.deepEqual([balances['rail:sepa-channel USD'], balances['merchant:unsettled USD']], [-1000n, 900n])
})

test('money of several attempts is not put together: the rest stays where it came', async () => {
  const order = await triedTwice(58_000_002)
  await report(order, 1, came(order, 'a', 400n))
  await report(order, 2, came(order, 'b', 600n))
  const [byWallet, byTransfer] = await held(order.merNo)
  assert.ok(byTransfer && byWallet)
  const { accepted } = await acceptSuspense(deps(), byTransfer.suspenseId)
  assert.deepEqual(
    accepted.map(({ money }) => money.amount),
    [400n],
  )
  assert.equal((await paidBy(order)).channel, 'sepa-channel')
  assert.deepEqual(
    (await held(order.merNo)).map(({ channel, money }) => [channel, money.amount]),
    [['cash_app-channel', 600n]],
  )
  await assert.rejects(acceptSuspense(deps(), byWallet.suspenseId), /return the money/)
})
