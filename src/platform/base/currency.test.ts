// The currencies and funds of ISO 4217, list one. They are written out here to check the table, which comes from a
// package.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allFiat, decimalsOf, isCurrency, isFiat } from './currency.ts'

const byDecimals: readonly (readonly [number, string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
     CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR
     ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV
     MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD
     SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

test('the currencies and their decimals are exactly those of ISO 4217', () => {
  const listed = byDecimals.flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code) => [code, decimals] as const),
  )
  const ours = allFiat().map((code) => [code, decimalsOf(code)] as const)
  const sorted = (pairs: readonly (readonly [string, number])[]) => Object.fromEntries([...pairs].sort())
  assert.deepEqual(sorted(ours), sorted(listed))
})

test('coins are currencies but not fiat, and ether is counted in gwei', () => {
  const decimals = ['USDT', 'USDC', 'ETH'].map((coin) => [isCurrency(coin), isFiat(coin), decimalsOf(coin)])
  assert.deepEqual(decimals, [
    [true, false, 6],
    [true, false, 6],
    [true, false, 9],
  ])
})
