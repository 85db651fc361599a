import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { type OptionTexts, readOptions } from './options.ts'

test('an option that was not given is undefined', () => {
  for (const value of Object.values(readOptions({}))) assert.equal(value, undefined)
})

test('a limit of "none" differs from one that was not given', () => {
  const { limitSingle, limitDaily } = readOptions({ limitSingle: 'none' })
  assert.equal(limitSingle, null)
  assert.equal(limitDaily, undefined)
})

test('amounts are parsed exactly, in US cents', () => {
  assert.equal(readOptions({ limitSingle: '123456.78' }).limitSingle, 12_345_678n)
  assert.equal(readOptions({ refundCredit: '500' }).refundCredit, 50_000n)
})

test('an empty address empties the list', () => {
  assert.deepEqual(readOptions({ ips: [''] }).ips, [])
})

test('addresses and ranges of IPv4 and IPv6 are accepted', () => {
  const ips = ['203.0.113.7', '203.0.113.0/24', '2001:DB8::/32']
  assert.deepEqual(readOptions({ ips }).ips, ['203.0.113.7', '203.0.113.0/24', '2001:db8::/32'])
})

const refused: readonly OptionTexts[] = [
  { name: '' },
  { name: 'x'.repeat(101) },
  { name: 'Bell\u0007' },
  { sites: ['https://shop.example'] },
  { currencies: 'USD,XXY' },
  { currencies: 'USDT' },
  { settleCurrency: 'usd' },
  { feeBps: '10001' },
  { feeBps: '-1' },
  { feeBps: '1.5' },
  { feeFixed: '0.305' },
  { feeFixed: '-0.30' },
  { marginDays: '3651' },
  { settleDays: '366' },
  { methods: 'card,cheque' },
  { methods: '' },
  { cardBrands: 'vista' },
  { requireRsa: 'yes' },
  { ips: ['203.0.113.0/33'] },
  { ips: ['203.0.113'] },
  { ips: ['203.0.113.0/24/8'] },
  { limitDaily: '1e6' },
  { limitDaily: '0.001' },
  { refundCredit: 'none' },
  { timezone: 'Mars/Olympus' },
  { timezone: '+01:00' },
]

for (const texts of refused) {
  test(`${JSON.stringify(texts).slice(0, 40)} is refused with one sentence`, () => {
    assert.throws(() => readOptions(texts), OperatorRefusal)
  })
}
