// Chargebacks and refunds of the same order.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../test/paid-orders.ts'
import { accept, anApplication, codesOf, dollarsOnly, failed, record, succeeded } from '../../test/refunds.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { acceptRefunds } from '../refunds/accept-refunds.ts'
import { openChargeback } from './open-chargeback.ts'
import { resolveChargeback } from './resolve-chargeback.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase(20)
})
after(() => database.drop())

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

test('leaves the books sound', () => assertMoneySound(database.db))
