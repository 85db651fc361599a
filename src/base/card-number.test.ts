import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brandOf, securityCodeDigits } from './card-number.ts'

test('the first digits determine the brand, also from the cache', () => {
  for (const _time of ['once', 'again']) {
    assert.equal(brandOf('4242424242424242'), 'visa')
    assert.equal(brandOf('5555555555554444'), 'mastercard')
    assert.equal(brandOf('6200000000000005'), 'unionpay')
    assert.equal(brandOf('378282246310005'), 'american-express')
    assert.equal(brandOf('9999999999999995'), 'unknown')
  }
})

test('a security code has three digits, and four on American Express', () => {
  assert.equal(securityCodeDigits('4242424242424242'), 3)
  assert.equal(securityCodeDigits('378282246310005'), 4)
  assert.equal(securityCodeDigits(''), 3)
})
