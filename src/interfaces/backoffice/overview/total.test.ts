import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRate, type Rate } from '../../../platform/base/money.ts'
import { type Counted, currenciesOf, totalOf } from './total.ts'

const today = '2026-03-12'
const lastWeek = '2026-03-05'
const none = { orders: 0, paid: 0, failed: 0, volume: 0n, volumeByNow: 0n }

function counted(day: string, currency: string, some: Partial<Counted>): Counted {
  return { ...none, day, currency, ...some }
}

/** Knows only these rates: one euro is 1.25 dollars or 187.5 yen. */
function find(from: string, to: string): Rate | undefined {
  const rates: Readonly<Record<string, string>> = {
    'EUR:USD': '1.25',
    'USD:EUR': '0.8',
    'JPY:USD': '0.006666666666',
    'JPY:EUR': '0.005333333333',
    'USD:JPY': '150',
    'EUR:JPY': '187.5',
  }
  return from === to ? parseRate('1') : parseRate(rates[`${from}:${to}`] ?? '')
}

test('the total is in the currency of the highest value, and contains all that have a rate', () => {
  const counts = [
    counted(today, 'EUR', { orders: 3, paid: 2, failed: 1, volume: 20_00n }),
    counted(today, 'JPY', { orders: 1, paid: 1, volume: 1_500n }),
    counted(today, 'AED', { orders: 2, paid: 1, failed: 1, volume: 5_00n }),
    counted('2026-03-11', 'USD', { orders: 1, paid: 1, volume: 10_00n }),
  ]
  const total = totalOf(counts, { today, days: 3 }, find)
  assert.ok(total)
  assert.deepEqual(
    { currency: total.currency, converted: total.converted, notIncluded: total.notIncluded },
    { currency: 'EUR', converted: ['JPY', 'USD'], notIncluded: [{ amount: '5.00', currency: 'AED' }] },
  )
  assert.deepEqual(total.today, {
    orders: 6,
    paid: 4,
    failed: 2,
    volume: { amount: '27.99', currency: 'EUR' },
  })
  assert.deepEqual(
    total.days.map(({ day, orders, volume }) => `${day} ${orders} ${volume.amount}`),
    ['2026-03-10 0 0.00', '2026-03-11 1 8.00', '2026-03-12 6 27.99'],
  )
})

test('the change compares the full hours of today with those of the same weekday', () => {
  const counts = [
    counted(today, 'USD', { volume: 99_00n, volumeByNow: 30_00n }),
    counted(lastWeek, 'USD', { volume: 500_00n, volumeByNow: 25_00n }),
    counted('2026-03-11', 'USD', { volume: 7_00n, volumeByNow: 7_00n }),
  ]
  const total = totalOf(counts, { today, days: 30 }, find)
  assert.deepEqual(total?.lastWeek, {
    day: lastWeek,
    volume: { amount: '25.00', currency: 'USD' },
    change: 200,
  })
  const [dollars] = currenciesOf(counts, { today })
  assert.deepEqual(
    { change: dollars?.change, volume: dollars?.today.volume.amount },
    { change: 200, volume: '99.00' },
  )
})

test('without a volume last week there is no change, and without orders no total', () => {
  const counts = [counted(today, 'USD', { volume: 99_00n, volumeByNow: 30_00n })]
  assert.equal(totalOf(counts, { today, days: 30 }, find)?.lastWeek.change, null)
  assert.equal(currenciesOf(counts, { today })[0]?.change, null)
  assert.equal(totalOf([], { today, days: 30 }, find), null)
  assert.deepEqual(currenciesOf([counted('2026-03-11', 'USD', { volume: 1n })], { today }), [])
})
