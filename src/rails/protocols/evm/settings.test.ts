import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HDKey } from '@scure/bip32'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import { readEvmSettings } from './settings.ts'

const account = HDKey.fromMasterSeed(new Uint8Array(32)).derive("m/44'/60'/0'")
const good = {
  name: 'polygon',
  protocol: 'evm',
  methods: ['crypto'],
  payoutKinds: [],
  network: 'POLYGON',
  chainId: 137,
  rpcUrls: ['https://one.example/v2/key', 'https://two.example/'],
  xpub: account.publicExtendedKey,
  confirmations: 'finalized',
  coins: {
    USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6, price: '1' },
    ETH: { native: true },
  },
} as const

describe('the settings of an EVM chain', () => {
  it('are read with defaults', () => {
    const settings = readEvmSettings(good)
    assert.equal(settings.confirmations, 'finalized')
    assert.deepEqual(
      { watchDays: settings.watchDays, quietMinutes: settings.quietMinutes },
      { watchDays: 30, quietMinutes: 10 },
    )
    assert.equal(settings.outgoing, undefined)
    const [usdc, eth] = [...settings.coins.values()]
    assert.deepEqual(usdc?.decimals, { chain: 6, shown: 6 })
    assert.equal(usdc?.token, '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359')
    assert.deepEqual(
      { token: eth?.token, decimals: eth?.decimals },
      { token: 'native', decimals: { chain: 18, shown: 8 } },
    )
  })

  const usdc = good.coins.USDC

  it('name the folder or the socket of a signer', () => {
    const outgoing = (where: object) =>
      readEvmSettings({ ...good, outgoing: { from: usdc.address, ...where } }).outgoing
    const from = usdc.address.toLowerCase()
    assert.deepEqual(outgoing({ folder: '/signer' }), { from, folder: '/signer' })
    assert.deepEqual(outgoing({ socket: '/run/signer.sock' }), { from, socket: '/run/signer.sock' })
  })

  it('may have a contract in lower case, which has no checksum to compare', () => {
    const coins = { USDC: { ...usdc, address: usdc.address.toLowerCase() } }
    assert.equal(readEvmSettings({ ...good, coins }).coins.get('USDC')?.token, usdc.address.toLowerCase())
  })

  it('may wait for safe blocks on Base and Arbitrum', () => {
    for (const chainId of [8453, 42161])
      assert.equal(readEvmSettings({ ...good, chainId, confirmations: 'safe' }).confirmations, 'safe')
  })

  const wrongs: Readonly<Record<string, object>> = {
    network: { network: 'polygon!' },
    chainId: { chainId: '137' },
    rpcUrls: { rpcUrls: [] },
    'rpcUrls must be a list of http': { rpcUrls: ['ws://node.example'] },
    'different nodes': { rpcUrls: ['https://one.example/', 'https://one.example'] },
    xpub: { xpub: account.privateExtendedKey },
    confirmations: { confirmations: 0 },
    coins: { coins: {} },
    checksum: { coins: { USDC: { ...usdc, address: usdc.address.replace('c542c', 'C542c') } } },
    'right EIP-55': { coins: { USDC: { ...usdc, address: `0x${usdc.address.slice(2).toUpperCase()}` } } },
    'Base .8453. and Arbitrum .42161.': { confirmations: 'safe' },
    decimals: { coins: { USDC: { ...usdc, decimals: '6' } } },
    price: { coins: { USDC: { ...usdc, price: 1 } } },
    'BNB needs "price"': { coins: { BNB: { native: true } } },
    'different contract': { coins: { USDC: usdc, USDT: usdc } },
    watchDays: { watchDays: -1 },
    quietMinutes: { quietMinutes: 0 },
    'absolute path': { outgoing: { from: usdc.address, folder: 'signer' } },
    'either "folder" or "socket"': { outgoing: { from: usdc.address, folder: '/a', socket: '/b' } },
    'an absolute path': { outgoing: { from: usdc.address } },
    '103 bytes': { outgoing: { from: usdc.address, socket: `/${'a'.repeat(103)}` } },
    'an address with EIP-55 checksum': { outgoing: { from: usdc.address.toLowerCase(), socket: '/a' } },
  }
  for (const [what, changes] of Object.entries(wrongs))
    it(`are refused with a sentence about ${what}`, () => {
      const said = new RegExp(
        `^channel polygon: .*${what.replace(/^rpcUrls must.*/, 'must be a list of http')}`,
      )
      assert.throws(
        () => readEvmSettings({ ...good, ...changes }),
        (error: unknown) => error instanceof SettingError && said.test(error.message),
      )
    })
})
