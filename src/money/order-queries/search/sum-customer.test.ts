import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDecline, anAttempt, aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { dispute } from '../../../../test/builders/refunds.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { acceptPayments } from '../../payments/accept-payments.ts'
import { recordOutcomes } from '../../payments/record-outcomes.ts'
import { findOrders } from './find-orders.ts'
import { createIndexer } from './index-orders.ts'
import { sumCustomer } from './sum-customer.ts'

const merNo = 62_100_001
const start = Date.parse('2026-03-01T00:00:00Z')
const database = useDatabase()

/** Makes a paid or declined order. The creation time is one minute later for each `index`. */
async function made(
  index: number,
  of: { email: string; fingerprint: string; currency: string; fails?: boolean },
) {
  const createdAt = new Date(start + index * 60_000)
  const card = { first6: '424242', last4: '4242', brand: 'visa', fingerprint: of.fingerprint }
  const payment = aPayment({
    merNo,
    createdAt,
    money: { amount: 1000n, currency: of.currency },
    details: { billingEmail: of.email },
    attempt: anAttempt(createdAt, { card }),
  })
  await acceptPayments(database.db, [payment])
  const report = of.fails === true ? aDecline(payment) : aSuccess(payment)
  await recordOutcomes({ db: database.db, rates: noRates }, [{ ...report, at: createdAt }])
  return payment
}

test("a customer's orders are summed by currency, and two cards with the same last digits are two customers", async () => {
  const { db } = database
  const ada = { email: 'ada@example.com', fingerprint: 'one' }
  const disputed = await made(0, { ...ada, currency: 'USD' })
  await made(1, { ...ada, email: 'ADA@example.com', currency: 'USD', fails: true })
  await made(2, { ...ada, currency: 'EUR' })
  await made(3, { email: 'alan@example.com', fingerprint: 'two', currency: 'EUR' })
  await dispute(db, disputed)
  const indexer = createIndexer(db)
  while (await indexer.step(new Date(start + 86_400_000)));
  const eur = { currency: 'EUR', orders: 1, failed: 0, paid: 1000n, refunded: 0n, disputed: 0n }
  const usd = { currency: 'USD', orders: 2, failed: 1, paid: 1000n, refunded: 0n, disputed: 1000n }
  const card = { card: '4242', fingerprint: 'one' }
  for (const customer of [{ email: 'Ada@example.com' }, card])
    assert.deepEqual(await sumCustomer(db, merNo, customer), { sums: [eur, usd], isCut: false })
  assert.equal((await findOrders(db, merNo, card, undefined, 10)).orders.length, 3)
  assert.equal((await findOrders(db, merNo, { card: '4242' }, undefined, 10)).orders.length, 4)
  assert.deepEqual(await sumCustomer(db, merNo + 1, card), { sums: [], isCut: false })
  const latest = await sumCustomer(db, merNo, card, 2)
  assert.deepEqual(latest, { sums: [eur], isCut: true }, 'the two latest orders with these digits')
})
