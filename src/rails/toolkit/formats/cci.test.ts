import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCci } from './cci.ts'

test('each check digit of a CCI covers its own half', () => {
  assert.ok(isCci('00219119184091600051'))
  assert.equal(isCci('00219119184091600050'), false)
  assert.equal(isCci('00219119184091600041'), false)
})
