// Late money of an order with several attempts belongs to the attempt that it was paid for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aHosted, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { assertMoneySound, balancesOf, stateOf } from '../../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import type { Outcome } from '../../../rails/contract/channel.ts'
import { findPayment } from '../../order-queries/find-payment.ts'
import { listDeposits } from '../../order-queries/list-deposits.ts'
import { lockOrder, lockPaidOrders } from '../../orders/lock-orders.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { changeOrders } from '../../orders/write-changes.ts'
import { listHeld } from '../../suspense/book-suspense.ts'
import { acceptPayments } from '../accept-payments.ts'
import { recordOutcomes } from '../record-outcomes.ts'
import { acceptSuspense } from './accept-suspense.ts'

const database = useDatabase({
  after: ({ db }) => assertMoneySound(db),
})

const at = new Date('2026-07-01T08:00:00Z')
const deps = () => ({ db: database.db, clock: { now: () => at }, rates: noRates })
const action = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const

async function report(order: NewPayment, attemptNo: number, outcome: Outcome, keepsOrder?: true) {
  const about = { attemptNo, outcome, at, keepsOrder, accepted: undefined }
  const [recorded] = await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(order, about)])
  assert.ok(recorded)
  return recorded
}

const over: Outcome = { kind: 'failed', cause: 'cancelled', message: 'Given up' }

type Try = { readonly method: string; readonly channel: string; readonly feeBps: number }

async function start(order: NewPayment, no: number, { method, channel, feeBps }: Try): Promise<void> {
  const { merNo, tradeNo } = order
  await database.db.transaction(async (tx) => {
    const found = await lockOrder(tx, { merNo, tradeNo })
    assert.ok(found)
    const entered = { card: undefined, details: {}, sealed: undefined }
    const choice = { method, terms: { ...order.terms, feeBps }, platformLimited: false }
    const next = { no, channel, askAt: at, entered }
    await changeOrders(tx, [{ order: found, at, state: found.state, choice, next }])
  })
  await report(order, no, { kind: 'pending', channelRef: `ref-${merNo}-${no}`, action })
}

/** Makes an order of 10.00 USD. The payer cancelled a transfer (10 % fee), and then a wallet payment (2 % fee). */
async function triedTwice(merNo: number): Promise<NewPayment> {
  const order = aHosted({ merNo, createdAt: at })
  await acceptPayments(database.db, [order])
  await start(order, 1, { method: 'sepa', channel: 'sepa-channel', feeBps: 1_000 })
  await report(order, 1, over, true)
  await start(order, 2, { method: 'cash_app', channel: 'cash_app-channel', feeBps: 200 })
  await report(order, 2, over)
  assert.equal(await stateOf(database.db, order), 7)
  return order
}

/** Makes an order whose payer left the first attempt. The second attempt waits. */
async function waitsAt(merNo: number, first: string, second: string): Promise<NewPayment> {
  const order = aHosted({ merNo, createdAt: at })
  await acceptPayments(database.db, [order])
  await start(order, 1, { method: 'sepa', channel: first, feeBps: 0 })
  await report(order, 1, over, true)
  await start(order, 2, { method: 'sepa', channel: second, feeBps: 0 })
  return order
}

const came = (order: NewPayment, name: string, amount: bigint, txHash?: string): Outcome => {
  const money = { amount, currency: 'USD' }
  const deposits = [{ depositRef: `${order.merNo}-${name}`, money, at, ...(txHash && { txHash }) }]
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
  assert.deepEqual(
    { channel: found?.attempt?.channel, attempts: found?.attempts },
    { channel: 'sepa-channel', attempts: 2 },
  )
  const balances = await balancesOf(database.db, order.merNo)
  assert.deepEqual(
    { rail: balances['rail:sepa-channel USD'], unsettled: balances['merchant:unsettled USD'] },
    { rail: -1000n, unsettled: 900n },
  )
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

async function depositsOf(order: NewPayment) {
  const deposits = await listDeposits(database.db, order)
  return deposits.map(({ attemptNo, money, state }) => [attemptNo, money.amount, state]).sort()
}

test('two channels that number alike report two deposits, whichever comes first', async () => {
  for (const [merNo, nos] of [
    [58_000_003, [1, 2]],
    [58_000_004, [2, 1]],
  ] as const) {
    const order = await waitsAt(merNo, 'bank-one', 'bank-two')
    for (const no of [...nos, ...nos]) {
      const { doubts } = await report(order, no, came(order, '1', no === 1 ? 400n : 1000n))
      assert.deepEqual(doubts, [])
    }
    assert.equal(await stateOf(database.db, order), 5)
    assert.deepEqual(await depositsOf(order), [
      [1, 400n, 'suspense'],
      [2, 1000n, 'taken'],
    ])
    assert.deepEqual(
      (await held(merNo)).map(({ channel, why, money }) => [channel, why, money.amount]),
      [['bank-one', 'late', 400n]],
    )
    const { 'rail:bank-one USD': one, 'rail:bank-two USD': two } = await balancesOf(database.db, merNo)
    assert.deepEqual({ one, two }, { one: -400n, two: -1000n })
  }
})

test('of two equal deposits at two channels each counts, also when both are late', async () => {
  const order = await triedTwice(58_000_005)
  await Promise.all([1, 2].map((no) => report(order, no, came(order, '1', 300n))))
  assert.deepEqual(
    (await held(order.merNo)).map(({ channel, why, money }) => [channel, why, money.amount]),
    [
      ['cash_app-channel', 'late', 300n],
      ['sepa-channel', 'late', 300n],
    ],
  )
})

test('a deposit of one channel counts for the attempt that it was first reported for', async () => {
  const order = await waitsAt(58_000_006, 'bank-one', 'bank-one')
  assert.deepEqual((await report(order, 2, came(order, '1', 400n))).doubts, [])
  const { doubts } = await report(order, 1, came(order, '1', 400n))
  assert.match(doubts[0]?.what ?? '', /before for another/)
  assert.deepEqual(await depositsOf(order), [[2, 400n, 'waiting']])
  assert.deepEqual(await held(order.merNo), [])
})

test('a transfer on a chain counts once, also at a channel whose entry was renamed', async () => {
  for (const [merNo, nos] of [
    [58_000_007, [1, 2]],
    [58_000_008, [2, 1]],
  ] as const) {
    const order = await waitsAt(merNo, 'chain', 'renamed')
    const [first, second] = nos
    assert.deepEqual((await report(order, first, came(order, '1', 400n, '0xabc'))).doubts, [])
    const { doubts } = await report(order, second, came(order, '1', 400n, '0xabc'))
    assert.match(doubts[0]?.what ?? '', /before for another/)
    assert.deepEqual(await depositsOf(order), [[first, 400n, first === 1 ? 'suspense' : 'waiting']])
    // Another event log of the same blockchain transaction is a different deposit.
    await report(order, second, came(order, '2', 100n, '0xabc'))
    assert.equal((await depositsOf(order)).length, 2)
  }
})
