// Lets time pass, settles due orders, and adds the recorded deltas of balances and totals to their sums (folding).
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { foldBalances } from '../../src/money/ledger/balances.ts'
import { foldTotals } from '../../src/money/orders/daily-totals.ts'
import { settleDue as settle } from '../../src/money/settlement/settle-due.ts'
import { operation } from '../operation.ts'
import { settleDue } from '../rules/settlement.ts'

const HOUR_MS = 3_600_000

export const pass = operation({
  name: 'pass',
  weight: 8,
  input: fc.record({ hours: fc.constantFrom(1, 5, 7, 24, 24, 49, 120, 740) }),
  async run(model, _gateway, { hours }) {
    model.nowMs += hours * HOUR_MS
  },
})

/** Settles what is due now, or at a later time that an operator names. Two nodes may settle at the same moment. */
export const settleOrders = operation({
  name: 'settleOrders',
  weight: 8,
  input: fc.record({
    aheadHours: fc.constantFrom(0, 0, 0, 0, 24, 80),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  async run(model, { db, clock }, { aheadHours, times }) {
    const asOf = new Date(model.nowMs + aheadHours * HOUR_MS)
    const failed = (_merNo: number, error: unknown): never => {
      throw error
    }
    const runs = await Promise.all(Array.from({ length: times }, () => settle({ db, clock, failed }, asOf)))
    const waiting = settleDue(model, asOf.getTime())
    if (times === 1) assert.equal(runs[0]?.waiting, waiting, 'the same number of orders waits for cover')
  },
})

/** Folds deltas into sums. Balances and totals must not change. */
export const fold = operation({
  name: 'fold',
  weight: 2,
  input: fc.record({ limit: fc.integer({ min: 1, max: 200 }) }),
  async run(_model, { db }, { limit }) {
    await Promise.all([foldBalances(db, limit), foldTotals(db, limit)])
  },
})
