// Outgoing payments in coin, by a signer whose answers a test gives.

import { systemClock } from '../../src/platform/base/clock.ts'
import type { ChannelStore } from '../../src/rails/contract/store.ts'
import type { Rpc } from '../../src/rails/protocols/evm/json-rpc.ts'
import { openNodes } from '../../src/rails/protocols/evm/nodes.ts'
import { sendOutgoing } from '../../src/rails/protocols/evm/outgoing.ts'
import { addOutgoing, findOutgoing, newOutgoing } from '../../src/rails/protocols/evm/outgoing-records.ts'
import type { Signer, SignerAnswer } from '../../src/rails/protocols/evm/signer.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { makeReference } from '../contracts/channel-driver.ts'
import type { OpenDatabase } from '../harness/harness.ts'
import { CHAIN_ID, type FakeChain } from './fake-evm.ts'

export const payout = {
  token: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  units: 5_000n,
} as const

export type Round = {
  /** The account that the settings name. */
  readonly from: string
  readonly chain: FakeChain
  readonly nodes: readonly Rpc[]
  readonly answers?: readonly SignerAnswer[]
  /** The store of a process that dies in this round. */
  readonly over?: ChannelStore
}

export type FakeOutgoing = {
  readonly store: ChannelStore
  /** The nonces that the signer was asked to use, by payout. */
  readonly asked: ReadonlyMap<string, number>
  /** Plans a payout, which then waits for the signer. */
  plan(units?: bigint): Promise<string>
  round(round: Round): Promise<void>
  stateOf(id: string): Promise<string | undefined>
}

export function openOutgoing({ db }: OpenDatabase): FakeOutgoing {
  const store = openStore({ db, clock: systemClock }, `outgoing-${makeReference()}`)
  const asked = new Map<string, number>()
  return {
    store,
    asked,
    async plan(units = payout.units) {
      const id = makeReference()
      const what = { coin: 'USDC', ...payout, units, amount: 500n, currency: 'USD' }
      await store.write(addOutgoing(newOutgoing({ id, purpose: 'payout', reference: id, ...what })))
      return id
    },
    async round({ from, chain, nodes, answers = [], over = store }) {
      const { signal } = new AbortController()
      const signer: Signer = {
        asked: async () => new Set(asked.keys()),
        ask: async (id, request) => void asked.set(id, Number(Object(request).nonce)),
        answers: async () => answers,
        finish: async () => {},
        check: async () => ({ isRight: true, message: '' }),
      }
      const head = await openNodes(nodes, CHAIN_ID).head(signal)
      const settings = { chainId: CHAIN_ID, network: 'TESTNET', coins: new Map() }
      const outgoing = { from, folder: '/signer' }
      await sendOutgoing({ store: over, settings, outgoing, signer, head, final: chain.finalized, signal })
    },
    stateOf: async (id) => (await findOutgoing(store, id))?.state,
  }
}
