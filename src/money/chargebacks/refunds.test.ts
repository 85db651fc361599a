// Chargebacks and refunds of the same order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import {
  accept,
  anApplication,
  approve,
  codesOf,
  dollarsOnly,
  failed,
  record,
  reject,
  succeeded,
} from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { acceptRefunds } from '../refunds/accept-refunds.ts'
import { findRefund } from '../refunds/find-refund.ts'
import { openChargeback } from './open-chargeback.ts'
import { resolveChargeback } from './resolve-chargeback.ts'

const database = useDatabase({ maxConnections: 20 })

const deps = () => ({
  db: database.db,
  findMerchant: async () => ({ feePlans: new Map(), chargebackUrl: '' }),
})
const open = ({ tradeNo }: NewPayment) =>
  openChargeback(deps(), tradeNo, { money: undefined, reason: '13', at: new Date() })
const resolve = ({ tradeNo }: NewPayment, outcome: 'won' | 'lost') =>
  resolveChargeback(deps(), tradeNo, { outcome, at: new Date() })

test('a refund under way when a chargeback opens finishes, and a chargeback lost after it ends in 17', async () => {
  const order = await paidOrder(database.db, { merNo: 45_000_001 })
  const refund = await accept(database.db, anApplication(order, { amount: 400n }))
  await open(order)
  assert.equal(await stateOf(database.db, order), 12)
  const [late] = await acceptRefunds({ db: database.db, rates: dollarsOnly }, [
    anApplication(order, { amount: 100n }),
  ])
  assert.equal(late?.refusal?.code, '10102')
  await record(database.db, succeeded(refund))
  assert.equal(await stateOf(database.db, order), 12)
  await resolve(order, 'lost')
  assert.equal(await stateOf(database.db, order), 17)
  assert.equal((await balancesOf(database.db, order.merNo))['merchant:available USD'], -400n)
})

test('a refund that fails after the chargeback was lost gives its money back, and the order ends in state 11', async () => {
  const order = await paidOrder(database.db, { merNo: 45_000_002 })
  const refund = await accept(database.db, anApplication(order, { amount: 400n }))
  await open(order)
  await resolve(order, 'lost')
  assert.equal(await stateOf(database.db, order), 17)
  await record(database.db, failed(refund))
  assert.equal(await stateOf(database.db, order), 11)
  const { 'merchant:unsettled USD': unsettled = 0n, 'merchant:available USD': available = 0n } =
    await balancesOf(database.db, order.merNo)
  assert.equal(unsettled + available, 0n)
})

test('each of a hundred refunds that race with a chargeback is accepted before it or refused after it', async () => {
  const order = await paidOrder(database.db, { merNo: 45_000_003, amount: 10_000n })
  const apply = () =>
    acceptRefunds({ db: database.db, rates: dollarsOnly }, [anApplication(order, { amount: 50n })])
  const refunds = Array.from({ length: 50 }, apply)
  const opened = open(order)
  const all = (await Promise.all([...refunds, ...Array.from({ length: 50 }, apply)])).flat()
  await opened
  const codes = codesOf(all)
  assert.deepEqual(
    codes.filter((code) => code !== '00000' && code !== '10102'),
    [],
  )
  const accepted = all.flatMap((one) => (one.refusal === undefined ? [one.refund] : []))
  await Promise.all(accepted.map((refund) => record(database.db, succeeded(refund))))
  await resolve(order, 'lost')
  assert.equal(await stateOf(database.db, order), accepted.length > 0 ? 17 : 11)
  const refunded = BigInt(accepted.length) * 50n
  const balances = await balancesOf(database.db, order.merNo)
  const left = (balances['merchant:unsettled USD'] ?? 0n) + (balances['merchant:available USD'] ?? 0n)
  assert.equal(left, -refunded)
})

const waiting = (order: NewPayment) =>
  accept(database.db, anApplication(order, { terms: { approveRefunds: true } }))

async function sumOf(merNo: number): Promise<bigint> {
  const balances = await balancesOf(database.db, merNo)
  return (balances['merchant:unsettled USD'] ?? 0n) + (balances['merchant:available USD'] ?? 0n)
}

test('a refund that waits cannot be approved while a chargeback is open, and can be after it was won', async () => {
  const order = await paidOrder(database.db, { merNo: 45_000_004 })
  const { refundNo } = await waiting(order)
  await open(order)
  await assert.rejects(
    approve(database.db, refundNo),
    /cannot be approved: a chargeback of its order is open/,
  )
  await resolve(order, 'won')
  await approve(database.db, refundNo)
  assert.equal((await findRefund(database.db, { merNo: order.merNo, refundNo }))?.state, 'calling')
})

test('a refund that waits cannot be approved after the chargeback was lost, and its rejection gives its money back exactly', async () => {
  const order = await paidOrder(database.db, { merNo: 45_000_005 })
  const { refundNo } = await waiting(order)
  await open(order)
  await resolve(order, 'lost')
  const before = await sumOf(order.merNo)
  await assert.rejects(
    approve(database.db, refundNo),
    /cannot be approved: the chargeback of its order was lost/,
  )
  assert.equal((await findRefund(database.db, { merNo: order.merNo, refundNo }))?.state, 'waiting')
  await reject(database.db, refundNo)
  assert.equal((await sumOf(order.merNo)) - before, order.money.amount)
  assert.equal(await stateOf(database.db, order), 11)
})

test('an approval at the moment of a chargeback waits for it, and is then refused', async () => {
  const { db } = database
  const order = await paidOrder(db, { merNo: 45_000_006 })
  const { refundNo } = await waiting(order)
  const approved = await db.transaction(async (tx) => {
    const within = {
      ...deps(),
      db: { ...db, transaction: <Result>(work: (of: Tx) => Promise<Result>) => work(tx) },
    }
    await openChargeback(within, order.tradeNo, { money: undefined, reason: '13', at: new Date() })
    const ended = Promise.allSettled([approve(db, refundNo)])
    await waitUntilSomebodyWaits(db)
    return { ended }
  })
  const [end] = await approved.ended
  assert.equal(end.status, 'rejected')
  assert.equal((await findRefund(db, { merNo: order.merNo, refundNo }))?.state, 'waiting')
})

test('leaves the books sound', () => assertMoneySound(database.db))
