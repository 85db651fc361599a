// Several nodes claim work from the same tables. A claim leaves out the rows that another transaction has locked, so a
// slow or dead node never holds up the others. The claims of notifications are tested in claim-sql.test.ts.
import { after, before, test } from 'node:test'
import { lookAtDeadline, remindOfDeadlines, setDeadline } from '../../src/money/chargebacks/deadlines.ts'
import { lockWaiting, storeDisputes, toReported } from '../../src/money/chargebacks/dispute-sql.ts'
import { type Fold, foldBalances, splitBalances } from '../../src/money/ledger/balances.ts'
import { askToResend } from '../../src/money/notifications/resend-notifications.ts'
import { lockResend } from '../../src/money/notifications/sql.ts'
import { lockProgress } from '../../src/money/order-queries/search/write-index.ts'
import { foldTotals, splitTotals } from '../../src/money/orders/daily-totals.ts'
import { lockOrders } from '../../src/money/orders/lock-orders.ts'
import { claimAttempts } from '../../src/money/orders/open-attempts.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { claimDue as claimPayouts, lockPayouts } from '../../src/money/payouts/sql.ts'
import { claimDue as claimRefunds, lockRefunds } from '../../src/money/refunds/sql.ts'
import { rejectReview } from '../../src/money/reviews/decide-review.ts'
import { claimReturns, deleteLooseFiles, lockFiles, lockReview } from '../../src/money/reviews/sql.ts'
import { uploadFile } from '../../src/money/reviews/submit-review.ts'
import type { Db, Tx } from '../../src/platform/postgres/db.ts'
import { aPayment, aSuccess, noRates } from '../builders/builders.ts'
import { paidOrder } from '../builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../builders/payouts.ts'
import { accept, anApplication, dispute } from '../builders/refunds.ts'
import { orderInReview } from '../builders/reviews.ts'
import { assertSkipsLocked } from '../harness/lock-waits.ts'

const DAY_MS = 86_400_000

let setup: TestPayouts
let db: Db
before(async () => {
  setup = await openPayouts()
  db = setup.db
})
after(() => setup.close())

/** A claim far enough in the future that all rows are due. */
function claim() {
  const now = new Date(Date.now() + DAY_MS)
  return { now, leaseUntil: new Date(now.getTime() + DAY_MS), limit: 100, busy: [] }
}

const lockTable = (table: string) => (tx: Tx) => tx.query({ text: `select from ${table} for update` })
const countOf = (rows: readonly unknown[]) => rows.length

/** Folds or splits deltas of several merchants. */
function deltas(table: string, run: Fold) {
  return async () => {
    const orders = [aPayment({ merNo: 64_000_001 }), aPayment({ merNo: 64_000_002 })]
    await acceptPayments(db, orders)
    await recordOutcomes(
      { db, rates: noRates },
      orders.map((order) => aSuccess(order)),
    )
    return { lock: lockTable(table), claim: () => run(db, 100) }
  }
}

type Prepared = Parameters<typeof assertSkipsLocked>[1]

/**
 * Each entry makes a row that is due. Where a transaction changes such a row, the entry locks the row as that
 * transaction does, so that no worker claims a row while its outcome is being recorded.
 */
const claims: Readonly<Record<string, () => Promise<Prepared>>> = {
  async 'a claim of payments'() {
    const order = aPayment()
    await acceptPayments(db, [order])
    const action = { kind: 'redirect', url: 'https://bank.example/' } as const
    const outcome = { kind: 'pending', channelRef: 'channel-1', action } as const
    await recordOutcomes({ db, rates: noRates }, [aSuccess(order, { outcome })])
    return {
      lock: lockTable('attempt_rows'),
      claim: () => claimAttempts(db, claim()).then(countOf),
    }
  },
  async 'a claim of refunds'() {
    const refund = await accept(db, anApplication(await paidOrder(db)))
    return {
      lock: (tx) => lockRefunds(tx, [refund]),
      claim: () => claimRefunds(db, claim()).then(countOf),
    }
  },
  async 'a claim of payouts'() {
    const merchant = aPayer()
    await setup.give(merchant.merNo, 10_000n)
    const { tradeNo } = await setup.pay(merchant, aPayout())
    return {
      lock: async (tx) => lockPayouts(tx, await lockOrders(tx, [{ merNo: merchant.merNo, tradeNo }])),
      claim: () => claimPayouts(db, claim()).then(countOf),
    }
  },
  async 'a claim of returns of rejected payments'() {
    const order = await orderInReview(db)
    await rejectReview(setup, order.tradeNo, { note: 'No such shipment', isReturned: false })
    return {
      lock: (tx) => lockReview(tx, order),
      claim: () => claimReturns(db, claim()).then(countOf),
    }
  },
  async 'a deletion of files that were not submitted'() {
    const merNo = 64_000_003
    const content = Buffer.from('%PDF-1.7 a statement')
    const { fileId } = await uploadFile(setup, { merNo, type: '.pdf', content })
    return {
      lock: (tx) => lockFiles(tx, { merNo, tradeNo: '' }, [fileId]),
      claim: () => deleteLooseFiles(db, claim().now, 100),
    }
  },
  async 'the processing of a report of a dispute'() {
    const { money } = aPayment()
    const about = { disputeRef: 'dispute-1', reference: 'unknown', reason: '13', at: new Date() }
    const report = toReported('card', { ...about, money })
    await storeDisputes(db, [report], { from: 'callback', at: new Date() })
    const lock = (tx: Tx) => lockWaiting(tx, report)
    return { lock, claim: async () => ((await db.transaction(lock)) ? 1 : 0) }
  },
  async 'a reminder of the deadline of a dispute'() {
    const order = await paidOrder(db)
    await dispute(db, order)
    await setDeadline(db, order.tradeNo, new Date(setup.clock.now().getTime() + 2 * DAY_MS))
    return { lock: (tx) => lookAtDeadline(tx, order.tradeNo), claim: () => remindOfDeadlines(setup) }
  },
  async 'a slice of a request to send notifications again'() {
    await askToResend(db, { since: new Date() }, new Date())
    const claim = async () => ((await db.transaction(lockResend)) === undefined ? 0 : 1)
    return { lock: lockResend, claim }
  },
  async 'a step of the index of orders'() {
    const lock = (tx: Tx) => lockProgress(tx, new Date())
    await db.transaction(lock)
    return { lock, claim: async () => ((await db.transaction(lock)) === undefined ? 0 : 1) }
  },
  'a split of balances': deltas('balance_deltas', splitBalances),
  'a fold of balances': deltas('balance_deltas', foldBalances),
  'a split of daily totals': deltas('order_total_deltas', splitTotals),
  'a fold of daily totals': deltas('order_total_deltas', foldTotals),
}

for (const [name, prepare] of Object.entries(claims))
  test(`${name} leaves out rows that another transaction has locked`, async () => {
    await assertSkipsLocked(db, await prepare())
  })
