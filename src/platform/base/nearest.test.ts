import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

const known = ['merchant', 'pay', 'payout', 'sign', 'fx']

test('a letter too many, too few, wrong or swapped with its neighbour is one correction', () => {
  for (const [typed, meant] of [
    ['mmerchant', 'merchant'],
    ['merchnt', 'merchant'],
    ['merchent', 'merchant'],
    ['merchnat', 'merchant'],
    ['pya', 'pay'],
    ['isgn', 'sign'],
  ] as const)
    assert.equal(nearest(typed, known, 1), meant, typed)
})

test('the name with the fewest corrections wins, and none wins above the limit', () => {
  assert.equal(nearest('payot', known, 3), 'payout')
  assert.equal(nearest('payo', known, 3), 'pay')
  assert.equal(nearest('emrchnat', known, 2), 'merchant')
  assert.equal(nearest('emrchnat', known, 1), undefined)
  assert.equal(nearest('', known, 1), undefined)
})
