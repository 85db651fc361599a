import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reach, reachOf, reachOfHost } from './public-address.ts'

const addresses: Readonly<Record<Reach, readonly string[]>> = {
  public: ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  reserved: [
    ...[
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '169.254.169.254',
      '168.63.129.16',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
    ],
    ...['192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', 'fe80::1', 'fc00::1'],
    ...['fd12::1', 'ff02::1', '2001:db8::1', '2001::1', '2002:7f00:1::', 'fec0::1', '100::1'],
  ],
}

for (const reach of ['public', 'loopback', 'reserved'] as const) {
  test(`${reach} addresses are recognised`, () => {
    for (const address of addresses[reach]) assert.equal(reachOf(address), reach, address)
  })
}

test('hosts are read as URL.hostname spells them', () => {
  const reachOfUrl = (url: string) => reachOfHost(new URL(url).hostname)
  assert.equal(reachOfUrl('http://2130706433/'), 'loopback')
  assert.equal(reachOfUrl('http://0x7f.1./'), 'loopback')
  assert.equal(reachOfUrl('http://LOCALHOST./'), 'loopback')
  assert.equal(reachOfUrl('http://a.localhost/'), 'loopback')
  assert.equal(reachOfUrl('http://[::ffff:10.0.0.1]/'), 'reserved')
  assert.equal(reachOfUrl('http://0300.0250.1.1/'), 'reserved')
  assert.equal(reachOfUrl('http://localhost.example/'), 'public')
})
