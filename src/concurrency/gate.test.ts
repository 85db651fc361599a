import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Gate } from './gate.ts'

const FLOODING = 1
const MODEST = 2
const QUICK_MS = 10
const SLOW_MS = 60
const STUCK_MS = 500

/** How many of these requests get in. */
function enterTimes(gate: Gate, merNo: number, times: number): number {
  return Array.from({ length: times }, () => gate.enter(merNo)).filter((isIn) => isIn).length
}

describe('by number', () => {
  it('one merchant may use all places, and gets no further', () => {
    const gate = new Gate({ most: 10 })
    assert.equal(enterTimes(gate, FLOODING, 50), 10)
    gate.leave(FLOODING)
    assert.equal(enterTimes(gate, FLOODING, 50), 1)
  })

  it('a merchant with few requests gets in where another has taken all places', () => {
    const gate = new Gate({ most: 10 })
    enterTimes(gate, FLOODING, 50)
    assert.equal(enterTimes(gate, MODEST, 3), 3)
    assert.equal(gate.enter(FLOODING), false)
  })

  it('nobody gets in beyond twice the places', () => {
    const reasons: string[] = []
    const gate = new Gate({ most: 10, refused: (reason) => reasons.push(reason) })
    const merchants = Array.from({ length: 25 }, (_, merNo) => merNo)
    assert.equal(merchants.filter((merNo) => gate.enter(merNo)).length, 20)
    assert.deepEqual(new Set(reasons), new Set(['full']))
  })
})

describe('by the time of the steps', () => {
  const stepsOf = (ms: number) => {
    const reasons: string[] = []
    const steps = { ms }
    const refused = (reason: string) => void reasons.push(reason)
    const gate = new Gate({ most: 4_096, stepMs: () => steps.ms, refused })
    return { gate, steps, reasons }
  }

  it('while steps are quick, any number gets in: they wait elsewhere', () => {
    const { gate, reasons } = stepsOf(QUICK_MS)
    assert.equal(enterTimes(gate, FLOODING, 4_000), 4_000)
    assert.deepEqual(reasons, [])
  })

  it('slow steps refuse the merchant with the most requests, and no other', () => {
    const { gate, steps, reasons } = stepsOf(QUICK_MS)
    enterTimes(gate, FLOODING, 200)
    steps.ms = SLOW_MS
    assert.equal(gate.enter(FLOODING), false)
    assert.equal(enterTimes(gate, MODEST, 90), 90)
    assert.deepEqual(reasons, ['share'])
  })

  it('a burst is no flood: it gets in however slow the steps are', () => {
    const { gate } = stepsOf(STUCK_MS)
    assert.equal(enterTimes(gate, FLOODING, 100), 16)
  })

  it('merchants that flood alike are refused alike, until steps are quick again', () => {
    const { gate, steps } = stepsOf(SLOW_MS)
    const merchants = Array.from({ length: 10 }, (_, merNo) => merNo)
    for (const merNo of merchants) assert.equal(enterTimes(gate, merNo, 100), 16, String(merNo))
    steps.ms = QUICK_MS
    for (const merNo of merchants) assert.equal(gate.enter(merNo), true)
  })

  it('when steps are stuck and many wait, nobody gets in, whatever it has under way', () => {
    const { gate, steps, reasons } = stepsOf(QUICK_MS)
    for (let merNo = 0; merNo < 512; merNo++) gate.enter(merNo)
    steps.ms = STUCK_MS
    assert.equal(gate.enter(9_999), false)
    assert.deepEqual(reasons, ['full'])
    gate.leave(0)
    assert.equal(gate.enter(9_999), true)
  })
})

it('payers and counterparties are counted, and never refused', async () => {
  const gate = new Gate({ most: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const calls = [1, 2, 3].map(() => gate.count(() => promise))
  assert.equal(gate.underWay, 3)
  resolve()
  await Promise.all(calls)
  assert.equal(gate.underWay, 0)
  await assert.rejects(gate.count(() => Promise.reject(new Error('broken'))))
  assert.equal(gate.underWay, 0)
})

it('knows the largest number under way after any entries and leaves', () => {
  const most = 8
  const step = fc.record({ merNo: fc.integer({ min: 1, max: 4 }), isEntry: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const gate = new Gate({ most })
      const model = new Map<number, number>()
      for (const { merNo, isEntry } of steps) {
        const own = model.get(merNo) ?? 0
        const all = [...model.values()].reduce((sum, one) => sum + one, 0)
        const isRefused =
          all >= 2 * most || (all >= most && own > 0 && own >= Math.max(...model.values()) / 2)
        if (isEntry) assert.equal(gate.enter(merNo), !isRefused)
        else if (own > 0) gate.leave(merNo)
        if (isEntry ? !isRefused : own > 0) model.set(merNo, own + (isEntry ? 1 : -1))
      }
      assert.equal(
        gate.underWay,
        [...model.values()].reduce((sum, one) => sum + one, 0),
      )
    }),
  )
})
