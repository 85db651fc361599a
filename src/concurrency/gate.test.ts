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
  const openGate = () => {
    const reasons: string[] = []
    return { gate: new Gate({ most: 4_096, refused: (reason) => reasons.push(reason) }), reasons }
  }
  const steps = (gate: Gate, ms: number, batchSize = 96, times = 20) => {
    for (let step = 0; step < times; step++) gate.stepDone(batchSize, ms)
  }

  it('while steps are quick, any number gets in: they wait elsewhere', () => {
    const { gate, reasons } = openGate()
    steps(gate, QUICK_MS)
    assert.equal(enterTimes(gate, FLOODING, 4_000), 4_000)
    assert.deepEqual(reasons, [])
  })

  it('slow steps refuse the merchant with the most requests, and no other', () => {
    const { gate, reasons } = openGate()
    enterTimes(gate, FLOODING, 200)
    steps(gate, SLOW_MS)
    assert.equal(gate.enter(FLOODING), false)
    assert.equal(enterTimes(gate, MODEST, 90), 90)
    assert.deepEqual(reasons, ['share'])
  })

  it('a stall of some steps refuses nobody, and neither does a slow database with little to do', () => {
    const { gate } = openGate()
    steps(gate, STUCK_MS, 96, 5)
    assert.equal(enterTimes(gate, FLOODING, 500), 500)
    steps(gate, QUICK_MS)
    steps(gate, STUCK_MS, 23)
    assert.equal(enterTimes(gate, FLOODING, 500), 500)
  })

  it('merchants that flood alike are refused alike, until steps are quick again', () => {
    const { gate } = openGate()
    const merchants = Array.from({ length: 10 }, (_, merNo) => merNo)
    for (const merNo of merchants) enterTimes(gate, merNo, 30)
    steps(gate, SLOW_MS)
    for (const merNo of merchants) assert.equal(gate.enter(merNo), false)
    steps(gate, QUICK_MS)
    for (const merNo of merchants) assert.equal(gate.enter(merNo), true)
  })

  it('a merchant with fewer than sixteen requests gets in, also if nobody has more', () => {
    const { gate } = openGate()
    const merchants = Array.from({ length: 10 }, (_, merNo) => merNo)
    for (const merNo of merchants) enterTimes(gate, merNo, 15)
    steps(gate, SLOW_MS)
    for (const merNo of merchants) assert.equal(enterTimes(gate, merNo, 100), 1, String(merNo))
  })

  it('when steps are stuck and many wait, nobody gets in, whatever it has under way', () => {
    const { gate, reasons } = openGate()
    for (let merNo = 0; merNo < 512; merNo++) gate.enter(merNo)
    steps(gate, STUCK_MS)
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
