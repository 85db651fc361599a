import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network-of.ts'

test('IPv4 counts by address, IPv6 by its /64, however they are written', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:0:ffff::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['nonsense', 'nonsense'],
    ['a:b', 'a:b'],
    ['', ''],
  ] as const)
    assert.equal(networkOf(address), network, address)
})
