import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyOf } from './thrown.ts'

test('why something failed is one short line, whatever was thrown', () => {
  assert.equal(whyOf(new TypeError('no such host')), 'no such host')
  assert.equal(whyOf('a text'), 'a text')
  assert.equal(whyOf(undefined), 'undefined')
  assert.equal(whyOf(new Error('<html>\r\n\tbad\0 gateway')), '<html> bad  gateway')
  assert.equal(whyOf(new Error('x'.repeat(5_000_000))), 'x'.repeat(1_000))
  assert.equal(whyOf(new Error(`${'x'.repeat(999)}😀`)), `${'x'.repeat(999)}\uFFFD`, 'half a character')
})
