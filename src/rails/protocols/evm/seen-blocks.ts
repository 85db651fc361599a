// Reads the blocks that are not final yet, so that a payer sees that the transfer was noticed. What is read here is no money:
// each round replaces what the last one saw, and a transfer whose block left the chain is gone.

import { listAll } from '../list-all.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../store.ts'
import { type BlockTransfers, type FoundTransfer, findBlock, readNativeTransfers } from './chain.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import { MAX_LAG } from './newest-block.ts'
import type { Head } from './nodes.ts'
import { findTokens, type Range, type Search } from './read-range.ts'
import { readTransfer, type StoredTransfer, toTransfer, transferKey } from './records.ts'

export type SeenJob = {
  readonly store: ChannelStore
  readonly head: Head
  readonly search: Search
  /** The blocks after the last final one. */
  readonly range: Range
  readonly window: NativeWindow
  readonly signal: AbortSignal
}

/** `progress` is written with what was seen. It is told whether all blocks of the range were read. */
export async function readSeenBlocks(
  job: SeenJob,
  progress: (isWhole: boolean) => RecordChange,
): Promise<void> {
  const { store, search, range } = job
  const isEmpty = range.from > range.to || search.references.size === 0
  const { found, nativeFrom } = isEmpty ? { found: [], nativeFrom: range.from } : await findSeen(job)
  const seen = found.flatMap((one) => withReference(one, search))
  const unread = nativeFrom - range.from
  // A transfer in a block that is still to be read stays: it keeps its payment open.
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
  // Each block is a further confirmation, which the payer's page shows.
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
 * A machine that lags finds no logs in the newest blocks. A transfer of a token is gone if it counts by now, if another block is in the place of
 * its own, or if its block was final so long ago that its logs were read again.
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
    // A machine that cannot show the block says nothing about it.
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

/** The last blocks with transfers of the native coin. A block is read again only if another one took its place. */
export type NativeWindow = {
  /** From the newest block back to `from`, which is later than the range's if there was too much to read at once. */
  read(rpc: Rpc, range: Range, search: Search, signal: AbortSignal): Promise<NativeFound>
}

export type NativeFound = { readonly found: readonly FoundTransfer[]; readonly from: number }

/** Blocks of one round. Where finality takes thousands of blocks, the rounds after a start catch up. */
const MAX_READ = 300

export function openNativeWindow(): NativeWindow {
  let blocks = new Map<number, BlockTransfers>()
  return {
    async read(rpc, { from, to }, { references }, signal) {
      const addresses = new Set(references.keys())
      // Also those below a gap: they are believed again as soon as the blocks above lead to them.
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
