import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clabe } from 'clabe-validator'
import fc from 'fast-check'
import { isClabe } from './clabe.ts'

test('a CLABE has a valid check digit', () => {
  assert.ok(isClabe('032180000118359719'))
  assert.equal(isClabe('032180000118359718'), false)
  assert.equal(isClabe('03218000011835971'), false)
  assert.equal(isClabe('03218000011835971X'), false)
  assert.equal(isClabe(''), false)
})

test('an independent implementation finds the same check digit for every account', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 17, maxLength: 17 })
  fc.assert(
    fc.property(digits, fc.integer({ min: 1, max: 9 }), (head, off) => {
      const account = head.join('')
      const check = clabe.computeChecksum(account) ?? Number.NaN
      assert.ok(isClabe(`${account}${check}`))
      assert.equal(isClabe(`${account}${(check + off) % 10}`), false)
    }),
  )
})
