// A channel of the protocol evm on a local chain, behind two nodes that can be made faulty.
import assert from 'node:assert/strict'
import { HDKey } from '@scure/bip32'
import { type FaultyNode, startFaultyNode } from '../../sandbox/evm/faulty-node.ts'
import { parseRate } from '../../src/platform/base/money.ts'
import type { Channel, Outcome, PayerAction, StartRequest } from '../../src/rails/contract/channel.ts'
import type { Connection } from '../../src/rails/contract/protocol.ts'
import type { ChannelStore } from '../../src/rails/contract/store.ts'
import { evm } from '../../src/rails/protocols/evm/evm.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { makeReference } from '../contracts/channel-driver.ts'
import { cloneDatabase } from '../harness/harness.ts'
import { toolsWith } from './connect-entry.ts'
import { type EvmChain, startEvmChain } from './evm-chain.ts'

export const CONFIRMATIONS = 4
/** One dollar of the test token, which has 18 decimals. */
export const DOLLAR = 10n ** 18n

export type EvmWatch = {
  readonly chain: EvmChain
  /** The contract of the test token, which the settings call USDC. */
  readonly token: string
  readonly nodes: readonly [FaultyNode, FaultyNode]
  connect(more?: object): Watched
  close(): Promise<void>
}

export type Watched = {
  readonly channel: Channel
  readonly connection: Connection
  readonly store: ChannelStore
  /** The warnings in the log. */
  readonly warnings: readonly object[]
  /** Runs one round of the watcher. */
  round(): Promise<void>
  /** Opens a payment of 10.00 USD. */
  open(details?: object): Promise<Opened>
  outcome(reference: string): Promise<Outcome>
}

export type Opened = { readonly reference: string; readonly address: string; readonly action: PayerAction }

export const money = { amount: 1_000n, currency: 'USD' }

/** The clock of all connections; tests move it. */
export const clock = { now: () => new Date(Date.now() + clock.shiftMs), shiftMs: 0 }

export async function openEvmWatch(): Promise<EvmWatch> {
  // A new chain begins at the present time, and another file of this process may have moved the clock.
  clock.shiftMs = 0
  const [chain, database] = await Promise.all([startEvmChain(), cloneDatabase()])
  const token = await chain.deployToken()
  const nodes = [await startFaultyNode(chain.url), await startFaultyNode(chain.url)] as const
  let count = 0
  return {
    chain,
    token,
    nodes,
    connect(more = {}) {
      count += 1
      const seed = new Uint8Array(32).fill(count)
      const { publicExtendedKey: xpub } = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'")
      const settings = {
        name: `chain-${count}`,
        protocol: 'evm',
        methods: ['crypto'],
        payoutKinds: [],
        network: 'POLYGON',
        chainId: chain.chainId,
        rpcUrls: nodes.map(({ url }) => url),
        xpub,
        confirmations: CONFIRMATIONS,
        coins: { USDC: { address: token, decimals: 18, price: '1' }, ETH: { native: true } },
        ...more,
      } as const
      return watch(settings, openStore({ db: database.db, clock }, settings.name))
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await chain.close()
      await database.drop()
    },
  }
}

function watch(settings: Parameters<typeof evm>[0], store: ChannelStore): Watched {
  const rates: Readonly<Record<string, string>> = { 'USD USD': '1', 'ETH USD': '3200' }
  const warnings: object[] = []
  const tools = toolsWith({
    clock,
    timeoutMs: 5_000,
    rateOf: (from, to) => parseRate(rates[`${from} ${to}`] ?? ''),
    log: { warn: (details) => warnings.push(details) },
    storeOf: () => store,
  })
  const connection = evm(settings, tools)
  const [channel] = connection.channels
  assert.ok(channel)
  return {
    channel,
    connection,
    store,
    warnings,
    async round() {
      await connection.watcher?.work(new AbortController().signal)
    },
    async open(details = {}) {
      const request = aRequest(details)
      const outcome = await channel.start(request)
      assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'crypto', JSON.stringify(outcome))
      return { reference: request.reference, address: outcome.action.account, action: outcome.action }
    },
    outcome: (reference) => channel.ask({ reference, money }),
  }
}

export function aRequest(details: object = {}): StartRequest {
  return {
    reference: makeReference(),
    money,
    merNo: 10_001,
    personal: {},
    details: { coin: 'USDC', network: 'POLYGON', ...details },
    terminal: 'WEB',
    merchantName: 'Test shop',
    expiresAt: new Date(clock.now().getTime() + 3_600_000),
    completeUrl: 'http://127.0.0.1:1/pay/token/complete',
    callbackUrl: 'http://127.0.0.1:1/callbacks/test',
  }
}

/** Returns the deposits that count so far, such as ['1000 USD']. */
export function counted(outcome: Outcome): string[] {
  const deposits = 'deposits' in outcome ? (outcome.deposits ?? []) : []
  return deposits.map(({ money: { amount, currency } }) => `${amount} ${currency}`)
}

export function confirmationsOf(outcome: Outcome): number | undefined {
  const action = 'action' in outcome ? outcome.action : undefined
  return action?.kind === 'crypto' ? action.confirmations : undefined
}
