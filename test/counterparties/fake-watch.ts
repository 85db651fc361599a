// A channel of the protocol evm that watches a chain which a test writes.
import { HDKey } from '@scure/bip32'
import { parseRate } from '../../src/platform/base/money.ts'
import { createEvmChannel } from '../../src/rails/protocols/evm/channel.ts'
import type { Rpc } from '../../src/rails/protocols/evm/json-rpc.ts'
import { openNodes } from '../../src/rails/protocols/evm/nodes.ts'
import { toCharge, toWatch } from '../../src/rails/protocols/evm/records.ts'
import type { EvmCoin, EvmSettings } from '../../src/rails/protocols/evm/settings.ts'
import { createWatcher } from '../../src/rails/protocols/evm/watcher.ts'
import { openAddressBook } from '../../src/rails/toolkit/formats/chain-address.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import type { OpenDatabase } from '../harness/harness.ts'
import { CHAIN_ID, type FakeChain, hashIn } from './fake-evm.ts'

export const MINUTE_MS = 60_000
const account = HDKey.fromMasterSeed(new Uint8Array(32)).derive("m/44'/60'/0'")
const payer = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

export const coin = (name: string, token: string): EvmCoin => {
  return { name, token, decimals: { chain: 18, shown: 8 }, price: parseRate('1') }
}

const settings: EvmSettings = {
  network: 'TESTNET',
  chainId: CHAIN_ID,
  rpcUrls: [],
  addresses: openAddressBook(account.publicExtendedKey),
  confirmations: 'finalized',
  coins: new Map([['BNB', coin('BNB', 'native')]]),
  watchDays: 1,
  quietMinutes: 10,
  outgoing: undefined,
}

let count = 0
export function watchBy({ db }: OpenDatabase, rpcs: readonly Rpc[], changes: Partial<EvmSettings> = {}) {
  count += 1
  const clock = { now: () => new Date(Date.now() + clock.shiftMs), shiftMs: 0 }
  const store = openStore({ db, clock }, `watch-${count}`)
  const warnings: object[] = []
  const log = { warn: (details: object) => void warnings.push(details) }
  const alarms: string[] = []
  const alarm = (reference: string, what: string) => void alarms.push(`${reference}: ${what}`)
  const own = { ...settings, ...changes }
  const parts = { settings: own, store, clock }
  const nodes = openNodes(rpcs, CHAIN_ID)
  /** Makes a watcher like that of a restarted process, which has the same records and nothing else. */
  const restart = (over = store) =>
    createWatcher({ channel: 'test', ...parts, store: over, nodes, signer: undefined, log, alarm })
  const watcher = restart()
  const round = (by = watcher) => by.work(new AbortController().signal)
  const rateOf = () => parseRate('1')
  /** Makes a channel with changed settings that no round of the watcher has used yet. */
  const channelWith = (newer: Partial<EvmSettings>) =>
    createEvmChannel({
      name: 'test',
      ...parts,
      settings: { ...own, ...newer },
      timeoutMs: 1_000,
      rateOf,
    })
  return { store, clock, warnings, alarms, round, restart, channel: channelWith({}), channelWith }
}

export type FakeWatch = ReturnType<typeof watchBy>

/** Opens a payment of 1.00 USD with the address of this file, or another one. */
export async function open({ store, clock }: FakeWatch, asked = 'BNB', to = address): Promise<string> {
  const reference = to === address ? `A${count}` : `A${count}-${to}`
  const what = { coin: asked, index: 0, address: to, units: 10n ** 18n, amount: 100n, currency: 'USD' }
  const charge = { reference, ...what, isCancelled: false }
  const until = new Date(clock.now().getTime() + 60 * MINUTE_MS)
  await store.write([{ add: toCharge(charge) }, { add: toWatch(charge, until) }])
  return reference
}

export const cancel = ({ channel }: FakeWatch, reference: string) =>
  channel.cancel({ reference, money: { amount: 100n, currency: 'USD' } })

/** Pays the full amount in the native coin. */
export function pay(chain: FakeChain, block: number): string {
  const hash = hashOfTransaction(block)
  chain.transactions.set(block, [{ hash, from: payer, to: address, value: toHex(10n ** 18n) }])
  chain.receipts.set(hash, receiptOf(chain, block, []))
  return hash
}

/** Pays the full amount in a token. */
export function payToken(
  chain: FakeChain,
  token: string,
  block: number,
  index = 0,
  to: string = address,
): object {
  const word = (text: string) => `0x${text.slice(2).padStart(64, '0')}`
  const transactionHash = hashOfTransaction(block)
  const log = {
    address: token,
    topics: [TRANSFER, word(payer), word(to)],
    data: word(toHex(10n ** 18n)),
    blockNumber: toHex(block),
    blockHash: hashIn(chain, block),
    transactionHash,
    logIndex: toHex(index),
    removed: false,
  }
  const before = chain.logs.filter((one) => 'blockNumber' in one && one.blockNumber === log.blockNumber)
  chain.logs.push(log)
  chain.receipts.set(transactionHash, receiptOf(chain, block, [...before, log]))
  return log
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

function receiptOf(chain: FakeChain, block: number, logs: readonly object[]): object {
  const cost = { gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca00' }
  return { blockHash: hashIn(chain, block), blockNumber: toHex(block), status: '0x1', ...cost, logs }
}

const hashOfTransaction = (block: number) => `0x${(block + 7).toString(16).padStart(64, '0')}`
const toHex = (value: bigint | number) => `0x${value.toString(16)}`
