// The mempool of a chain that a test writes, by the rules of geth: one transaction for each nonce of an account, a
// replacement only if both of its fees are a tenth higher, and blocks take the transactions in order.
import assert from 'node:assert/strict'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { RpcFailure } from '../../src/rails/protocols/evm/json-rpc.ts'
import { MAX_LAG } from '../../src/rails/protocols/evm/nodes.ts'
import { signTransaction } from '../builders/evm-transaction.ts'
import { type FakeChain, type FakeNode, fakeChain, fakeNode, hashOf } from './fake-evm.ts'

export type Account = { readonly address: string; readonly key: Uint8Array }

export type Payment = {
  readonly account: Account
  readonly nonce: number
  readonly fee: number
  readonly tip: number
  readonly gas?: number
  /** The token, its recipient, and the amount. */
  readonly token: string
  readonly to: string
  readonly units: bigint
}

export type FakePool = {
  readonly chain: FakeChain
  readonly nodes: readonly FakeNode[]
  /** Signs a transaction without sending it to a node. */
  sign(payment: Payment): string
  /** Sends a transaction to a node, as a wallet does. */
  send(raw: string): void
  /** Mines a block with every transaction that can be included. Returns the payments, such as ['0xf39f… 5000']. */
  mine(): string[]
  /** Makes all blocks final, and so old that every machine of a node has them. */
  finish(): void
}

type Waiting = Payment & { readonly raw: string; readonly hash: string }
type Mined = Waiting & { readonly block: number }

const INTRINSIC_GAS = 21_000

/** Opens a mempool in which accounts have used all nonces before `first`. */
export function openPool(first: number): FakePool {
  const signed = new Map<string, Waiting>()
  const waiting = new Map<string, Waiting>()
  const mined: Mined[] = []
  const chain = fakeChain({
    countAt: (block, account) => {
      const inBlocks = first + mined.filter((one) => isOf(one, account) && one.block <= block).length
      return block > chain.head ? inBlocks + ready(account, inBlocks).length : inBlocks
    },
  })
  const isOf = ({ account }: Waiting, address: string) => account.address === address

  /** Returns the transactions of an account without a nonce gap before them. */
  function ready(account: string, next: number): Waiting[] {
    const one = waiting.get(`${account} ${next}`)
    return one === undefined ? [] : [one, ...ready(account, next + 1)]
  }

  function send(raw: string): void {
    const sent = signed.get(raw) ?? assert.fail('only what was signed here is sent')
    const { nonce, fee, tip, gas = INTRINSIC_GAS, account, hash } = sent
    const place = `${account.address} ${nonce}`
    const other = waiting.get(place)
    const next = chain.countAt(chain.head, account.address)
    if (other?.hash === hash) throw refused('already known')
    if (nonce < next) throw refused(`nonce too low: next nonce ${next}, tx nonce ${nonce}`)
    if (gas < INTRINSIC_GAS) throw refused(`intrinsic gas too low: have ${gas}, want ${INTRINSIC_GAS}`)
    if (other !== undefined && (fee * 10 < other.fee * 11 || tip * 10 < other.tip * 11))
      throw refused('replacement transaction underpriced')
    waiting.set(place, sent)
  }

  const nodes = ['a', 'b'].map((host) =>
    fakeNode(chain, host, (method, answer, [raw]) => {
      if (method === 'eth_sendRawTransaction') send(String(raw))
      return answer
    }),
  )
  return {
    chain,
    nodes,
    send,
    sign(payment) {
      const { account, nonce, fee, tip, gas = INTRINSIC_GAS, token, to, units } = payment
      const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')
      const data = bytes(`0xa9059cbb${word(to)}${word(`0x${units.toString(16)}`)}`)
      const raw = signTransaction({ key: account.key, nonce, fee, tip, gas, to: bytes(token), data })
      const hash = `0x${Buffer.from(keccak_256(bytes(raw))).toString('hex')}`
      signed.set(raw, { ...payment, raw, hash })
      return raw
    },
    mine() {
      const accounts = new Set([...waiting.values()].map(({ account }) => account.address))
      const taken = [...accounts].flatMap((one) => ready(one, chain.countAt(chain.head, one)))
      chain.head += 1
      for (const one of taken) {
        waiting.delete(`${one.account.address} ${one.nonce}`)
        mined.push({ ...one, block: chain.head })
        chain.receipts.set(one.hash, receiptOf(one, chain.head))
      }
      return taken.map(({ to, units }) => `${to} ${units}`)
    },
    finish() {
      chain.finalized = chain.head
      chain.head += MAX_LAG
    },
  }
}

function receiptOf({ token, account, to, units }: Waiting, block: number): object {
  const topics = [TRANSFER, `0x${word(account.address)}`, `0x${word(to)}`]
  const log = { address: token, topics, data: `0x${units.toString(16)}`, logIndex: '0x0' }
  const cost = { gasUsed: '0x5208', effectiveGasPrice: '0x1' }
  return {
    blockHash: hashOf(block),
    blockNumber: `0x${block.toString(16)}`,
    status: '0x1',
    ...cost,
    logs: [log],
  }
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (hex: string) => hex.slice(2).padStart(64, '0')
const refused = (why: string) => new RpcFailure('refused', why)
