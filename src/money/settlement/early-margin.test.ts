// When the margin is due before the settlement, a refund finds only a part of the order's money available. After every
// step, the parts add up to the order's amount. In the end, all money that was not refunded is available.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder } from '../../../test/builders/paid-orders.ts'
import { accept, anApplication, failed, record, succeeded } from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Rate } from '../../platform/base/money.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { checkPosition } from '../orders/position.ts'
import type { Refund } from '../refunds/refund.ts'
import { settleDue } from './settle-due.ts'

const database = useDatabase()

const PAID = new Date('2026-03-01T12:00:00Z')
const MARGIN_DUE = new Date('2026-03-02T00:00:00Z')
const SETTLE_DUE = new Date('2026-03-06T00:00:00Z')

/** The margin of 10 % is released after one day. The order is settled after five days. */
const terms = { marginBps: 1_000, marginDays: 1, settleDays: 5 }
const rate: Rate = { digits: 9137n, scale: 4 }

async function run(asOf: Date): Promise<number> {
  const unexpected = (_merNo: number, error: unknown) => assert.fail(String(error))
  const deps = { db: database.db, clock: { now: () => asOf }, failed: unexpected }
  return (await settleDue(deps, asOf)).waiting
}

async function positionOf(order: NewPayment) {
  const orders = await database.db.transaction((tx) => lockPaidOrders(tx, [order]))
  const found = orders.get(order.tradeNo)
  assert.ok(found)
  const { position, fees } = found.paid
  checkPosition(position, fees)
  return position
}

type Step = 'release' | 'refund' | 'end' | 'settle'

/** All sequences in which the release comes before the settlement, and the refund before its end. */
const sequences: readonly (readonly Step[])[] = [
  ['refund', 'end', 'release', 'settle'],
  ['refund', 'release', 'end', 'settle'],
  ['refund', 'release', 'settle', 'end'],
  ['release', 'refund', 'end', 'settle'],
  ['release', 'refund', 'settle', 'end'],
  ['release', 'settle', 'refund', 'end'],
]

let merNo = 59_000_000

for (const settleCurrency of ['USD', 'EUR']) {
  for (const end of ['succeeds', 'fails']) {
    for (const amount of [333n, 1_000n]) {
      for (const sequence of sequences) {
        test(`${sequence.join(', ')}: a refund of ${amount} ${end}, settled in ${settleCurrency}`, async () => {
          merNo++
          const settling = settleCurrency === 'USD' ? {} : { settleCurrency, settleRate: rate }
          const order = await paidOrder(database.db, {
            merNo,
            at: PAID,
            terms: { ...terms, ...settling },
            ...(settleCurrency !== 'USD' && { rate }),
          })
          let refund: Refund | undefined
          for (const step of sequence) {
            if (step === 'release') await run(MARGIN_DUE)
            if (step === 'settle') assert.equal(await run(SETTLE_DUE), 0, 'nothing waits for cover')
            if (step === 'refund') {
              const credit = { refundCredit: 50_000n }
              refund = await accept(database.db, anApplication(order, { amount, terms: credit }))
            }
            if (step === 'end' && refund !== undefined)
              await record(database.db, end === 'succeeds' ? succeeded(refund) : failed(refund))
            const { remainder, settledSource, marginHeld } = await positionOf(order)
            assert.ok(marginHeld >= 0n && settledSource >= 0n && remainder + settledSource >= 0n)
          }
          const left = end === 'succeeds' ? 1_000n - amount : 1_000n
          const position = await positionOf(order)
          assert.deepEqual(
            { remainder: position.remainder, marginHeld: position.marginHeld },
            { remainder: 0n, marginHeld: 0n },
          )
          assert.equal(position.settledSource, left)
          const balances = await balancesOf(database.db, merNo)
          const worth = settleCurrency === 'USD' ? left : (left * 9137n) / 10_000n
          assert.equal(balances[`merchant:available ${settleCurrency}`] ?? 0n, worth)
          assert.equal(balances['merchant:unsettled USD'] ?? 0n, 0n)
        })
      }
    }
  }
}

test('leaves the books sound', () => assertMoneySound(database.db))
