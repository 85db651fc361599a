import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Position, settle, takeRefund } from '../orders/position.ts'
import { afterwards, isCovered } from './funds.ts'

function paid(changes: Partial<Position> = {}): Position {
  return {
    amount: 1000n,
    currency: 'EUR',
    settleCurrency: 'EUR',
    rate: undefined,
    margin: 0n,
    marginHeld: 0n,
    marginDisputed: 0n,
    marginReleased: false,
    remainder: 900n,
    settled: false,
    settledSource: 0n,
    refunded: 0n,
    chargedBack: 0n,
    exceptionFees: 0n,
    ...changes,
  }
}

type Balances = { readonly available?: bigint; readonly unsettled?: bigint }

function covers(position: Position, amount: bigint, balances: Balances, credit = 0n): boolean {
  const funds = {
    available: (currency: string) => (currency === position.settleCurrency ? (balances.available ?? 0n) : 0n),
    unsettled: (currency: string) => (currency === position.currency ? (balances.unsettled ?? 0n) : 0n),
  }
  return isCovered(funds, position, takeRefund(position, amount, 0n, 'r'), (owed) => owed.amount <= credit)
}

test("a refund of an unsettled order comes from the order's own remainder, whatever else the merchant owes", () => {
  assert.equal(covers(paid(), 900n, { unsettled: 900n, available: -5000n }), true)
})

test("beyond the remainder the merchant's whole balance in the currency counts, then its credit, to the unit", () => {
  assert.equal(covers(paid(), 1000n, { unsettled: 900n }), false)
  assert.equal(covers(paid(), 1000n, { unsettled: 1000n }), true)
  assert.equal(covers(paid(), 1000n, { unsettled: 999n }), false)
  assert.equal(covers(paid(), 1000n, { unsettled: 900n, available: 100n }), true)
  assert.equal(covers(paid(), 1000n, { unsettled: 900n }, 99n), false)
  assert.equal(covers(paid(), 1000n, { unsettled: 900n }, 100n), true)
})

test('a refund of a settled order comes from the available balance, to the unit and never on credit', () => {
  const settled = settle(paid(), 's').position
  assert.equal(covers(settled, 1000n, { available: 1000n }), true)
  assert.equal(covers(settled, 1000n, { available: 999n, unsettled: 5000n }, 5000n), false)
})

test('released margin may pay a refund although the balance is below zero', () => {
  const reserve = { amount: 1000n, margin: 1000n, marginHeld: 1000n, remainder: 0n }
  const settled = settle(paid(reserve), 's').position
  assert.equal(covers(settled, 400n, { available: -70n }), true)
})

test("a refund of an order settled in another currency uses the order's own rate", () => {
  const abroad = paid({ settleCurrency: 'USD', rate: { digits: 11n, scale: 1 } })
  const settled = settle(abroad, 's').position
  assert.equal(covers(settled, 100n, { available: 110n }), true)
  assert.equal(covers(settled, 100n, { available: 109n }), false)
})

test('each refund reduces what the next one can take', () => {
  const { transfers } = takeRefund(paid(), 300n, 20n, 'r')
  const left = afterwards({ available: () => 50n, unsettled: () => 900n }, transfers)
  assert.equal(left.unsettled('EUR'), 580n)
  assert.equal(left.unsettled('USD'), 900n)
  assert.equal(left.available('EUR'), 50n)
})
