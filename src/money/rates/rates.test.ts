import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { formatRate, parseRate } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { currenciesWithoutRate, highestDollarValue } from './list-rates.ts'
import { openRates, type Rates } from './rates.ts'
import { sandboxCurrencies, sandboxRates } from './sandbox-rates.ts'
import { inverseDown, type NewRate, seedRates, setRates } from './set-rate.ts'

let rates: Rates

const database = useDatabase({
  async before() {
    rates = await openRates({ db: database.db })
  },
  after: () => rates.close(),
})

async function set(from: string, to: string, rate: string): Promise<void> {
  await setAll([{ from, to, rate }])
  const wanted = JSON.stringify(parseRate(Number(rate).toFixed(12)), bigints)
  const isCurrent = () => JSON.stringify(rates.find(from, to), bigints) === wanted
  assert.ok(await eventually(isCurrent), 'the new rate did not arrive')
}

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

function setAll(list: readonly NewRate[], now = new Date(), isConfirmed = false): Promise<NewRate[]> {
  return database.db.transaction((tx) => setRates(tx, list, { now, isConfirmed }))
}

test('a currency converts to itself at 1 without a stored rate', () => {
  assert.deepEqual(rates.find('SEK', 'SEK'), { digits: 1n, scale: 0 })
  assert.equal(rates.usdValue({ amount: 12_34n, currency: 'USD' }), 12_34n)
})

test('without a rate there is no USD value', () => {
  assert.equal(rates.find('SEK', 'USD'), undefined)
  assert.equal(rates.usdValue({ amount: 1n, currency: 'SEK' }), undefined)
})

test('a rate set on another node is noticed, and the latest one applies', async () => {
  await set('EUR', 'USD', '1.1')
  assert.equal(rates.usdValue({ amount: 100_00n, currency: 'EUR' }), 110_00n)
  await set('EUR', 'USD', '1.2')
  assert.equal(rates.usdValue({ amount: 100_00n, currency: 'EUR' }), 120_00n)
})

test('a USD value is rounded down, whatever decimals the currency has', async () => {
  await set('VND', 'USD', '0.000038022813')
  assert.equal(rates.usdValue({ amount: 50_000n, currency: 'VND' }), 190n)
  await set('KWD', 'USD', '3.25')
  assert.equal(rates.usdValue({ amount: 1_001n, currency: 'KWD' }), 325n)
})

test('a pair without its own rate converts through the US dollar, exactly', async () => {
  await set('GBP', 'USD', '1.3')
  await set('USD', 'JPY', '154.123')
  const cross = rates.find('GBP', 'JPY')
  assert.ok(cross)
  assert.equal(cross.digits * 10n ** 4n, 2003599n * 10n ** BigInt(cross.scale))
  await set('GBP', 'JPY', '200')
  assert.equal(rates.find('GBP', 'JPY')?.digits, 200n * 10n ** 12n)
})

describe('the opposite of a rate that is set', () => {
  const rateOf = async (from: string, to: string, now = new Date()) => {
    const own = await openRates({ db: database.db, clock: { now: () => now } })
    own.close()
    const rate = own.find(from, to)
    return rate && formatRate(rate)
  }

  it('is its inverse, rounded down to twelve decimals, and changes with it', async () => {
    assert.deepEqual(await setAll([{ from: 'USD', to: 'CHF', rate: '0.7' }]), [
      { from: 'CHF', to: 'USD', rate: '1.428571428571' },
    ])
    assert.equal(await rateOf('CHF', 'USD'), '1.428571428571')
    await setAll([{ from: 'USD', to: 'CHF', rate: '0.8' }])
    assert.equal(await rateOf('CHF', 'USD'), '1.250000000000')
  })

  it('does not change once it was set explicitly, even for a later time', async () => {
    await setAll([{ from: 'USD', to: 'PLN', rate: '4' }])
    assert.deepEqual(await setAll([{ from: 'PLN', to: 'USD', rate: '0.24' }]), [])
    assert.deepEqual(await setAll([{ from: 'USD', to: 'PLN', rate: '4.1' }]), [])
    assert.equal(await rateOf('PLN', 'USD'), '0.240000000000')
    const soon = new Date(Date.now() + 60_000)
    const ahead = [{ from: 'CZK', to: 'USD', rate: '0.039' }]
    await setAll([{ from: 'USD', to: 'CZK', rate: '25' }])
    await setAll(ahead, soon)
    assert.deepEqual(await setAll([{ from: 'USD', to: 'CZK', rate: '24' }]), [])
    assert.equal(await rateOf('CZK', 'USD'), '0.040000000000')
    assert.equal(await rateOf('CZK', 'USD', soon), '0.039000000000')
  })

  it('never replaces one that was set, whichever takes effect later', async () => {
    const soon = new Date(Date.now() + 60_000)
    await setAll([{ from: 'USD', to: 'HUF', rate: '400' }], soon)
    await setAll([{ from: 'HUF', to: 'USD', rate: '0.0024' }])
    assert.equal(await rateOf('HUF', 'USD', soon), '0.002400000000')
  })

  it('is not derived when it would be too large', async () => {
    assert.deepEqual(await setAll([{ from: 'IDR', to: 'USD', rate: '0.000000000001' }]), [])
    assert.equal(inverseDown('0.000000000002'), '500000000000.000000000000')
    assert.equal(inverseDown('999999999999.999999999999'), '0.000000000001')
  })

  it("replaces the sandbox's initial rate, in either direction", async () => {
    const seed = [
      { from: 'USD', to: 'RON', rate: '4' },
      { from: 'RON', to: 'USD', rate: '0.25' },
      { from: 'USD', to: 'THB', rate: '40' },
      { from: 'THB', to: 'USD', rate: '0.025' },
    ]
    await database.db.transaction((tx) => seedRates(tx, seed, new Date()))
    await setAll([{ from: 'USD', to: 'RON', rate: '5' }])
    await setAll([{ from: 'THB', to: 'USD', rate: '0.02' }])
    assert.equal(await rateOf('RON', 'USD'), '0.200000000000')
    assert.equal(await rateOf('USD', 'THB'), '50.000000000000')
  })
})

describe('a rate and its opposite', () => {
  const rate = (from: string, to: string, value: string) => [{ from, to, rate: value }]

  it('are refused if their product is above 1 or below 0.9, unless they are confirmed', async () => {
    await setAll(rate('EUR', 'AUD', '1.6'))
    for (const [value, product] of [
      ['0.625000000001', '1.0000000000016'],
      ['0.5', '0.8'],
    ] as const) {
      await assert.rejects(setAll(rate('AUD', 'EUR', value)), {
        message: `1 AUD is ${value} EUR, and 1 EUR is 1.6 AUD: the product must be from 0.9 to 1, and is ${product}. Correct the rate, or confirm it`,
      })
    }
    for (const value of ['0.625', '0.5625']) await setAll(rate('AUD', 'EUR', value))
    await setAll(rate('AUD', 'EUR', '0.5'), new Date(), true)
  })

  it('are compared as they are at each time while the new one is in force', async () => {
    const [now, soon, later] = [0, 60_000, 120_000].map((ms) => new Date(Date.now() + ms))
    await setAll(rate('EUR', 'SGD', '1.5'), now)
    await setAll(rate('SGD', 'EUR', '0.66'), now)
    await setAll(rate('SGD', 'EUR', '0.6'), soon)
    await setAll(rate('EUR', 'SGD', '1.4'), later, true)
    await assert.rejects(setAll(rate('EUR', 'SGD', '1.45'), now), /1 SGD is 0\.6 EUR.*and is 0\.87\./)
    await setAll(rate('EUR', 'SGD', '1.51'), now)
  })

  it('are compared when they are set at the same moment', async () => {
    const both = await Promise.allSettled([
      setAll(rate('GBP', 'NZD', '2')),
      setAll(rate('NZD', 'GBP', '0.7')),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })
})

test('a future rate takes effect within 30 seconds of its time', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  let now = new Date('2026-11-15T12:00:00Z')
  const minute = (at: number) => new Date(Date.UTC(2026, 10, 15, 12, at))
  const setFrom = (rate: string, validFrom: Date) =>
    database.db.transaction((tx) => setRates(tx, [{ from: 'CAD', to: 'USD', rate }], { now: validFrom }))
  const worth = () => own.usdValue({ amount: 100_00n, currency: 'CAD' })
  await setFrom('0.7', now)
  await setFrom('0.8', minute(10))
  await setFrom('0.9', minute(20))
  const own = await openRates({ db: database.db, clock: { now: () => now } })
  try {
    for (const [at, wanted] of [
      [9, 70_00n],
      [10, 80_00n],
      [19, 80_00n],
      [20, 90_00n],
    ] as const) {
      now = minute(at)
      context.mock.timers.tick(30_000)
      // The timer has started a query, which ends a moment later.
      assert.ok(await eventually(() => worth() === wanted), `${worth()} at minute ${at}`)
    }
  } finally {
    own.close()
  }
})

test('an invalid rate is refused, and none of its list is set', async () => {
  const good = { from: 'USD', to: 'SEK', rate: '9' }
  for (const bad of [
    { from: 'USD', to: 'USD', rate: '1' },
    { from: 'USD', to: 'XXY', rate: '1' },
    { from: 'USD', to: 'NOK', rate: '0' },
    { from: 'USD', to: 'NOK', rate: '-1' },
    { from: 'USD', to: 'NOK', rate: '1e3' },
    { from: 'USD', to: 'NOK', rate: '0.1234567890123' },
  ]) {
    await assert.rejects(setAll([good, bad]), OperatorRefusal)
  }
  const rows = await database.db.query({ text: `select from rates where to_currency = 'SEK'` })
  assert.equal(rows.length, 0)
})

test('the sandbox has consistent rates in both directions for each of its currencies', async () => {
  const list = sandboxRates()
  await setAll(list, new Date(), true)
  const own = await openRates({ db: database.db })
  for (const currency of sandboxCurrencies) {
    const there = own.find('USD', currency)
    const back = own.find(currency, 'USD')
    assert.ok(there && back, currency)
    const product = Number(there.digits * back.digits) / 10 ** (there.scale + back.scale)
    assert.ok(Math.abs(product - 1) < 1e-6, currency)
  }
  own.close()
  assert.deepEqual(await currenciesWithoutRate(database.db, [...sandboxCurrencies, 'XOF'], new Date()), [
    'XOF',
  ])
})

test('the highest rate of a time counts each rate that was in force then, and nobody can change it later', async () => {
  const minute = (at: number) => new Date(Date.UTC(2026, 10, 15, 12, at))
  for (const [at, rate] of [
    [0, '0.0125'],
    [10, '0.012'],
    [20, '0.0000001'],
    [30, '0.011'],
  ] as const)
    await setAll([{ from: 'INR', to: 'USD', rate }], minute(at), true)
  const worth = async (since: number, until: number, currency = 'INR') => {
    const usdValue = await highestDollarValue(database.db, { since: minute(since), until: minute(until) })
    return usdValue({ amount: 1_000_00n, currency })
  }
  assert.equal(await worth(5, 25), 12_50n)
  assert.equal(await worth(10, 25), 12_00n)
  assert.equal(await worth(20, 29), 0n)
  assert.equal(await worth(25, 40), 11_00n)
  assert.equal(await worth(0, 40, 'USD'), 1_000_00n)
  assert.equal(await worth(0, 40, 'XOF'), undefined)
  const past = { now: minute(40), validFrom: minute(0), isConfirmed: true }
  const rewrite = database.db.transaction((tx) =>
    setRates(tx, [{ from: 'INR', to: 'USD', rate: '0.0000001' }], past),
  )
  await assert.rejects(rewrite, /^OperatorRefusal: a rate cannot begin in the past/)
  assert.equal(await worth(0, 40), 12_50n)
})
