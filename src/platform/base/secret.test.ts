import assert from 'node:assert/strict'
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { hmacBy, openVault } from './secret.ts'

const vault = openVault(randomBytes(32))

test('an encrypted value decrypts only in its own context', () => {
  const sealed = vault.seal('a secret', 'merchant:1')
  assert.equal(vault.open(sealed, 'merchant:1'), 'a secret')
  assert.throws(() => vault.open(sealed, 'merchant:2'))
  assert.throws(() => openVault(randomBytes(32)).open(sealed, 'merchant:1'))
})

test('a changed byte anywhere in an encrypted value is detected', () => {
  const sealed = vault.seal('a secret', 'x')
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    assert.throws(() => vault.open(changed, 'x'))
  }
})

test('a value encrypted twice gives different bytes but one fingerprint', () => {
  assert.notDeepEqual(vault.seal('a', 'x'), vault.seal('a', 'x'))
  assert.equal(vault.fingerprint('4242'), vault.fingerprint('4242'))
  assert.notEqual(vault.fingerprint('4242'), vault.fingerprint('4243'))
  assert.notEqual(vault.mac('page', 'a'), vault.mac('other', 'a'))
})

test('fingerprints and MACs are HMAC-SHA256 with separate keys', () => {
  const masterKey = randomBytes(32)
  const { fingerprint, mac } = openVault(masterKey)
  const expected = (purpose: string, text: string) => {
    const key = Buffer.from(hkdfSync('sha256', masterKey, '', `tollgate ${purpose}`, 32))
    return createHmac('sha256', key).update(text).digest('base64url')
  }
  for (const text of ['', '4242424242424242', 'ünïcode ✓', 'x'.repeat(1000), '✓'.repeat(20_000)]) {
    assert.equal(fingerprint(text), expected('fingerprint', text))
    assert.equal(mac('page', text), expected('mac', `page:${text}`))
  }
})

for (const size of [0, 1, 32, 63, 64, 65, 128, 1_000]) {
  test(`an HMAC with a key of ${size} bytes is the standard one`, () => {
    const key = randomBytes(size)
    const expected = createHmac('sha256', key).update('a text').digest('base64')
    assert.equal(hmacBy(key, 'base64')('a text'), expected)
  })
}
