import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HDKey } from '@scure/bip32'
import { connectEntry, toolsWith } from '../../test/connect-entry.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { ChannelStore } from './store.ts'

const nobody = 'http://127.0.0.1:1'
const rail = { name: 'rail', methods: ['card'], url: nobody }
const entries = [
  { ...rail, protocol: 'bridge', secret: 'a secret for tests' },
  { ...rail, protocol: 'stripe', secretKey: 'k', webhookSecret: 'whsec_s' },
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

test('every protocol over HTTP obeys the settings of the proxy and of TLS', () => {
  for (const entry of entries) {
    connectEntry(entry, tools)
    for (const wrong of [{ proxy: 'nowhere' }, { ca: 'not a certificate' }, { clientKey: 'alone' }])
      assert.throws(() => connectEntry({ ...entry, ...wrong }, tools), SettingError, entry.protocol)
  }
})
