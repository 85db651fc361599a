import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddressRange } from '../addresses.ts'
import { type AddressGuardOptions, createAddressGuard } from './address-guard.ts'
import type { Resolved } from './resolve-name.ts'

const strict: AddressGuardOptions = { loopbackAllowed: false, allow: [], ports: 'any' }

function refusal(url: string, options: Partial<AddressGuardOptions> = {}): string | undefined {
  return createAddressGuard({ ...strict, ...options }).refusal(new URL(url))
}

const inside = [
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://168.63.129.16/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::a00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[2002:7f00:1::]/',
]

test('private and reserved addresses are refused in every spelling', () => {
  for (const url of inside) assert.match(refusal(url) ?? '', /private or reserved/, url)
  assert.equal(refusal('http://8.8.8.8/'), undefined)
  assert.equal(refusal('https://[2606:4700::1111]/'), undefined)
})

test('only http and https are allowed, and only at the configured ports', () => {
  assert.match(refusal('ftp://8.8.8.8/') ?? '', /only http/)
  const ports = [80, 443]
  assert.equal(refusal('http://8.8.8.8/', { ports }), undefined)
  assert.equal(refusal('https://8.8.8.8/', { ports }), undefined)
  assert.match(refusal('http://8.8.8.8:25/', { ports }) ?? '', /port 25/)
})

test('loopback passes where it is allowed, private addresses where they are listed', () => {
  assert.equal(refusal('http://127.0.0.1:9/', { loopbackAllowed: true }), undefined)
  assert.ok(refusal('http://10.0.0.1/', { loopbackAllowed: true }))
  const allow = ['10.1.0.0/16', 'fd00::/8', '192.168.0.7']
  for (const host of ['10.1.9.9', '[fd12::1]', '192.168.0.7']) {
    assert.equal(refusal(`http://${host}/`, { allow }), undefined, host)
  }
  for (const host of ['10.2.0.1', '192.168.0.8', '[fe80::1]'])
    assert.ok(refusal(`http://${host}/`, { allow }), host)
})

async function lookUp(addresses: readonly string[], all = true): Promise<unknown> {
  const found: Resolved[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const { lookup } = createAddressGuard({ ...strict, resolve: async () => found })
  return new Promise((resolve) => {
    lookup('shop.example', { all }, (error, address) => resolve(error === null ? address : error.message))
  })
}

test('of the addresses of a name, only the public ones are used', async () => {
  assert.deepEqual(await lookUp(['10.0.0.1', '8.8.8.8', '::ffff:10.0.0.1', '2606:4700::1111']), [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ])
  assert.equal(await lookUp(['127.0.0.1', '8.8.4.4'], false), '8.8.4.4')
})

test('a name with only private addresses, or with none, is refused', async () => {
  assert.match(String(await lookUp(['10.0.0.1', '::1'])), /shop\.example: 10\.0\.0\.1 is private/)
  assert.match(String(await lookUp([])), /no address/)
})

test('a range is an address with a fitting prefix', () => {
  for (const range of ['10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::1']) assert.ok(isAddressRange(range), range)
  for (const range of ['10.0.0.0/33', 'fd00::/129', 'shop.example', '10.0.0.0/8/8', '10.0.0.0/', '']) {
    assert.ok(!isAddressRange(range), range)
  }
})
