import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allFiat, decimalsOf } from './currency.ts'
import {
  convertDown,
  convertUp,
  decimalHalfUp,
  formatAmount,
  parseAmount,
  parseDecimal,
  parseRate,
  shareHalfUp,
  wireAmount,
} from './money.ts'

test('an amount survives formatting and parsing, in every currency', () => {
  const currency = fc.constantFrom(...allFiat())
  fc.assert(
    fc.property(currency, fc.bigInt({ min: 1n, max: 999_999_999n }), (code, units) => {
      const amount = units * 10n ** BigInt(decimalsOf(code))
      const text = formatAmount(amount, code)
      assert.equal(parseAmount(wireAmount({ amount, currency: code }), code), amount)
      assert.equal(parseDecimal(text, code), amount)
    }),
  )
})

test('an amount for a request has two decimals, in every currency', () => {
  assert.equal(wireAmount({ amount: 500n, currency: 'JPY' }), '500.00')
  assert.equal(wireAmount({ amount: 12_340n, currency: 'KWD' }), '12.34')
  assert.equal(wireAmount({ amount: 12_345n, currency: 'KWD' }), '12.345')
  assert.equal(wireAmount({ amount: 1_200n, currency: 'EUR' }), '12.00')
})

test('cents survive the round trip in currencies with two decimals', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999n }), (cents) => {
      assert.equal(parseAmount(formatAmount(cents, 'USD'), 'USD'), cents)
    }),
  )
})

const broken = [
  '',
  '0.00',
  '1',
  '1.0',
  '1.000',
  '01.00',
  '-1.00',
  '+1.00',
  '1e3',
  ' 1.00',
  '1.00 ',
  '1,00',
  '.50',
  '1000000000.00',
  '١.٠٠',
  'NaN',
  '1.00\n',
]

for (const text of broken) {
  test(`${JSON.stringify(text)} is not an amount`, () => assert.equal(parseAmount(text, 'USD'), undefined))
}

test('a currency without decimals accepts no cents', () => {
  assert.equal(parseAmount('1000.00', 'VND'), 1000n)
  assert.equal(parseAmount('1000.50', 'VND'), undefined)
})

test('a currency with three decimals has two on the wire and three inside', () => {
  assert.equal(parseAmount('1.25', 'KWD'), 1250n)
  assert.equal(formatAmount(1250n, 'KWD'), '1.250')
})

test('a negative amount has one sign', () => {
  assert.equal(formatAmount(-5n, 'USD'), '-0.05')
  assert.equal(formatAmount(-12345n, 'JPY'), '-12345.00')
})

test('a share is rounded half up and less than one unit off the exact value', () => {
  assert.equal(shareHalfUp(1n, 5000), 1n)
  assert.equal(shareHalfUp(100n, 250), 3n)
  assert.equal(shareHalfUp(99n, 250), 2n)
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.integer({ min: 0, max: 10_000 }),
      (amount, bps) => {
        const twiceError = 2n * (shareHalfUp(amount, bps) * 10_000n - amount * BigInt(bps))
        assert.ok(twiceError <= 10_000n && twiceError > -10_000n)
      },
    ),
  )
})

test('a conversion rounds down, across currencies of different decimals', () => {
  const rate = parseRate('151.237')
  assert.ok(rate)
  assert.deepEqual(convertDown({ amount: 199n, currency: 'USD' }, 'JPY', rate), {
    amount: 300n,
    currency: 'JPY',
  })
  const back = parseRate('0.0066')
  assert.ok(back)
  assert.deepEqual(convertDown({ amount: 301n, currency: 'JPY' }, 'USD', back), {
    amount: 198n,
    currency: 'USD',
  })
})

test('negative amounts round down too, and debits round up', () => {
  const rate = parseRate('0.000038')
  assert.ok(rate)
  const dollars = (convert: typeof convertDown, amount: bigint) =>
    convert({ amount, currency: 'VND' }, 'USD', rate).amount
  assert.deepEqual([dollars(convertDown, 525n), dollars(convertDown, -525n)], [1n, -2n])
  assert.deepEqual([dollars(convertUp, 525n), dollars(convertUp, -525n)], [2n, -1n])
  assert.deepEqual([dollars(convertDown, -500_000n), dollars(convertUp, 500_000n)], [-1900n, 1900n])
  assert.equal(dollars(convertUp, 1n), 1n, 'nothing is free')
})

test('zero, negative numbers and exponents are not rates', () => {
  for (const text of ['0', '0.000', '-1', '1e2', '', '1.', '.5']) assert.equal(parseRate(text), undefined)
})

test("a setting's decimal is rounded half up to the currency's minor unit", () => {
  assert.equal(decimalHalfUp('0.30', 'USD'), 30n)
  assert.equal(decimalHalfUp('0.30', 'JPY'), 0n)
  assert.equal(decimalHalfUp('0.50', 'JPY'), 1n)
  assert.equal(decimalHalfUp('0.30', 'KWD'), 300n)
  assert.equal(decimalHalfUp('a', 'USD'), undefined)
})
