import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { clientAddress, networkOf } from './addresses.ts'

function from(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
  const request = new IncomingMessage(socket)
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
  return request
}

test('without trusted proxies the connected address is the client, whatever the header says', () => {
  const addressOf = clientAddress([])
  assert.equal(addressOf(from('192.0.2.1')), '192.0.2.1')
  assert.equal(addressOf(from('192.0.2.1', '198.51.100.7')), '192.0.2.1')
})

test('a trusted proxy is believed, and so is another trusted proxy that it names', () => {
  const addressOf = clientAddress(['10.0.0.0/8', '2001:db8::1'])
  const cases = [
    ['10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['::ffff:10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['2001:db8::1', '198.51.100.7 , 10.9.9.9', '198.51.100.7'],
    ['10.1.2.3', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['10.1.2.3', '10.0.0.4,,10.0.0.5', '10.0.0.4'],
    ['10.1.2.3', 'nonsense', 'nonsense'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ] as const
  for (const [connected, forwardedFor, client] of cases)
    assert.equal(addressOf(from(connected, forwardedFor)), client, `${connected}: ${forwardedFor}`)
})

test('IPv4 counts by address, IPv6 by its /64, in any spelling', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
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
