// A real EVM chain in its own process, with real ERC-20 tokens. A block is mined only when a test asks for it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { withChecksum } from '../../src/rails/toolkit/formats/chain-address.ts'
import { chainHome as home } from './provide-chain.ts'

const PRESET = '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json'

/** The fees are constant, so that a transaction that is mined again in another block has the same hash. */
const fees = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x3b9aca00' }

export type EvmChain = {
  readonly url: string
  readonly chainId: number
  /** An account with coin that the node signs for. */
  readonly payer: string
  readonly other: string
  call(method: string, params?: readonly unknown[]): Promise<unknown>
  mine(blocks?: number): Promise<void>
  /** Deploys a token with 18 decimals, all of which the payer owns. */
  deployToken(): Promise<string>
  /** Sends tokens in a transaction that is mined at once, and returns its hash. */
  sendToken(token: string, to: string, units: bigint): Promise<string>
  sendCoin(to: string, units: bigint): Promise<string>
  /** Takes a snapshot of the chain, and returns a function that reverts the chain to it. */
  remember(): Promise<() => Promise<void>>
  close(): Promise<void>
}

export async function startEvmChain(): Promise<EvmChain> {
  const child = spawn(process.execPath, [join(home, 'chain-process.mjs')], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = `http://127.0.0.1:${await portOf(child)}`
  const call = (method: string, params: readonly unknown[] = []) => callNode(url, method, params)
  const accounts = await call('eth_accounts')
  assert.ok(Array.isArray(accounts))
  const [payer, other] = accounts.map(String)
  assert.ok(payer !== undefined && other !== undefined)

  async function send(transaction: object): Promise<string> {
    const hash = String(await call('eth_sendTransaction', [{ from: payer, ...fees, ...transaction }]))
    await call('evm_mine')
    return hash
  }
  return {
    url,
    chainId: Number(await call('eth_chainId')),
    payer,
    other,
    call,
    mine: async (blocks = 1) => {
      // A single call of hardhat_mine for many blocks is not used, because a block is then not always the parent of the
      // next.
      for (let block = 0; block < blocks; block += 1) await call('evm_mine')
    },
    async deployToken() {
      const hash = await send({ data: tokenCode(payer), gas: '0x300000' })
      const receipt = await call('eth_getTransactionReceipt', [hash])
      assert.ok(typeof receipt === 'object' && receipt !== null && 'contractAddress' in receipt)
      return withChecksum(String(receipt.contractAddress))
    },
    sendToken: (token, to, units) =>
      send({ to: token, data: `0xa9059cbb${word(BigInt(to))}${word(units)}`, gas: '0x30000' }),
    sendCoin: (to, units) => send({ to, value: `0x${units.toString(16)}` }),
    async remember() {
      const snapshot = await call('evm_snapshot')
      return async () => {
        assert.equal(await call('evm_revert', [snapshot]), true)
      }
    },
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function portOf({ stdout }: ChildProcess): Promise<string> {
  assert.ok(stdout)
  for await (const line of createInterface(stdout)) {
    const [, port] = /^ready (\d+)$/.exec(line) ?? []
    if (port !== undefined) return port
  }
  throw new Error('the chain did not start')
}

async function callNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const answer: { result?: unknown; error?: { message?: string } } = Object(await response.json())
  assert.equal(answer.error, undefined, `${method}: ${answer.error?.message}`)
  return answer.result
}

/** Returns the compiled preset with its arguments: name, symbol, supply, owner. */
function tokenCode(owner: string): string {
  const preset: { bytecode: string } = JSON.parse(readFileSync(join(home, 'node_modules', PRESET), 'utf8'))
  const name = textWords('Test Dollar')
  const symbol = textWords('TUSD')
  const heads = [128n, 128n + BigInt(name.length / 2), 10n ** 30n, BigInt(owner)].map(word)
  return `${preset.bytecode}${heads.join('')}${name}${symbol}`
}

/** Encodes the length, then the text padded to 32 bytes. */
function textWords(text: string): string {
  return word(BigInt(text.length)) + Buffer.from(text).toString('hex').padEnd(64, '0')
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}
