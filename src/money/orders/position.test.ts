import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Rate } from '../../platform/base/money.ts'
import {
  checkPosition,
  converted,
  type Moved,
  openChargeback,
  type Position,
  releaseMargin,
  returnRefund,
  settle,
  type Transfer,
  takeBackRefund,
  takeRefund,
  winChargeback,
} from './position.ts'

const FEES_TAKEN = 59n

function paid(changes: Partial<Position> = {}): Position {
  return {
    amount: 1000n,
    currency: 'EUR',
    settleCurrency: 'EUR',
    rate: undefined,
    margin: 100n,
    marginHeld: 100n,
    marginDisputed: 0n,
    marginReleased: false,
    remainder: 841n,
    settled: false,
    settledSource: 0n,
    refunded: 0n,
    chargedBack: 0n,
    exceptionFees: 0n,
    ...changes,
  }
}

/** Returns the balances of the accounts after the transfers, as credits minus debits. */
function balances(transfers: readonly Transfer[]): Record<string, bigint> {
  const nets: Record<string, bigint> = {}
  for (const { debit, credit, money } of transfers) {
    nets[`${debit} ${money.currency}`] = (nets[`${debit} ${money.currency}`] ?? 0n) - money.amount
    nets[`${credit} ${money.currency}`] = (nets[`${credit} ${money.currency}`] ?? 0n) + money.amount
  }
  return nets
}

test('settlement moves exactly the remainder', () => {
  const { position, transfers } = settle(paid(), 'settle')
  assert.equal(position.remainder, 0n)
  assert.equal(position.settledSource, 841n)
  assert.deepEqual(balances(transfers), { 'merchant:unsettled EUR': -841n, 'merchant:available EUR': 841n })
})

test('a negative remainder settles in the opposite direction', () => {
  const { transfers } = settle(paid({ amount: 159n, remainder: 0n - 0n }), 'settle')
  assert.deepEqual(transfers, [])
  const owing = settle(paid({ amount: 100n, remainder: -59n }), 'settle')
  assert.deepEqual(balances(owing.transfers), {
    'merchant:unsettled EUR': 59n,
    'merchant:available EUR': -59n,
  })
})

test('a refund before settlement takes from the remainder and frees margin in proportion', () => {
  const { position, transfers } = takeRefund(paid(), 500n, 20n, 'refund:R1')
  assert.equal(position.remainder, 841n + 50n - 500n - 20n)
  assert.equal(position.marginHeld, 50n)
  assert.equal(position.exceptionFees, 20n)
  assert.deepEqual(
    transfers.map(({ step }) => step),
    ['refund:R1:margin', 'refund:R1', 'refund:R1:fee'],
  )
})

test('refunds release margin rounded down, and all of it with the last unit', () => {
  const first = takeRefund(paid(), 5n, 0n, 'refund:R1').position
  assert.equal(first.marginHeld, 100n)
  const second = takeRefund(first, 5n, 0n, 'refund:R2').position
  assert.equal(second.marginHeld, 99n)
  assert.equal(takeRefund(second, 990n, 0n, 'refund:R3').position.marginHeld, 0n)
})

test("a refund of an order settled in another currency is converted at the order's own rate", () => {
  const rate: Rate = { digits: 11n, scale: 1 }
  const settled = settle(paid({ rate, settleCurrency: 'USD' }), 'settle').position
  const { transfers } = takeRefund(settled, 100n, 0n, 'refund:R1')
  assert.deepEqual(balances(transfers), {
    'merchant:margin EUR': -10n,
    'platform:exchange EUR': 10n - 100n,
    'platform:exchange USD': 99n,
    'merchant:available USD': -99n,
    'transit:refunds EUR': 100n,
  })
})

test('a chargeback takes from the remainder, then available, then the margin, then below zero', () => {
  const take = { amount: 1000n, fee: 50n, available: 60n, channel: 'rail:card' }
  const { position, transfers } = openChargeback(paid(), take, 'chargeback:C1')
  assert.deepEqual(
    transfers.map(({ step, money }) => [step, money.amount]),
    [
      ['chargeback:C1:remainder', 841n],
      ['chargeback:C1:available', 60n],
      ['chargeback:C1:margin', 100n],
      ['chargeback:C1:below', 49n],
      ['chargeback:C1', 1000n],
      ['chargeback:C1:fee', 50n],
    ],
  )
  assert.equal(position.settledSource, -109n)
  assert.equal(balances(transfers)['transit:disputed EUR'], 0n)
})

test('a chargeback fee far above the payment does not use the margin while the available balance covers it', () => {
  const order = paid({
    settleCurrency: 'USD',
    rate: { digits: 108n, scale: 2 },
    remainder: 0n,
    settled: true,
  })
  const take = { amount: 1000n, fee: 50_000n, available: 1_000_000n, channel: 'rail:card' }
  const { position } = openChargeback({ ...order, settledSource: 841n }, take, 'chargeback')
  assert.equal(position.marginHeld, 100n)
})

test('a chargeback takes what the balance in the settlement currency covers at the rate, then the margin', () => {
  const order = paid({
    settleCurrency: 'USD',
    rate: { digits: 108n, scale: 2 },
    remainder: 0n,
    settled: true,
  })
  const take = { amount: 900n, fee: 0n, available: 900n, channel: 'rail:card' }
  const { position, transfers } = openChargeback({ ...order, settledSource: 841n }, take, 'chargeback:C1')
  assert.deepEqual(
    transfers.filter(({ money }) => money.currency === 'EUR').map(({ step, money }) => [step, money.amount]),
    [
      ['chargeback:C1:available', 833n],
      ['chargeback:C1:margin', 67n],
      ['chargeback:C1', 900n],
    ],
  )
  assert.equal(position.marginHeld, 33n)
  assert.equal(balances(transfers)['merchant:available USD'], -900n)
})

test('a chargeback that is won gives the amount back and keeps the fee', () => {
  const take = { amount: 1000n, fee: 50n, available: 60n, channel: 'rail:card' }
  const opened = openChargeback(paid(), take, 'chargeback:C1')
  const { position } = winChargeback(opened.position, 1000n, 'rail:card', 'chargeback-won:C1')
  assert.equal(position.settledSource, 0n)
  assert.equal(position.remainder, 1000n - 109n)
  assert.equal(position.chargedBack, 0n)
  checkPosition(position, FEES_TAKEN)
})

type Event = { readonly kind: number; readonly amount: bigint; readonly fee: bigint }

const events = fc.array(
  fc.record({
    kind: fc.integer({ min: 0, max: 6 }),
    amount: fc.bigInt({ min: 1n, max: 1000n }),
    fee: fc.bigInt({ min: 0n, max: 30n }),
  }),
  { maxLength: 12 },
)

/** Applies the event if the position allows it. Each refund may fail or come back once. */
function next(position: Position, event: Event, taken: Event[], step: string): Moved | undefined {
  const left = position.amount - position.refunded
  switch (event.kind) {
    case 0:
      return position.settled ? undefined : settle(position, step)
    case 1:
      return position.marginReleased ? undefined : releaseMargin(position, step)
    case 2: {
      const refund = { ...event, amount: event.amount > left ? left : event.amount }
      if (refund.amount === 0n) return undefined
      taken.push(refund)
      return takeRefund(position, refund.amount, refund.fee, step)
    }
    case 3: {
      const refund = taken.pop()
      return refund && returnRefund(position, refund.amount, refund.fee, step)
    }
    case 6: {
      const refund = taken.pop()
      const cost = event.amount < (refund?.amount ?? 0n) ? event.amount : 0n
      const steps = { back: step, cost: `${step}:cost`, kept: `${step}:kept` }
      return refund && takeBackRefund(position, { ...refund, cost, channel: 'rail:card' }, steps)
    }
    case 4: {
      if (position.chargedBack > 0n) return undefined
      return openChargeback(position, { ...event, available: event.fee * 10n, channel: 'rail:card' }, step)
    }
    default:
      return position.chargedBack === 0n
        ? undefined
        : winChargeback(position, position.chargedBack, 'rail:card', step)
  }
}

test('after any events in any order, the parts add up, and the available part is the settled source at the rate', () => {
  const rates: (Rate | undefined)[] = [undefined, { digits: 10_937n, scale: 4 }, { digits: 3n, scale: 3 }]
  fc.assert(
    fc.property(events, fc.constantFrom(...rates), (list, rate) => {
      const settleCurrency = rate === undefined ? 'EUR' : 'USD'
      let position = paid({ rate, settleCurrency })
      const taken: Event[] = []
      const transfers: Transfer[] = []
      list.forEach((event, index) => {
        const moved = next(position, event, taken, `step-${index}`)
        if (moved === undefined) return
        position = moved.position
        transfers.push(...moved.transfers)
        checkPosition(position, FEES_TAKEN)
      })
      const nets = balances(transfers)
      const net = (account: string) => nets[account] ?? 0n
      assert.equal(net(`merchant:available ${settleCurrency}`), converted(position, position.settledSource))
      assert.equal(net('merchant:unsettled EUR'), position.remainder - 841n)
      assert.equal(net('merchant:margin EUR'), position.marginHeld - 100n)
      assert.ok(position.marginHeld >= 0n)
      assert.equal(net('transit:return-costs EUR'), 0n)
      assert.equal(
        new Set(transfers.map(({ step }) => step)).size,
        transfers.length,
        'every step has a unique name',
      )
    }),
    { numRuns: 2000 },
  )
})

test('refunded in parts and settled at a rate, an order without fees closes to exactly zero', () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(parts, (list) => {
      const rate: Rate = { digits: 7_777n, scale: 4 }
      const amount = list.reduce((sum, part) => sum + part, 0n)
      const whole = { amount, margin: 0n, marginHeld: 0n, remainder: amount, rate, settleCurrency: 'USD' }
      let { position, transfers } = settle(paid(whole), 'settle')
      list.forEach((part, index) => {
        const moved = takeRefund(position, part, 0n, `refund:${index}`)
        position = moved.position
        transfers = [...transfers, ...moved.transfers]
      })
      assert.equal(balances(transfers)['merchant:available USD'] ?? 0n, 0n)
    }),
  )
})

/**
 * The refunds of an order. The sum of the refunds is less than the order's amount, so that every sequence of them is
 * possible.
 */
const someRefunds = fc.array(
  fc.record({
    amount: fc.bigInt({ min: 1n, max: 120n }),
    fee: fc.bigInt({ min: 0n, max: 30n }),
    fails: fc.boolean(),
  }),
  { maxLength: 8 },
)

/**
 * The events of an order in two different sequences: settlement, sometimes the release of the margin, each refund, and
 * for some refunds the failure that gives the money back.
 */
const inTwoOrders = fc.tuple(someRefunds, fc.boolean()).chain(([refunds, released]) => {
  const numbers = refunds.flatMap((refund, index) => (refund.fails ? [index, index] : [index]))
  const all = ['settle', ...(released ? ['release'] : []), ...numbers]
  const shuffled = fc.shuffledSubarray(all, { minLength: all.length })
  return fc.record({ refunds: fc.constant(refunds), one: shuffled, other: shuffled })
})

test('the same refunds, failures, settlement and release in any order end at the same balances', () => {
  const rates: (Rate | undefined)[] = [
    undefined,
    { digits: 10_937n, scale: 4 },
    { digits: 3n, scale: 3 },
    { digits: 333_333_333_333n, scale: 12 },
  ]
  fc.assert(
    fc.property(inTwoOrders, fc.constantFrom(...rates), ({ refunds, one, other }, rate) => {
      const start = paid({ rate, settleCurrency: rate === undefined ? 'EUR' : 'USD' })
      const walk = (happened: readonly (string | number)[]) => {
        let position = start
        const transfers: Transfer[] = []
        happened.forEach((what, at) => {
          const again = happened.indexOf(what) < at
          const moved = happen(position, typeof what === 'number' ? refunds[what] : what, again, `step-${at}`)
          position = moved.position
          transfers.push(...moved.transfers)
        })
        const nets = Object.entries(balances(transfers)).filter(([, net]) => net !== 0n)
        return { position, nets: Object.fromEntries(nets) }
      }
      const ended = walk(one)
      assert.deepEqual(walk(other), ended)
      const kept = refunds.filter(({ fails }) => !fails)
      assert.equal(ended.nets['transit:refunds EUR'] ?? 0n, sum(kept.map(({ amount }) => amount)))
      assert.equal(ended.position.exceptionFees, sum(kept.map(({ fee }) => fee)))
      assert.equal(ended.position.remainder, 0n)
    }),
    { numRuns: 2000 },
  )
})

type Refund = { readonly amount: bigint; readonly fee: bigint }

function happen(position: Position, what: string | Refund | undefined, again: boolean, step: string): Moved {
  if (typeof what === 'object') {
    return (again ? returnRefund : takeRefund)(position, what.amount, what.fee, step)
  }
  return what === 'settle' ? settle(position, step) : releaseMargin(position, step)
}

const sum = (list: readonly bigint[]) => list.reduce((total, one) => total + one, 0n)

for (const available of [0n, 1000n]) {
  test(`a failed refund changes nothing, after a chargeback that found ${available} available`, () => {
    const disputed = { amount: 1000n, fee: 0n, available, channel: 'rail:card' }
    const opened = openChargeback(paid(), disputed, 'chargeback:C1').position
    const before = winChargeback(opened, 1000n, 'rail:card', 'chargeback-won:C1').position
    assert.equal(before.marginHeld, available === 0n ? 0n : 100n)
    const taken = takeRefund(before, 500n, 10n, 'refund:R1').position
    assert.deepEqual(returnRefund(taken, 500n, 10n, 'refund-failed:R1').position, before)
  })
}

test('a debt in another currency is never rounded in favour of the merchant, and still closes to zero', () => {
  const rate: Rate = { digits: 333n, scale: 3 }
  const settled = paid({
    rate,
    settleCurrency: 'USD',
    margin: 0n,
    marginHeld: 0n,
    remainder: 0n,
    settled: true,
  })
  const order = { ...settled, amount: 1000n, settledSource: 941n }
  const refunded = takeRefund(order, 1000n, 0n, 'refund')
  assert.equal(refunded.position.settledSource, -59n)
  assert.equal(converted(refunded.position, -59n), -20n, 'not 19, which rounding towards zero would give')
  const back = returnRefund(refunded.position, 1000n, 0n, 'returned')
  const nets = balances([...refunded.transfers, ...back.transfers])
  assert.deepEqual(
    { available: nets['merchant:available USD'], exchange: nets['platform:exchange USD'] },
    { available: 0n, exchange: 0n },
  )
})
