// Three times what the gateway can do, in virtual time (test/simulate-gate.ts).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Fate, type Merchant, simulate } from '../../test/simulate-gate.ts'

const SECONDS = 20
/** The gate needs a moment to see that it is a flood. */
const SETTLED_MS = 1_000

const FLOODING = 99
const nine = merchants(9, 38)

function merchants(count: number, perSecond: number, channelMs?: number): Merchant[] {
  return Array.from({ length: count }, (_, at) => ({
    merNo: at + 1,
    perSecond,
    ...(channelMs !== undefined && { channelMs }),
  }))
}

function settled(fates: readonly Fate[]): Fate[] {
  return fates.filter(({ atMs }) => atMs >= SETTLED_MS)
}

function accepted(fates: readonly Fate[]): number {
  return fates.filter(({ tookMs }) => tookMs !== undefined).length
}

function slowestMs(fates: readonly Fate[]): number {
  return fates.reduce((slowest, { tookMs = 0 }) => Math.max(slowest, tookMs), 0)
}

describe('one merchant sends far more than the gateway can do', () => {
  const flood = { merNo: FLOODING, perSecond: 3_800 }
  const { fates, gate } = simulate([
    { seconds: SECONDS, merchants: [...nine, flood] },
    { seconds: 5, merchants: nine },
  ])
  const others = fates.filter(({ merNo }) => merNo !== FLOODING)

  it('accepts all requests of the others once it is settled, with little delay', () => {
    assert.ok(accepted(others) > 0.99 * others.length, `${accepted(others)} of ${others.length}`)
    assert.equal(accepted(settled(others)), settled(others).length)
    assert.ok(slowestMs(settled(others)) < 120, `${slowestMs(settled(others))} ms`)
  })

  it('still does nearly as much as it can', () => {
    const perSecond = accepted(fates.filter(({ atMs }) => atMs < SECONDS * 1000)) / SECONDS
    assert.ok(perSecond > 1_200, `${perSecond} a second`)
  })

  it('is as before within a second', () => {
    const after = fates.filter(({ atMs }) => atMs > (SECONDS + 1) * 1000)
    assert.ok(slowestMs(after) < 10, `${slowestMs(after)} ms`)
    assert.equal(gate.underWay, 0)
  })
})

it('merchants that flood alike get alike, with little delay', () => {
  const { fates } = simulate([{ seconds: SECONDS, merchants: merchants(10, 410) }])
  const shares = merchants(10, 0).map(({ merNo }) => accepted(fates.filter((fate) => fate.merNo === merNo)))
  assert.ok(Math.min(...shares) > 0.8 * Math.max(...shares), shares.join(' '))
  assert.ok(slowestMs(settled(fates)) < 200, `${slowestMs(settled(fates))} ms`)
})

it('five hundred small merchants that are too much together do not wait for seconds', () => {
  const { fates } = simulate([{ seconds: SECONDS, merchants: merchants(500, 8) }])
  assert.ok(slowestMs(settled(fates)) < 1_000, `${slowestMs(settled(fates))} ms`)
  assert.ok(accepted(fates) / SECONDS > 1_300)
})

it('slow channels are no overload', () => {
  const { fates, mostUnderWay } = simulate([{ seconds: SECONDS, merchants: merchants(20, 60, 1_500) }])
  assert.equal(accepted(fates), fates.length)
  assert.ok(mostUnderWay > 1_500, String(mostUnderWay))
})

it('a merchant with a slow channel is not taken for the one that floods', () => {
  const slow = merchants(9, 60, 1_500)
  const { fates } = simulate([
    { seconds: SECONDS, merchants: [...slow, { merNo: FLOODING, perSecond: 3_500 }] },
  ])
  const others = fates.filter(({ merNo }) => merNo !== FLOODING)
  assert.ok(accepted(others) > 0.99 * others.length, `${accepted(others)} of ${others.length}`)
})

it('a database far away, with slow commits, is no overload', () => {
  const calm = { seconds: 2, merchants: merchants(5, 10) }
  const busy = { seconds: SECONDS, merchants: merchants(5, 200) }
  const { fates } = simulate([calm, busy], (payments) => 45 + 0.2 * payments)
  assert.equal(accepted(fates), fates.length)
})
