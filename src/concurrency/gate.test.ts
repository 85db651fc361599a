import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Gate } from './gate.ts'

const FLOODING = 1
const MODEST = 2
const QUICK_MS = 10
const SLOW_MS = 60
const CROWDED = 96

function openGate(most = 4_096) {
  const reasons: string[] = []
  return { gate: new Gate({ most, refused: (reason) => reasons.push(reason) }), reasons }
}

/** How many of these requests get in. */
function enterTimes(gate: Gate, merNo: number, times: number): number {
  return Array.from({ length: times }, () => gate.enter(merNo)).filter((isIn) => isIn).length
}

function steps(gate: Gate, times: number, ms: number, batchSize = CROWDED): void {
  for (let step = 0; step < times; step++) gate.stepDone(batchSize, ms, ms / 2)
}

function merchants(count: number): number[] {
  return Array.from({ length: count }, (_, merNo) => merNo)
}

describe('by the number under way', () => {
  it('one merchant may use all places, and gets no further', () => {
    const { gate, reasons } = openGate(10)
    assert.equal(enterTimes(gate, FLOODING, 50), 10)
    assert.deepEqual(new Set(reasons), new Set(['share']))
    gate.leave(FLOODING)
    assert.equal(enterTimes(gate, FLOODING, 50), 1)
  })

  it('a merchant with few requests gets in where another has taken all places', () => {
    const { gate } = openGate(10)
    enterTimes(gate, FLOODING, 50)
    assert.equal(enterTimes(gate, MODEST, 3), 3)
    assert.equal(gate.enter(FLOODING), false)
  })

  it('nobody gets in beyond twice the places', () => {
    const { gate, reasons } = openGate(10)
    assert.equal(merchants(25).filter((merNo) => gate.enter(merNo)).length, 20)
    assert.deepEqual(new Set(reasons), new Set(['full']))
  })

  it('a merchant whose channels do not answer leaves the places of others free', () => {
    const { gate } = openGate(10)
    for (let request = 0; request < 10; request++) {
      gate.enter(FLOODING)
      gate.callBegan(FLOODING)
    }
    assert.equal(gate.enter(FLOODING), false)
    assert.equal(gate.enter(MODEST), true)
  })
})

describe('by the time of the steps', () => {
  it('while steps are quick, any number gets in: they wait for their channels', () => {
    const { gate, reasons } = openGate()
    steps(gate, 20, QUICK_MS)
    assert.equal(enterTimes(gate, FLOODING, 4_000), 4_000)
    assert.deepEqual(reasons, [])
  })

  it('slow steps refuse the merchant with the most requests, and no other', () => {
    const { gate, reasons } = openGate()
    enterTimes(gate, FLOODING, 300)
    steps(gate, 10, SLOW_MS)
    assert.equal(gate.enter(FLOODING), false)
    assert.equal(enterTimes(gate, MODEST, 90), 90)
    assert.deepEqual(reasons, ['share'])
  })

  it('a stall refuses nobody, and neither does a slow database with little to do', () => {
    const { gate } = openGate()
    steps(gate, 4, 10 * SLOW_MS)
    assert.equal(enterTimes(gate, FLOODING, 500), 500)
    steps(gate, 4, QUICK_MS)
    steps(gate, 100, 10 * SLOW_MS, 23)
    steps(gate, 100, 10 * SLOW_MS)
    assert.equal(enterTimes(gate, FLOODING, 500), 500)
  })

  it('merchants that flood alike are refused alike, until steps are quick again', () => {
    const { gate } = openGate()
    for (const merNo of merchants(10)) enterTimes(gate, merNo, 30)
    steps(gate, 10, SLOW_MS)
    for (const merNo of merchants(10)) assert.equal(gate.enter(merNo), false)
    steps(gate, 100, QUICK_MS)
    for (const merNo of merchants(10)) assert.equal(gate.enter(merNo), true)
  })

  it('a merchant with fewer than sixteen requests gets in, also if nobody has more', () => {
    const { gate } = openGate()
    for (const merNo of merchants(20)) enterTimes(gate, merNo, 15)
    steps(gate, 10, SLOW_MS)
    for (const merNo of merchants(20)) assert.equal(enterTimes(gate, merNo, 100), 1, String(merNo))
  })

  it('a merchant that is alone may have 256 requests', () => {
    const { gate } = openGate()
    enterTimes(gate, FLOODING, 200)
    steps(gate, 10, SLOW_MS)
    assert.equal(enterTimes(gate, FLOODING, 100), 56)
  })

  it('requests that wait for a channel do not count', () => {
    const { gate } = openGate()
    enterTimes(gate, FLOODING, 300)
    enterTimes(gate, MODEST, 300)
    for (let call = 0; call < 290; call++) gate.callBegan(MODEST)
    steps(gate, 10, SLOW_MS)
    assert.equal(gate.enter(FLOODING), false)
    assert.equal(gate.enter(MODEST), true)
  })

  it('too many merchants with few requests each are refused too', () => {
    const { gate, reasons } = openGate()
    for (const merNo of merchants(512)) gate.enter(merNo)
    steps(gate, 100, SLOW_MS)
    assert.equal(gate.enter(9_999), false)
    assert.deepEqual(reasons, ['full'])
    gate.leave(0)
    assert.equal(gate.enter(9_999), true)
  })

  it('is over once few requests are left', () => {
    const { gate } = openGate()
    enterTimes(gate, FLOODING, 300)
    steps(gate, 10, SLOW_MS)
    for (let left = 0; left < 290; left++) gate.leave(FLOODING)
    assert.equal(enterTimes(gate, FLOODING, 1_000), 1_000)
  })
})

it('payers and counterparties are counted, and never refused', async () => {
  const { gate } = openGate(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = () => promise
  const calls = [gate.count(work), gate.count(work), gate.countOf(MODEST, work), gate.countOf(MODEST, work)]
  assert.equal(gate.underWay, 4)
  resolve()
  await Promise.all(calls)
  const broken = () => Promise.reject(new Error('broken'))
  await assert.rejects(gate.count(broken))
  await assert.rejects(gate.countOf(MODEST, broken))
  assert.equal(gate.underWay, 0)
})
