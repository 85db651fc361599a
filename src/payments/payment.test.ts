import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeId } from '../base/id.ts'
import { attemptOf, attemptReference, chargesOf, mayBecome, nextAskMs, State } from './payment.ts'

test('the transition table: every pair of states, allowed or not', () => {
  const allowed = new Set(
    '1 5,1 6,1 7,1 24,24 25,24 6,25 5,25 6,25 24,5 10,5 12,10 5,10 9,10 12,9 12,12 5,12 10,12 9,12 11,12 17,17 11,7 5'.split(
      ',',
    ),
  )
  const states = Object.values(State)
  for (const from of states) {
    for (const to of states)
      assert.equal(mayBecome(from, to), allowed.has(`${from} ${to}`), `${from} → ${to}`)
  }
})

test('fees, margin and remainder sum to the amount, whatever the terms', () => {
  const bps = fc.integer({ min: 0, max: 10_000 })
  const minor = fc.bigInt({ min: 0n, max: 10n ** 12n })
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      bps,
      bps,
      minor,
      (amount, feeBps, marginBps, feeFixed) => {
        const terms = {
          feeBps,
          feeFixed,
          marginBps,
          marginDays: 1,
          settleDays: 1,
          settleCurrency: 'USD',
          settleRate: undefined,
        }
        const { handlingFee, processingFee, margin, remainder } = chargesOf(
          { amount, currency: 'USD' },
          terms,
        )
        assert.equal(handlingFee + processingFee + margin + remainder, amount)
      },
    ),
  )
})

test('asking again starts within a second or two, is never more than five minutes apart, then hourly after a day', () => {
  const waits = Array.from({ length: 30 }, (_, asks) => nextAskMs(asks, 0))
  assert.deepEqual(waits.slice(0, 4), [1000, 2000, 4000, 8000])
  assert.equal(Math.max(...waits), 300_000)
  assert.equal(nextAskMs(30, 25 * 3_600_000), 3_600_000)
})

test('a reference tells its attempt, and what is no reference tells none', () => {
  const tradeNo = makeId('T', 10_000_001, new Date())
  for (const attemptNo of [1, 5, 10])
    assert.deepEqual(attemptOf(attemptReference(tradeNo, attemptNo)), { tradeNo, attemptNo })
  for (const other of ['', tradeNo, `${tradeNo}1`, `A${tradeNo.slice(1)}`, `A${tradeNo.slice(1)}0`, 'A1'])
    assert.equal(attemptOf(other), undefined)
})
