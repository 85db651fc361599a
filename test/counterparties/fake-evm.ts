// A chain that a test writes block by block, and nodes of it that may differ. Nothing about it is real: the test
// defines the transactions.
import assert from 'node:assert/strict'
import type { Rpc } from '../../src/rails/protocols/evm/json-rpc.ts'

export type FakeChain = {
  head: number
  finalized: number
  safe: number
  /** The time of the head. */
  headAt: Date
  /** The first block that a reorg replaced; the blocks from there on have other hashes. */
  replacedFrom: number
  /**
   * Returns the number of transactions that an account has sent, up to a block. Pending transactions are in the block
   * after the head.
   */
  countAt: (block: number, account: string) => number
  readonly logs: object[]
  readonly receipts: Map<string, object>
  /** The transactions by block number. */
  readonly transactions: Map<number, readonly object[]>
}

export function fakeChain(changes: Partial<FakeChain> = {}): FakeChain {
  return {
    head: 100,
    finalized: 90,
    safe: 90,
    headAt: new Date(),
    replacedFrom: Number.POSITIVE_INFINITY,
    countAt: () => 0,
    logs: [],
    receipts: new Map(),
    transactions: new Map(),
    ...changes,
  }
}

export type FakeNode = Rpc & {
  /** The calls so far, such as 'eth_blockNumber'. */
  readonly calls: string[]
}

/** Makes a node. `change` replaces the node's answers. */
export function fakeNode(
  chain: FakeChain,
  host = 'node',
  change: (method: string, answer: unknown, params: readonly unknown[]) => unknown = (_, answer) => answer,
): FakeNode {
  const calls: string[] = []
  return {
    host,
    calls,
    async call(method, params) {
      calls.push(method)
      return change(method, answerOf(chain, method, params), params)
    },
  }
}

export const CHAIN_ID = 137
/** The decimals of all tokens. */
const DECIMALS = 18

function answerOf(chain: FakeChain, method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_chainId':
      return hex(CHAIN_ID)
    case 'eth_blockNumber':
      return hex(chain.head)
    case 'eth_getBlockByNumber':
      return blockOf(chain, numberOf(chain, params[0]))
    case 'eth_getTransactionReceipt':
      return chain.receipts.get(String(params[0])) ?? null
    case 'eth_getTransactionCount':
      return hex(
        chain.countAt(params[1] === 'pending' ? chain.head + 1 : Number(params[1]), String(params[0])),
      )
    case 'eth_call':
      return hex(DECIMALS)
    case 'eth_getLogs':
      return logsIn(chain, Object(params[0]))
    case 'eth_estimateGas':
      return hex(60_000)
    case 'eth_maxPriorityFeePerGas':
      return hex(1)
    case 'eth_sendRawTransaction':
      return '0x'
    default:
      return assert.fail(`the fake chain does not know ${method}`)
  }
}

function logsIn({ logs }: FakeChain, filter: { fromBlock: string; toBlock: string }): object[] {
  return logs.filter((log) => {
    const block = 'blockNumber' in log ? Number(log.blockNumber) : -1
    return block >= Number(filter.fromBlock) && block <= Number(filter.toBlock)
  })
}

function numberOf({ head, safe, finalized }: FakeChain, block: unknown): number {
  if (block === 'latest') return head
  if (block === 'safe') return safe
  return block === 'finalized' ? finalized : Number(block)
}

function blockOf(chain: FakeChain, number: number): object {
  return {
    number: hex(number),
    hash: hashIn(chain, number),
    parentHash: hashIn(chain, number - 1),
    timestamp: hex(Math.floor(chain.headAt.getTime() / 1_000) - (chain.head - number)),
    baseFeePerGas: hex(7),
    transactions: chain.transactions.get(number) ?? [],
  }
}

export function hashIn({ replacedFrom }: FakeChain, block: number): string {
  return block < replacedFrom ? hashOf(block) : `0xf${hashOf(block).slice(3)}`
}

/** Returns the hash of a block. */
export function hashOf(number: number): string {
  return `0x${(number + 1).toString(16).padStart(64, '0')}`
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
