import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Gate, HALF_LIFE_MS, MerchantCounts, MOST_IN_FLOOD, MOST_WORKING } from './gate.ts'

const FLOODING = 1
const MODEST = 2
const MANY = 4_096

function openGate(options: { most: number; mostWorking?: number }) {
  const reasons: string[] = []
  return { gate: new Gate({ ...options, refused: (reason) => reasons.push(reason) }), reasons }
}

/** Returns how many of these requests get in. */
function enterTimes(gate: Gate, merNo: number, times: number): number {
  return Array.from({ length: times }, () => gate.enter(merNo)).filter((isIn) => isIn).length
}

function merchants(count: number): number[] {
  return Array.from({ length: count }, (_, merNo) => merNo)
}

const bounds = [
  ['under way', { most: 10, mostWorking: MANY }],
  ['that work', { most: MANY, mostWorking: 10 }],
] as const
for (const [which, options] of bounds) {
  describe(`the bound on requests ${which}`, () => {
    it('lets one merchant use all places, and no more', () => {
      const { gate, reasons } = openGate(options)
      assert.equal(enterTimes(gate, FLOODING, 50), 10)
      assert.deepEqual(reasons, Array(40).fill('share'))
      gate.leave(FLOODING)
      assert.equal(enterTimes(gate, FLOODING, 50), 1)
    })

    it('lets a merchant with few requests in where another has taken all places', () => {
      const { gate } = openGate(options)
      enterTimes(gate, FLOODING, 50)
      assert.equal(enterTimes(gate, MODEST, 50), 5)
      assert.equal(gate.enter(FLOODING), false)
    })

    it('refuses merchants that flood alike alike, until there are places again', () => {
      const { gate, reasons } = openGate(options)
      for (const merNo of merchants(5)) enterTimes(gate, merNo, 2)
      for (const merNo of merchants(5)) assert.equal(gate.enter(merNo), false)
      assert.deepEqual(reasons, Array(5).fill('share'))
      for (const merNo of merchants(5)) gate.leave(merNo)
      for (const merNo of merchants(5)) assert.equal(gate.enter(merNo), true)
    })

    it('lets nobody in beyond twice the places', () => {
      const { gate, reasons } = openGate(options)
      assert.equal(merchants(25).filter((merNo) => gate.enter(merNo)).length, 20)
      assert.deepEqual(reasons, Array(5).fill('full'))
      gate.leave(0)
      assert.equal(gate.enter(24), true)
    })
  })
}

describe('a request that waits for a channel', () => {
  it('does not work, so others get in up to the bound on all', () => {
    const { gate } = openGate({ most: 30, mostWorking: 10 })
    for (let request = 0; request < 30; request++) {
      assert.equal(gate.enter(FLOODING), true)
      gate.callBegan()
    }
    assert.equal(gate.enter(FLOODING), false)
    assert.equal(gate.enter(MODEST), true)
  })

  it('works again after the call', () => {
    const { gate } = openGate({ most: MANY, mostWorking: 10 })
    enterTimes(gate, FLOODING, 10)
    gate.callBegan()
    assert.equal(gate.enter(FLOODING), true)
    gate.callEnded()
    gate.leave(FLOODING)
    assert.equal(gate.enter(FLOODING), false)
  })
})

describe('a flood', () => {
  const options = { most: MANY, mostWorking: MOST_WORKING }

  /** Opens a gate in which one merchant has taken all places. More of its requests were refused than admitted. */
  function openFlooded() {
    let now = 0
    const pass = () => {
      now += HALF_LIFE_MS
    }
    pass()
    const gate = new Gate({ ...options, nowMs: () => now })
    assert.equal(enterTimes(gate, FLOODING, 600), MOST_WORKING)
    pass()
    return { gate, pass }
  }

  function leaveTimes(gate: Gate, merNo: number, times: number): void {
    for (let request = 0; request < times; request++) gate.leave(merNo)
  }

  it('comes after a gateway that is busy: a quarter of its places are taken', () => {
    const gate = new Gate({ most: 4096, mostWorking: 256 })
    enterTimes(gate, MODEST, 63)
    assert.equal(gate.isBusy(), false)
    gate.enter(MODEST)
    assert.equal(gate.isBusy(), true)
    gate.callBegan()
    assert.equal(gate.isBusy(), false, 'one waits for its channel')
  })

  it('is over some time after the last refusal, also if nobody comes', () => {
    let now = 0
    const gate = new Gate({ most: 10, nowMs: () => now })
    assert.equal(gate.isFlooded(), false)
    enterTimes(gate, FLOODING, 1_000)
    now += 100
    assert.equal(gate.isFlooded(), true)
    now += 10 * HALF_LIFE_MS
    assert.equal(gate.isFlooded(), false)
  })

  it('leaves fewer places to the merchant that floods, and the others still get in', () => {
    const { gate } = openFlooded()
    leaveTimes(gate, FLOODING, MOST_WORKING - MOST_IN_FLOOD)
    assert.equal(gate.enter(FLOODING), false)
    assert.equal(enterTimes(gate, MODEST, 20), 20)
    leaveTimes(gate, FLOODING, 20)
    assert.equal(gate.enter(FLOODING), false)
    leaveTimes(gate, FLOODING, 1)
    assert.equal(enterTimes(gate, FLOODING, 600), 1)
  })

  it('of many small merchants takes all places, and then nobody gets in', () => {
    const { gate } = openFlooded()
    leaveTimes(gate, FLOODING, MOST_IN_FLOOD)
    const others = merchants(600).map((merNo) => MODEST + merNo)
    assert.equal(others.filter((merNo) => gate.enter(merNo)).length, MOST_IN_FLOOD)
  })

  it('is over soon after the last refusal, and all places can be taken again', () => {
    const { gate, pass } = openFlooded()
    leaveTimes(gate, FLOODING, MOST_WORKING)
    for (let halfLife = 0; halfLife < 4; halfLife++) {
      assert.equal(enterTimes(gate, MODEST, 20), 20)
      leaveTimes(gate, MODEST, 20)
      pass()
    }
    assert.equal(enterTimes(gate, FLOODING, 600), MOST_WORKING)
  })

  it('is more than some refusals', () => {
    let now = 0
    const gate = new Gate({ ...options, nowMs: () => now })
    assert.equal(enterTimes(gate, FLOODING, 2 * MOST_WORKING), MOST_WORKING)
    now += HALF_LIFE_MS
    leaveTimes(gate, FLOODING, 1)
    assert.equal(gate.enter(FLOODING), true)
  })

  it('does not refuse a merchant that has many requests at work only because they are slow', () => {
    const { gate, pass } = openFlooded()
    leaveTimes(gate, FLOODING, MOST_WORKING)
    const slow = MOST_IN_FLOOD - 4
    for (let request = 0; request < slow; request++) {
      assert.equal(gate.enter(MODEST), true)
      leaveTimes(gate, FLOODING, enterTimes(gate, FLOODING, 600))
      pass()
    }
    assert.equal(enterTimes(gate, FLOODING, 600), MOST_IN_FLOOD - slow)
    assert.equal(gate.enter(MODEST), true)
  })
})

it('a claimed number is refused like the merchant, and counts for nobody', () => {
  const { gate, reasons } = openGate({ most: MANY, mostWorking: 10 })
  enterTimes(gate, FLOODING, 9)
  assert.equal(gate.isFull, false)
  for (let claim = 0; claim < 50; claim++) assert.equal(gate.refuses(MODEST), false)
  assert.equal(gate.underWay, 9)
  gate.enter(FLOODING)
  assert.equal(gate.isFull, true)
  assert.equal(gate.refuses(FLOODING), true)
  for (let claim = 0; claim < 50; claim++) assert.equal(gate.refuses(MODEST), false)
  assert.equal(gate.enter(MODEST), true)
  assert.deepEqual(reasons, ['share'])
})

it('a merchant alone with 256 connections is never refused; with one more it is', () => {
  const { gate, reasons } = openGate({ most: MANY, mostWorking: MOST_WORKING })
  assert.equal(enterTimes(gate, FLOODING, 256), 256)
  for (let request = 0; request < 1_000; request++) {
    gate.callBegan()
    gate.callEnded()
    gate.leave(FLOODING)
    assert.equal(gate.enter(FLOODING), true)
  }
  assert.deepEqual(reasons, [])
  assert.equal(gate.enter(FLOODING), false)
})

it('payers and counterparties are counted, and never refused', async () => {
  const { gate } = openGate({ most: 1 })
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

describe('the counts by merchant', () => {
  it('know the total and the largest count after any changes', () => {
    const kind = fc.constantFrom('more', 'more', 'fewer', 'half')
    const change = fc.record({ merNo: fc.integer({ min: 1, max: 4 }), kind })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const counts = new MerchantCounts()
        const model = new Map<number, number>()
        for (const { merNo, kind } of changes) {
          const own = model.get(merNo) ?? 0
          if (kind === 'more') {
            counts.add(merNo)
            model.set(merNo, own + 1)
          } else if (kind === 'half') {
            counts.halve()
            for (const [one, count] of model) model.set(one, Math.floor(count / 2))
          } else if (own > 0) {
            counts.remove(merNo)
            model.set(merNo, own - 1)
          }
          const values = [...model.values()]
          assert.equal(counts.of(merNo), model.get(merNo) ?? 0)
          assert.equal(
            counts.total,
            values.reduce((sum, one) => sum + one, 0),
          )
          assert.equal(counts.largest, Math.max(0, ...values))
        }
      }),
    )
  })
})
