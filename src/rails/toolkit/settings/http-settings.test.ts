import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { HDKey } from '@scure/bip32'
import { selfSigned } from '../../../../test/builders/self-signed.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { ChannelStore } from '../../contract/store.ts'

const nobody = 'http://127.0.0.1:1'
const rail = { name: 'rail', methods: ['card'], url: nobody }
const bridge = { ...rail, protocol: 'bridge', secret: 'a secret for tests' }
const entries = [
  bridge,
  { ...rail, protocol: 'stripe', secretKey: 'k', webhookSecret: 'whsec_0123456789abcdef' },
  { ...rail, protocol: 'adyen', apiKey: 'k', merchantAccount: 'm', hmacKey: 'ab'.repeat(32) },
  {
    ...rail,
    protocol: 'evm',
    methods: ['crypto'],
    network: 'ETHEREUM',
    chainId: 1,
    rpcUrls: [nobody],
    confirmations: 'finalized',
    coins: { ETH: { native: true } },
    xpub: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'").publicExtendedKey,
  },
]

const untouched = () => assert.fail('connecting reads no record')
const store: ChannelStore = {
  numberOf: untouched,
  referenceOf: untouched,
  find: untouched,
  listOf: untouched,
  list: untouched,
  write: untouched,
}
const tools = toolsWith({ storeOf: () => store })

test('of certificate, key and authority the one that is wrong is named', () => {
  const { key, cert } = selfSigned
  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const other = String(otherKey.export({ type: 'pkcs8', format: 'pem' }))
  const said = (wrong: object) => {
    try {
      connectEntry({ ...bridge, ...wrong }, tools)
    } catch (error) {
      return error instanceof SettingError ? error.message : String(error)
    }
    return ''
  }
  const pair = { clientCertificate: cert, clientKey: key }
  assert.equal(said({ ...pair, ca: cert }), '')
  const hint = '; if it is a path, write { "file": "PATH" }'
  const about = (what: string) => `channel rail: ${what}`
  assert.equal(
    said({ ...pair, clientCertificate: '/srv/our.pem' }),
    about(`"clientCertificate" must be a certificate in PEM${hint}`),
  )
  assert.equal(
    said({ ...pair, clientCertificate: key }),
    about('"clientCertificate" must be a certificate in PEM'),
  )
  const passphrase = '"clientKey" must be a private key in PEM, without a passphrase'
  assert.equal(said({ ...pair, clientKey: 'our.key' }), about(`${passphrase}${hint}`))
  assert.equal(said({ ...pair, clientKey: cert }), about(passphrase))
  assert.equal(
    said({ ...pair, clientKey: other }),
    about('"clientKey" is not the key of "clientCertificate"'),
  )
  assert.equal(said({ ca: 'theirs.pem' }), about(`"ca" must be a certificate in PEM${hint}`))
})

test('every protocol over HTTP obeys the settings of the proxy and of TLS', () => {
  for (const entry of entries) {
    connectEntry(entry, tools)
    for (const wrong of [
      { proxy: 'nowhere' },
      { proxy: 'http://a%zz:b@proxy.example' },
      { ca: 'not a certificate' },
      { clientKey: 'alone' },
    ])
      assert.throws(() => connectEntry({ ...entry, ...wrong }, tools), SettingError, entry.protocol)
  }
})
