// A hundred concurrent requests on three nodes that share one database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { anApplication, codesOf, failed, settleNow, succeeded } from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type AcceptDeps, acceptRefunds } from './accept-refunds.ts'
import { openRefundBatches, type RefundBatches } from './batches.ts'
import type { Acceptance, Application, Refund } from './refund.ts'

let db: Db
let nodes: RefundBatches[]
useDatabase({
  maxConnections: 24,
  before(database) {
    db = database.db
    nodes = [1, 2, 3].map(() => openRefundBatches({ db, rates: oneForOne }, 1000, () => {}))
  },
})

/** Rates by which one euro is one dollar. */
const oneForOne = { find: () => ({ digits: 1n, scale: 0 }) }

const hundred = <Made>(make: (index: number) => Made) =>
  Array.from({ length: 100 }, (_, index) => make(index))

function node(index: number): RefundBatches {
  const chosen = nodes[index % nodes.length]
  assert.ok(chosen)
  return chosen
}

function acceptAll(applications: readonly Application[]): Promise<Acceptance[]> {
  return Promise.all(applications.map((application, index) => node(index).accept.submit(application)))
}

function refundsOf(acceptances: readonly Acceptance[]): Refund[] {
  return acceptances.flatMap((one) => (one.refusal === undefined ? [one.refund] : []))
}

function tally(acceptances: readonly Acceptance[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const code of codesOf(acceptances)) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

test('a hundred refunds of one order never exceed the payment, and the balances are exact', async () => {
  const merNo = 42_000_001
  const payment = await paidOrder(db, { merNo })
  const accepted = await acceptAll(hundred(() => anApplication(payment, { amount: 30n })))
  assert.deepEqual(tally(accepted), { '00000': 33, '10101': 67 })
  assert.deepEqual(await balancesOf(db, merNo), {
    'merchant:unsettled USD': 10n,
    'rail:card USD': -1000n,
    'transit:refunds USD': 990n,
  })
  const reports = refundsOf(accepted).map((refund, index) =>
    index % 3 === 0 ? failed(refund) : succeeded(refund),
  )
  await Promise.all(reports.map((report, index) => node(index).record.submit(report)))
  assert.deepEqual(await balancesOf(db, merNo), {
    'merchant:unsettled USD': 10n + 11n * 30n,
    'rail:card USD': -1000n + 22n * 30n,
  })
  assert.equal(await stateOf(db, payment), 5)
})

test("the same merchant's number a hundred times is one refund", async () => {
  const merNo = 42_000_002
  const payment = await paidOrder(db, { merNo })
  const accepted = await acceptAll(
    hundred(() => anApplication(payment, { amount: 10n, merRefundNo: 'back' })),
  )
  assert.deepEqual(tally(accepted), { '00000': 100 })
  assert.equal(new Set(refundsOf(accepted).map(({ refundNo }) => refundNo)).size, 1)
  assert.equal((await balancesOf(db, merNo))['transit:refunds USD'], 10n)
})

test('the same content without a number a hundred times is one refund, and the rest are refused', async () => {
  const payment = await paidOrder(db, { merNo: 42_000_003 })
  const accepted = await acceptAll(
    hundred(() => anApplication(payment, { amount: 10n, merRefundNo: undefined })),
  )
  assert.deepEqual(tally(accepted), { '00000': 1, '10003': 99 })
})

test("one merchant's number sent for a hundred orders is used for one of them", async () => {
  const merNo = 42_000_004
  const payments = await Promise.all(hundred(() => paidOrder(db, { merNo })))
  const accepted = await acceptAll(payments.map((payment) => anApplication(payment, { merRefundNo: 'back' })))
  assert.deepEqual(tally(accepted), { '00000': 1, '10009': 99 })
})

test("one merchant's number sent for two orders at the same time is refused for the later one", async () => {
  const merNo = 42_000_009
  const [first, second] = [await paidOrder(db, { merNo }), await paidOrder(db, { merNo })]
  const apply = (on: AcceptDeps['db'], payment: typeof first) =>
    acceptRefunds({ db: on, rates: oneForOne }, [anApplication(payment, { merRefundNo: 'back' })])
  const { accepted, applying } = await db.transaction(async (tx) => {
    const accepted = await apply({ ...db, transaction: (work) => work(tx) }, first)
    const applying = apply(db, second)
    await waitUntilSomebodyWaits(db)
    return { accepted, applying }
  })
  assert.deepEqual(codesOf([...accepted, ...(await applying)]), ['00000', '10009'])
})

test('a hundred refunds of settled orders never take the available balance below zero', async () => {
  const merNo = 42_000_005
  const payments = await Promise.all(hundred(() => paidOrder(db, { merNo, terms: { feeFixed: 300n } })))
  for (const payment of payments) await settleNow(db, payment)
  const accepted = await acceptAll(payments.map((payment) => anApplication(payment)))
  assert.deepEqual(tally(accepted), { '00000': 70, '10104': 30 })
  assert.equal((await balancesOf(db, merNo))['merchant:available USD'] ?? 0n, 0n)
})

test('a hundred refunds of unsettled orders stay within the credit', async () => {
  const merNo = 42_000_006
  const terms = { refundCredit: 1_000n }
  const payments = await Promise.all(hundred(() => paidOrder(db, { merNo, terms: { feeFixed: 1000n } })))
  const accepted = await acceptAll(payments.map((payment) => anApplication(payment, { terms, amount: 300n })))
  assert.deepEqual(tally(accepted), { '00000': 3, '10104': 97 })
  assert.equal((await balancesOf(db, merNo))['merchant:unsettled USD'], -900n)
})

test('concurrent refunds in two currencies stay within the one credit', async () => {
  const merNo = 42_000_008
  const terms = { refundCredit: 1_000n }
  const payments = await Promise.all(
    hundred((index) => {
      const money = { amount: 1000n, currency: index % 2 === 0 ? 'USD' : 'EUR' }
      return paidOrder(db, { merNo, money, terms: { feeFixed: 1000n } })
    }),
  )
  const accepted = await acceptAll(payments.map((payment) => anApplication(payment, { terms, amount: 300n })))
  assert.deepEqual(tally(accepted), { '00000': 3, '10104': 97 })
})

test('concurrent refunds, outcomes and settlements of the same orders cause no deadlock and stay exact', async () => {
  const merNo = 42_000_007
  const payments = await Promise.all(hundred(() => paidOrder(db, { merNo })))
  const settling = Promise.all(payments.map((payment) => settleNow(db, payment)))
  const refunding = Promise.all(
    payments.toReversed().map(async (payment, index) => {
      const accepted = await node(index).accept.submit(anApplication(payment, { amount: 400n }))
      assert.equal(accepted.refusal, undefined)
      for (const refund of refundsOf([accepted]))
        await node(index + 1).record.submit(index % 2 === 0 ? succeeded(refund) : failed(refund))
    }),
  )
  await Promise.all([settling, refunding])
  assert.deepEqual(await balancesOf(db, merNo), {
    'merchant:available USD': 100n * 1000n - 50n * 400n,
    'rail:card USD': -(100n * 1000n - 50n * 400n),
  })
})

test('the books are sound', () => assertMoneySound(db))
