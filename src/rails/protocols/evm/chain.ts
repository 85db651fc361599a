// Reads heads, blocks, transfers and receipts from one node. All fields are validated, except a receipt's logs.
import { type Fields, isObject } from '../../../platform/base/object.ts'
import {
  addressTopic,
  decimalsData,
  findQuantity,
  readAddress,
  readHash,
  readNumber,
  readQuantity,
  TRANSFER_TOPIC,
  topicAddress,
  toQuantity,
} from './hex.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import type { Finality } from './settings.ts'

export type BlockHead = {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly at: Date
}

export type FoundTransfer = {
  readonly txHash: string
  /** The index of the log in the block. Undefined for the native coin, which has no logs. */
  readonly logIndex: number | undefined
  /** The contract of the transferred token, or 'native' for the network's own coin. */
  readonly token: string
  readonly from: string
  readonly to: string
  readonly units: bigint
  readonly block: number
  readonly blockHash: string
}

export type Receipt = {
  readonly blockHash: string
  readonly blockNumber: number
  readonly isSuccess: boolean
  /**
   * The fee in the smallest unit of the native coin, for display only. Undefined if the receipt lacks the gas or its
   * price.
   */
  readonly gasFee: bigint | undefined
  readonly logs: readonly Fields[]
}

export type LogQuery = {
  /** The tokens' contracts. If undefined, the query is for all contracts. */
  readonly tokens: readonly string[] | undefined
  readonly addresses: readonly string[]
  /**
   * Our addresses, if there are too many of them for a filter. The node then sends every transfer of the tokens, and
   * this module drops the transfers to other addresses.
   */
  readonly wanted?: ReadonlyMap<string, unknown>
  readonly from: number
  readonly to: number
}

export async function readChainId(rpc: Rpc, signal: AbortSignal): Promise<number> {
  return readNumber(await rpc.call('eth_chainId', [], signal), 'the chain id')
}

export async function readHeadNumber(rpc: Rpc, signal: AbortSignal): Promise<number> {
  return readNumber(await rpc.call('eth_blockNumber', [], signal), 'the head')
}

export async function readBlock(rpc: Rpc, which: number | Finality, signal: AbortSignal): Promise<BlockHead> {
  const block = await findBlock(rpc, which, signal)
  if (block === undefined) throw notYet(rpc, which)
  return block
}

/** Returns the block. Undefined if the node lacks the block. */
export async function findBlock(
  rpc: Rpc,
  which: number | Finality,
  signal: AbortSignal,
): Promise<BlockHead | undefined> {
  const tag = typeof which === 'number' ? toQuantity(which) : which
  const block = await rpc.call('eth_getBlockByNumber', [tag, false], signal)
  return isObject(block) ? headOf(rpc, block, which) : undefined
}

/**
 * Returns the head of the block. Undefined for a block before `which`, because some nodes send their newest block if
 * they lack the requested one.
 */
function headOf({ host }: Rpc, block: Fields, which: number | Finality): BlockHead | undefined {
  const head = toHead(block)
  if (typeof which !== 'number' || head.number === which) return head
  if (head.number < which) return undefined
  throw malformed(`${host} sent another block than ${which}`)
}

/**
 * Reads the transfers of native coin in a block. If a contract sends the coin, the transfer has no transaction of its
 * own in the block. So the transfer is not found and does not count.
 */
export async function readNativeTransfers(
  rpc: Rpc,
  number: number,
  addresses: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<BlockTransfers> {
  const block = await rpc.call('eth_getBlockByNumber', [toQuantity(number), true], signal)
  const head = isObject(block) ? headOf(rpc, block, number) : undefined
  if (!isObject(block) || head === undefined) throw notYet(rpc, number)
  // A list of hashes instead of transactions is refused, because hashes do not show the receivers.
  if (!Array.isArray(block.transactions) || !block.transactions.every(isObject))
    throw malformed(`${rpc.host} sent a block without its transactions`)
  const found = block.transactions.flatMap((entry) =>
    typeof entry.to === 'string' && addresses.has(entry.to.toLowerCase()) ? toNative(entry, head) : [],
  )
  return { head, found }
}

export type BlockTransfers = { readonly head: BlockHead; readonly found: readonly FoundTransfer[] }

function toNative(entry: Fields, { number: block, hash: blockHash }: BlockHead): FoundTransfer[] {
  const units = readQuantity(entry.value, 'a value')
  if (units === 0n) return []
  const txHash = readHash(entry.hash, 'a transaction')
  const from = readAddress(entry.from, 'a sender')
  const to = readAddress(entry.to, 'a receiver')
  return [{ txHash, logIndex: undefined, token: 'native', from, to, units, block, blockHash }]
}

function notYet({ host }: Rpc, which: number | string): RpcFailure {
  return new RpcFailure('unavailable', `${host} has no block ${which} yet`)
}

function toHead(block: Fields): BlockHead {
  return {
    number: readNumber(block.number, 'the block'),
    hash: readHash(block.hash, "the block's hash"),
    parentHash: readHash(block.parentHash, "the block's parent"),
    at: new Date(readNumber(block.timestamp, "the block's time") * 1000),
  }
}

/**
 * Reads the transfers of tokens. If the node refuses a query, does not answer it, or may have cut the list of logs, the
 * query is repeated in two halves. So no transfer of a listed token is skipped.
 */
export async function readTokenTransfers(
  rpc: Rpc,
  query: LogQuery,
  signal: AbortSignal,
  { lost, cap }: Bounds = { lost: MAX_LOST },
): Promise<FoundTransfer[]> {
  const halves = halve(query)
  let bounds: Bounds
  try {
    const { found, length } = await readLogs(rpc, query, signal)
    if (!mayBeCut(query, length, cap) || halves === undefined) return found
    bounds = { lost, cap: length }
  } catch (error) {
    bounds = { lost: isRefused(error) ? lost : lost - 1, cap }
    if (!isTooMuch(error) || bounds.lost < 0 || signal.aborted || halves === undefined) throw error
  }
  const found: FoundTransfer[] = []
  for (const half of halves) found.push(...(await readTokenTransfers(rpc, half, signal, bounds)))
  return found
}

/**
 * `lost` is how many more times an unanswered query may be halved. `cap` is set if the node may have cut the list of
 * the whole query, and is the length of that list.
 */
type Bounds = { readonly lost: number; readonly cap?: number | undefined }

/**
 * True if a smaller query may succeed. Nodes refuse large queries with various error codes, or just close the
 * connection.
 */
function isTooMuch(error: unknown): boolean {
  return isRefused(error) || (error instanceof RpcFailure && error.kind === 'unavailable')
}

function isRefused(error: unknown): boolean {
  return error instanceof RpcFailure && error.kind === 'refused'
}

/**
 * How many times in a row an unanswered query may be halved. The number is small, because each call may last until its
 * time-out.
 */
const MAX_LOST = 3

/**
 * Halves the query by blocks. A query for a single block is halved by addresses, which are then part of the filter.
 * Undefined if the query has one block and at most one address.
 */
export function halve({ wanted, ...query }: LogQuery): readonly LogQuery[] | undefined {
  const { from, to } = query
  if (from < to) {
    const middle = Math.floor((from + to) / 2)
    const all = { ...query, ...(wanted !== undefined && { wanted }) }
    return [
      { ...all, to: middle },
      { ...all, from: middle + 1 },
    ]
  }
  const addresses = wanted === undefined ? query.addresses : [...wanted.keys()]
  if (addresses.length < 2) return undefined
  const half = addresses.length >> 1
  return [
    { ...query, addresses: addresses.slice(0, half) },
    { ...query, addresses: addresses.slice(half) },
  ]
}

/**
 * Some nodes cut a list of logs without an error, at a multiple of one of these lengths, such as 1,000. Anybody can
 * make a list that long with transfers of zero.
 */
const CUTS = [100, 1_024]

/**
 * True if the node may have cut the list. For a half of a query, `cap` is the length at which the list of the whole
 * query may have been cut: the node would cut the half at the same length, so a shorter list is complete. Somebody who
 * makes a list long on purpose only causes a few more calls. The search for unlisted tokens (`tokens` is undefined)
 * finds no money, so it is not repeated.
 */
function mayBeCut({ tokens }: LogQuery, length: number, cap: number | undefined): boolean {
  if (tokens === undefined || length === 0) return false
  return cap === undefined ? CUTS.some((cut) => length % cut === 0) : length >= cap
}

type Logs = { readonly found: FoundTransfer[]; readonly length: number }

async function readLogs(rpc: Rpc, query: LogQuery, signal: AbortSignal): Promise<Logs> {
  const { tokens, addresses, from, to } = query
  const receivers = query.wanted === undefined ? [null, addresses.map(addressTopic)] : []
  const filter = {
    ...(tokens !== undefined && { address: tokens }),
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
    topics: [TRANSFER_TOPIC, ...receivers],
  }
  const logs = await rpc.call('eth_getLogs', [filter], signal)
  if (!Array.isArray(logs)) throw malformed(`${rpc.host} sent no list of logs`)
  const asked = new Set(addresses)
  const read = tokens === undefined ? toStrange : toTransfer
  return { found: logs.flatMap((log) => read(log, query, asked)), length: logs.length }
}

/**
 * Reads a log of any contract. Skips malformed logs, because anybody can deploy a contract that writes malformed logs.
 */
function toStrange(log: unknown, query: LogQuery, asked: ReadonlySet<string>): FoundTransfer[] {
  try {
    return toTransfer(log, query, asked)
  } catch (error) {
    if (error instanceof RpcFailure) return []
    throw error
  }
}

/**
 * Reads a log. Returns an empty list if the log is not a transfer to us, or is a transfer of zero. A log with a fourth
 * topic is about a non-fungible token, which uses the same event.
 */
function toTransfer(log: unknown, query: LogQuery, asked: ReadonlySet<string>): FoundTransfer[] {
  if (!isObject(log) || !Array.isArray(log.topics)) throw malformed('a log has no topics')
  if (log.removed === true || log.topics.length !== 3 || log.topics[0] !== TRANSFER_TOPIC) return []
  const token = readAddress(log.address, "a log's contract")
  const to = topicAddress(log.topics[2], 'a receiver')
  if (query.wanted?.has(to) === false) return []
  const block = readNumber(log.blockNumber, "a log's block")
  if (block < query.from || block > query.to || (query.wanted === undefined && !asked.has(to)))
    throw malformed('the node sent logs that were not asked for')
  if (query.tokens?.includes(token) === false) throw malformed('the node sent logs of other contracts')
  const units = readQuantity(log.data, "a log's value")
  if (units === 0n) return []
  return [
    {
      txHash: readHash(log.transactionHash, "a log's transaction"),
      logIndex: readNumber(log.logIndex, "a log's index"),
      token,
      from: topicAddress(log.topics[1], 'a sender'),
      to,
      units,
      block,
      blockHash: readHash(log.blockHash, "a log's block hash"),
    },
  ]
}

/** Reads the receipt of a transaction. Undefined if the node knows no block that contains the transaction. */
export async function readReceipt(
  rpc: Rpc,
  txHash: string,
  signal: AbortSignal,
): Promise<Receipt | undefined> {
  const receipt = await rpc.call('eth_getTransactionReceipt', [txHash], signal)
  if (receipt === null) return undefined
  if (!isObject(receipt) || !Array.isArray(receipt.logs)) throw malformed('a receipt has no logs')
  return {
    blockHash: readHash(receipt.blockHash, "a receipt's block hash"),
    blockNumber: readNumber(receipt.blockNumber, "a receipt's block"),
    isSuccess: readQuantity(receipt.status, "a receipt's status") === 1n,
    gasFee: gasFeeOf(receipt),
    logs: receipt.logs.filter(isObject),
  }
}

/**
 * Returns the whole fee. Chains of the OP stack, such as Base, charge `l1Fee` for data on Ethereum in addition to the
 * gas.
 */
function gasFeeOf({ gasUsed, effectiveGasPrice, l1Fee }: Fields): bigint | undefined {
  const [used, price, data = 0n] = [gasUsed, effectiveGasPrice, l1Fee].map(findQuantity)
  return used === undefined || price === undefined ? undefined : used * price + data
}

function malformed(message: string): RpcFailure {
  return new RpcFailure('malformed', message)
}

export async function readDecimals(rpc: Rpc, token: string, signal: AbortSignal): Promise<number> {
  const answer = await rpc.call('eth_call', [{ to: token, data: decimalsData }, 'latest'], signal)
  if (answer === '0x')
    throw new RpcFailure('refused', `${rpc.host}: there is no token at ${token}: check "coins"`)
  return readNumber(answer, 'the number of decimals')
}
