// Reads the transfers of listed coins to our addresses in a range of blocks from one node. Native coin that a contract
// sends is not found.
import {
  type BlockHead,
  type FoundTransfer,
  type Receipt,
  readBlock,
  readNativeTransfers,
  readReceipt,
  readTokenTransfers,
} from './chain.ts'
import { readNumber } from './hex.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import { type StoredTransfer, transferKey } from './records.ts'

export type Search = {
  readonly tokens: readonly string[]
  readonly hasNative: boolean
  /** The references of our payments, by address in lower case. */
  readonly references: ReadonlyMap<string, string>
}

export type Range = { readonly from: number; readonly to: number }

export type FinalRange = {
  /** The hash of the last block in the range. */
  readonly hash: string
  readonly transfers: readonly StoredTransfer[]
}

/**
 * The number of addresses in a filter. Nodes accept at most a thousand values per topic, and some nodes accept fewer.
 */
const ADDRESSES_PER_CALL = 500
/**
 * The maximum number of addresses for a filter. With more addresses, fewer calls are needed to read all transfers of
 * the tokens without a filter.
 */
const MANY = 5_000

export function hasMany({ references }: Search): boolean {
  return references.size > MANY
}

/**
 * Returns the part of an answer on which nodes must agree. Fees are left out, because they are for display only, and
 * some nodes omit parts of them.
 */
export function withoutFees({ hash, transfers }: FinalRange): unknown {
  return { hash, transfers: transfers.map(({ gasFee: _, ...rest }) => rest) }
}

/**
 * Returns the transfers of successful transactions, with time and fee. Leaves out transfers whose key is in `known`.
 */
export async function readFinalRange(
  rpc: Rpc,
  range: Range,
  search: Search,
  signal: AbortSignal,
  known: ReadonlySet<string> = new Set(),
): Promise<FinalRange> {
  const { hash } = await readBlock(rpc, range.to, signal)
  const natives =
    search.hasNative && search.references.size > 0 ? await findNatives(rpc, range, hash, search, signal) : []
  // Duplicates are removed, because a node may return a log twice. Otherwise its answer would differ from the answers
  // of other nodes.
  const all = [...(await findTokens(rpc, range, search, signal)), ...natives]
  const found = new Map(all.map((one) => [transferKey(one), one]))
  const details = createDetails(rpc, signal)
  const transfers: StoredTransfer[] = []
  for (const [key, one] of found) {
    const transfer = known.has(key) ? undefined : await details(one, search)
    if (transfer !== undefined) transfers.push(transfer)
  }
  return { hash, transfers: transfers.sort(byPlace) }
}

/**
 * Finds the transfers of native coin. Throws if the blocks do not form a chain that ends with `hash`. A machine may
 * return blocks of a branch that a reorg has abandoned, and a payment may be missing in such blocks.
 */
async function findNatives(
  rpc: Rpc,
  { from, to }: Range,
  hash: string,
  { references }: Search,
  signal: AbortSignal,
): Promise<FoundTransfer[]> {
  const addresses = new Set(references.keys())
  const natives: FoundTransfer[] = []
  let expected = hash
  for (let number = to; number >= from; number -= 1) {
    const { head, found } = await readNativeTransfers(rpc, number, addresses, signal)
    if (head.hash !== expected) throw changed(rpc, number)
    expected = head.parentHash
    natives.push(...found)
  }
  return natives
}

function changed({ host }: Rpc, number: number): RpcFailure {
  return new RpcFailure('unavailable', `${host}: block ${number} changed while it was read`)
}

export async function findTokens(
  rpc: Rpc,
  { from, to }: Range,
  search: Search,
  signal: AbortSignal,
): Promise<FoundTransfer[]> {
  const { tokens, references } = search
  if (tokens.length === 0) return []
  if (hasMany(search))
    return readTokenTransfers(rpc, { tokens, addresses: [], wanted: references, from, to }, signal)
  const all = [...references.keys()]
  const found: FoundTransfer[] = []
  for (let at = 0; at < all.length; at += ADDRESSES_PER_CALL) {
    const addresses = all.slice(at, at + ADDRESSES_PER_CALL)
    found.push(...(await readTokenTransfers(rpc, { tokens, addresses, from, to }, signal)))
  }
  return found
}

/**
 * Returns a function that adds time, fee and the place of the log to a transfer. The function returns undefined if the
 * transaction failed, or if the receiver is none of our addresses. Each block and each receipt is read only once.
 */
function createDetails(rpc: Rpc, signal: AbortSignal) {
  const blocks = new Map<number, BlockHead>()
  const receipts = new Map<string, Receipt | undefined>()
  return async (found: FoundTransfer, { references }: Search): Promise<StoredTransfer | undefined> => {
    const { block: number, blockHash, txHash } = found
    const block = blocks.get(number) ?? (await readBlock(rpc, number, signal))
    const receipt = receipts.get(txHash) ?? (await readReceipt(rpc, txHash, signal))
    blocks.set(number, block)
    receipts.set(txHash, receipt)
    if (block.hash !== blockHash || receipt?.blockHash !== blockHash) throw changed(rpc, number)
    const reference = references.get(found.to)
    if (!receipt.isSuccess || reference === undefined) return undefined
    const place = placeIn(receipt, found.logIndex)
    const { gasFee } = receipt
    return {
      ...found,
      reference,
      at: block.at,
      ...(gasFee !== undefined && { gasFee }),
      ...(place !== undefined && { place }),
    }
  }
}

function placeIn({ logs }: Receipt, logIndex: number | undefined): number | undefined {
  if (logIndex === undefined) return undefined
  const place = logs.findIndex((log) => readNumber(log.logIndex, "a log's index") === logIndex)
  if (place >= 0) return place
  throw new RpcFailure('malformed', 'a receipt lacks a log of its transaction')
}

function byPlace(one: StoredTransfer, other: StoredTransfer): number {
  const [first, second] = [transferKey(one), transferKey(other)]
  return first < second ? -1 : first > second ? 1 : 0
}
