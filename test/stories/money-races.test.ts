// A hundred concurrent operations of different kinds on one balance or one order. The invariants of all domains must
// hold.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openChargeback } from '../../src/money/chargebacks/open-chargeback.ts'
import { resolveChargeback } from '../../src/money/chargebacks/resolve-chargeback.ts'
import { foldBalances } from '../../src/money/ledger/balances.ts'
import { verifyLedger } from '../../src/money/ledger/verify-ledger.ts'
import type { Merchant } from '../../src/money/merchants/merchant.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { acceptPayouts } from '../../src/money/payouts/accept-payouts.ts'
import { preparePayout } from '../../src/money/payouts/prepare-payout.ts'
import { acceptRefunds } from '../../src/money/refunds/accept-refunds.ts'
import { recordRefunds } from '../../src/money/refunds/record-refunds.ts'
import { settleDue } from '../../src/money/settlement/settle-due.ts'
import { OperatorRefusal } from '../../src/platform/errors/catalogue.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../builders/payouts.ts'
import { anApplication, dollarsOnly, failed, settleNow, succeeded } from '../builders/refunds.ts'

let setup: TestPayouts
let db: Db
before(async () => {
  setup = await openPayouts()
  db = setup.db
})
after(async () => {
  await assertMoneySound(db)
  await setup.close()
})

const many = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index))

async function settledOrders(merNo: number, count: number): Promise<NewPayment[]> {
  const orders = await Promise.all(many(count, () => paidOrder(db, { merNo })))
  await Promise.all(orders.map((order) => settleNow(db, order)))
  return orders
}

async function payout(merchant: Merchant): Promise<string> {
  const { payout } = await preparePayout(setup.deps, merchant, aPayout())
  const [accepted] = await acceptPayouts(setup.deps, [payout])
  return accepted?.refusal?.code ?? 'accepted'
}

async function refund(order: NewPayment, amount?: bigint): Promise<string> {
  const application = anApplication(order, amount === undefined ? {} : { amount })
  const [accepted] = await acceptRefunds({ db, rates: dollarsOnly }, [application])
  return accepted?.refusal?.code ?? 'accepted'
}

const chargebackDeps = () => ({
  db,
  findMerchant: async () => ({ feePlans: new Map(), chargebackUrl: '' }),
})
const open = ({ tradeNo }: NewPayment) =>
  openChargeback(chargebackDeps(), tradeNo, { money: undefined, reason: '13', at: new Date() })

const tally = (codes: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]))

const DAY_MS = 86_400_000
const settleAll = () => {
  const failedWith = (_merNo: number, error: unknown) => assert.fail(String(error))
  const deps = { db, clock: setup.clock, failed: failedWith, batchSize: 7 }
  return settleDue(deps, new Date(Date.now() + 400 * DAY_MS))
}

test('a hundred payouts and a hundred refunds on one balance take exactly what is available', async () => {
  const merchant = aPayer()
  const orders = await settledOrders(merchant.merNo, 100)
  const codes = await Promise.all(
    orders.flatMap((order) => [() => payout(merchant), () => refund(order)]).map((take) => take()),
  )
  assert.deepEqual(tally(codes), { accepted: 100, '10104': 100 })
  assert.equal(await setup.available(merchant.merNo), 0n)
})

test('while balances are folded during payments, refunds and payouts, every read is exact and nothing is spent twice', async () => {
  const merchant = aPayer()
  const orders = await settledOrders(merchant.merNo, 60)
  let isOver = false
  let folded = 0
  const fold = async (limit: number) => {
    while (!isOver) folded += await foldBalances(db, limit)
  }
  const look = async () => {
    while (!isOver) {
      assert.deepEqual((await verifyLedger(db)).differences, [])
      assert.ok((await setup.available(merchant.merNo)) >= 0n)
    }
  }
  const beside = Promise.all([fold(3), fold(10), look()])
  const paying = Promise.all(many(60, () => paidOrder(db, { merNo: merchant.merNo })))
  const taking = orders.flatMap((order) => [payout(merchant), refund(order)])
  const codes = await Promise.all(taking).finally(() => {
    isOver = true
  })
  await Promise.all([paying, beside])
  assert.ok(folded > 0)
  assert.deepEqual(tally(codes), { accepted: 60, '10104': 60 })
  assert.equal(await setup.available(merchant.merNo), 0n)
})

test('with concurrent payouts and chargebacks, only chargebacks go below zero, and then nothing is paid out', async () => {
  const merchant = aPayer()
  const orders = await settledOrders(merchant.merNo, 50)
  const paying = many(50, () => payout(merchant))
  const [codes] = await Promise.all([Promise.all(paying), Promise.all(orders.map(open))])
  const accepted = codes.filter((code) => code === 'accepted').length
  assert.equal(await setup.available(merchant.merNo), BigInt(-accepted) * 1_000n)
  assert.equal(await setup.inFlight(merchant.merNo), BigInt(accepted) * 1_000n)
  assert.equal(await payout(merchant), '10104')
})

test('concurrent settlements, refunds, outcomes and chargebacks of the same orders stay exact', async () => {
  const merNo = 63_000_001
  const terms = { feeBps: 150, marginBps: 1_000, marginDays: 1 }
  const orders = await Promise.all(many(30, () => paidOrder(db, { merNo, terms })))
  const accepted = await acceptRefunds(
    { db, rates: dollarsOnly },
    orders.map((order) => anApplication(order, { amount: 300n })),
  )
  const first = accepted.flatMap((one) => (one.refusal === undefined ? [one.refund] : []))
  assert.equal(first.length, 30)
  const outcomes = first.map((one, at) => recordRefunds(db, [at % 2 === 0 ? succeeded(one) : failed(one)]))
  const [codes] = await Promise.all([
    Promise.all(orders.map((order) => refund(order, 200n))),
    Promise.all(many(10, settleAll)),
    Promise.all(orders.map(open)),
    Promise.all(outcomes),
  ])
  assert.deepEqual(
    codes.filter((code) => !['accepted', '10102', '10104'].includes(code)),
    [],
  )
  await settleAll()
  for (const order of orders) assert.equal(await stateOf(db, order), 12)
  await assertMoneySound(db)
})

test('of a hundred resolutions of one chargeback, won and lost, while a refund ends, one counts', async () => {
  const merNo = 63_000_002
  const order = await paidOrder(db, { merNo })
  const [taken] = await acceptRefunds({ db, rates: dollarsOnly }, [anApplication(order, { amount: 400n })])
  assert.ok(taken !== undefined && taken.refusal === undefined)
  await open(order)
  const verdict = (index: number) =>
    resolveChargeback(chargebackDeps(), order.tradeNo, {
      outcome: index % 2 === 0 ? 'won' : 'lost',
      at: new Date(),
    })
  const [ends] = await Promise.all([
    Promise.allSettled(many(100, verdict)),
    Promise.all(many(10, () => recordRefunds(db, [failed(taken.refund)]))),
  ])
  const counted = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  assert.equal(counted.length, 1)
  assert.ok(refused.every((reason) => reason instanceof OperatorRefusal))
  const { 'merchant:unsettled USD': unsettled = 0n, 'merchant:available USD': available = 0n } =
    await balancesOf(db, merNo)
  const [{ state } = { state: 'none' }] = counted
  assert.equal(unsettled + available, state === 'won' ? 1_000n : 0n)
  assert.equal(await stateOf(db, order), state === 'won' ? 5 : 11)
})
