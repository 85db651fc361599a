import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network-of.ts'

test('an IPv4 address is its own network, however it is written', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('::FFFF:192.0.2.1'), '192.0.2.1')
})

test('an IPv6 address counts by its first 64 bits', () => {
  const same = [
    '2001:db8:1:2::',
    '2001:db8:1:2::5',
    '2001:0DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:db8:1:2::1.2.3.4',
  ]
  for (const address of same) assert.equal(networkOf(address), '2001:db8:1:2::/64', address)
  assert.equal(networkOf('2001:db8:1:3::5'), '2001:db8:1:3::/64')
  assert.equal(networkOf('2001:db8::5'), '2001:db8:0:0::/64')
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(networkOf('1::2:3:4:5:6:7'), '1:0:2:3::/64')
})

test('what is no address is taken as it is', () => {
  assert.equal(networkOf(''), '')
  assert.equal(networkOf('unknown'), 'unknown')
})
