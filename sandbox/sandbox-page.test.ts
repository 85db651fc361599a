import assert from 'node:assert/strict'
import { it } from 'node:test'
import { minorAmount } from './sandbox-page.ts'

it("writes an amount in a counterparty's smallest units as payers know it", () => {
  assert.equal(minorAmount(100, 'eur'), '€1.00')
  assert.equal(minorAmount(5, 'EUR'), '€0.05')
  assert.equal(minorAmount(1000, 'JPY'), '¥1,000')
  assert.equal(minorAmount(1230, 'KWD').replace(/\s/, ' '), 'KWD 1.230')
  assert.equal(minorAmount(500, 'ISK', { ISK: 2 }).replace(/\s/, ' '), 'ISK 5')
})
