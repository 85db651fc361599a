// Reads the blocks that are not final yet, so that the payer's page shows the transfer and its confirmations. A
// transfer in such a block is recorded as `seen` and is not money: each round replaces the records, and a reorg removes
// a transfer with its block.

import type { ChannelRecord, ChannelStore, RecordChange } from '../../contract/store.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { type BlockTransfers, type FoundTransfer, findBlock, readNativeTransfers } from './chain.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import { type Head, MAX_LAG } from './nodes.ts'
import { findTokens, type Range, type Search } from './read-range.ts'
import { readTransfer, type StoredTransfer, toTransfer, transferKey } from './records.ts'

type SeenJob = {
  readonly store: ChannelStore
  readonly head: Head
  readonly search: Search
  /** The blocks after the last final block. */
  readonly range: Range
  readonly window: NativeWindow
  readonly signal: AbortSignal
}

/**
 * Stores the transfers of the range as `seen`, in one write with the record that `progress` returns. If some blocks are
 * still unread, calls `progress` with false, and throws after the write.
 */
export async function readSeenBlocks(
  job: SeenJob,
  progress: (isWhole: boolean) => RecordChange,
): Promise<void> {
  const { store, search, range } = job
  const isEmpty = range.from > range.to || search.references.size === 0
  const { found, nativeFrom } = isEmpty ? { found: [], nativeFrom: range.from } : await findSeen(job)
  const seen = found.flatMap((one) => withReference(one, search))
  const unread = nativeFrom - range.from
  // If the block of a transfer was not read, its record stays, and keeps the payment open.
  const isUnread = ({ token, block }: StoredTransfer) =>
    block > range.to || (token === 'native' && block >= range.from && block < nativeFrom)
  const stored = (await listAll(store, 'seen')).filter((record) => !isUnread(readTransfer(record)))
  const current = new Map(seen.map((one) => [transferKey(one), one]))
  const missing = stored.filter(({ key, body }) => current.get(key)?.blockHash !== body.blockHash)
  const gone = await findGone(job, missing)
  const changes = [
    ...gone.map(({ kind, key }) => ({ remove: { kind, key } })),
    ...seen.map((one) => ({ put: toTransfer('seen', one) })),
    progress(unread === 0),
  ]
  // All payments with a seen transfer are queried, because each new block is another confirmation of it.
  const references = [
    ...gone.flatMap(({ reference }) => reference ?? []),
    ...seen.map((one) => one.reference),
  ]
  await store.write(changes, [...new Set(references)])
  if (unread > 0)
    throw new RpcFailure(
      'unavailable',
      `${unread} blocks that are not final are still to be read for the native coin`,
    )
}

/**
 * Returns the records that may be removed. A lagging machine returns no logs of the newest blocks. So a missing token
 * transfer is removed only in three cases: it is recorded as money, a reorg replaced its block, or its block has been
 * final for so long that its logs were read again.
 */
async function findGone(
  { store, head, range, signal }: SeenJob,
  missing: readonly ChannelRecord[],
): Promise<ChannelRecord[]> {
  const hashes = new Map<number, string | undefined>()
  const gone: ChannelRecord[] = []
  for (const record of missing) {
    const { token, block, blockHash } = readTransfer(record)
    const isRecent = token !== 'native' && block >= range.from - 2 * MAX_LAG
    if (isRecent && !hashes.has(block))
      hashes.set(block, await head.any(async (rpc) => (await findBlock(rpc, block, signal))?.hash))
    // If a machine lacks the block, the block may still be in the chain, so the transfer stays.
    const hash = hashes.get(block) ?? blockHash
    const counts = (await store.find({ kind: 'transfer', key: record.key })) !== undefined
    if (!isRecent || counts || hash !== blockHash) gone.push(record)
  }
  return gone
}

function findSeen({ head, search, range, window, signal }: SeenJob) {
  return head.any(async (rpc) => {
    const tokens = await findTokens(rpc, range, search, signal)
    if (!search.hasNative) return { found: tokens, nativeFrom: range.from }
    const { found, from } = await window.read(rpc, range, search, signal)
    return { found: [...tokens, ...found], nativeFrom: from }
  })
}

function withReference(found: FoundTransfer, { references }: Search): StoredTransfer[] {
  const reference = references.get(found.to)
  return reference === undefined ? [] : [{ ...found, reference }]
}

/**
 * A cache of native transfers. Each round reads the newest block, and those older blocks that are not cached or that a
 * reorg replaced.
 */
export type NativeWindow = {
  /**
   * Reads back from the newest block. `from` in the result is the oldest block that was read. If more blocks are unread
   * than one round may read, `from` is later than the start of the range.
   */
  read(rpc: Rpc, range: Range, search: Search, signal: AbortSignal): Promise<NativeFound>
}

type NativeFound = { readonly found: readonly FoundTransfer[]; readonly from: number }

/**
 * The maximum number of blocks that are read per round. If finality takes thousands of blocks, it takes several rounds
 * after a start to read them all.
 */
const MAX_READ = 300

export function openNativeWindow(): NativeWindow {
  let blocks = new Map<number, BlockTransfers>()
  return {
    async read(rpc, { from, to }, { references }, signal) {
      const addresses = new Set(references.keys())
      // Blocks that are older than a gap stay in the cache. Once the gap is filled, they are used again if the parent
      // hashes match.
      blocks = new Map([...blocks].filter(([number]) => number >= from && number <= to))
      const found: FoundTransfer[] = []
      let hash: string | undefined
      let left = MAX_READ
      let number = to
      for (; number >= from; number -= 1) {
        let block = blocks.get(number)
        if (block === undefined || block.head.hash !== hash) {
          if (left === 0) break
          left -= 1
          block = await readNativeTransfers(rpc, number, addresses, signal)
          blocks.set(number, block)
        }
        hash = block.head.parentHash
        found.push(...block.found)
      }
      return { found, from: number + 1 }
    },
  }
}
