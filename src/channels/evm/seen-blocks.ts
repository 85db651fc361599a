// Reads the blocks that are not final yet, so that a payer sees that the transfer was noticed. What is read here is no money:
// each round replaces what the last one saw, and a transfer that left the chain is gone.
import type { ChannelStore, RecordChange } from '../store.ts'
import { type BlockTransfers, type FoundTransfer, readNativeTransfers } from './chain.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import type { Head } from './nodes.ts'
import { findTokens, type Range, type Search } from './read-range.ts'
import { listAll, type StoredTransfer, toTransfer, transferKey } from './records.ts'

export type SeenJob = {
  readonly store: ChannelStore
  readonly head: Head
  readonly search: Search
  /** The blocks after the last final one. */
  readonly range: Range
  readonly window: NativeWindow
  readonly signal: AbortSignal
}

export async function readSeenBlocks(job: SeenJob, more: readonly RecordChange[]): Promise<void> {
  const { store, head, search, range, signal } = job
  const isEmpty = range.from > range.to || search.references.size === 0
  const found = isEmpty
    ? []
    : await head.any(async (rpc) => [
        ...(await findTokens(rpc, range, search, signal)),
        ...(search.hasNative ? await job.window.read(rpc, range, search, signal) : []),
      ])
  const seen = found.flatMap((one) => withReference(one, search))
  const stored = await listAll(store, 'seen')
  const current = new Map(seen.map((one) => [transferKey(one), one]))
  const gone = stored.filter(({ key, body }) => current.get(key)?.blockHash !== body.blockHash)
  const changes = [
    ...gone.map(({ kind, key }) => ({ remove: { kind, key } })),
    ...seen.map((one) => ({ put: toTransfer('seen', one) })),
    ...more,
  ]
  // Each block is a further confirmation, which the payer's page shows.
  const references = [
    ...gone.flatMap(({ reference }) => reference ?? []),
    ...seen.map((one) => one.reference),
  ]
  await store.write(changes, [...new Set(references)])
}

function withReference(found: FoundTransfer, { references }: Search): StoredTransfer[] {
  const reference = references.get(found.to)
  return reference === undefined ? [] : [{ ...found, reference }]
}

/** The last blocks with transfers of the native coin. A block is read again only if another one took its place. */
export type NativeWindow = {
  read(rpc: Rpc, range: Range, search: Search, signal: AbortSignal): Promise<FoundTransfer[]>
}

/** The most blocks that are not final: a chain that is further behind is read once it goes on. */
const MAX_WINDOW = 300

export function openNativeWindow(): NativeWindow {
  let blocks = new Map<number, BlockTransfers>()
  return {
    async read(rpc, { from, to }, { references }, signal) {
      if (to - from >= MAX_WINDOW)
        throw new RpcFailure('unavailable', `more than ${MAX_WINDOW} blocks are not final yet`)
      const addresses = new Set(references.keys())
      const kept = new Map([...blocks].filter(([number]) => number >= from && number <= to))
      if (!kept.has(from)) kept.clear()
      let hash: string | undefined
      for (let number = to; number >= from; number -= 1) {
        const known = kept.get(number)
        if (known !== undefined && known.head.hash === hash) break
        const block = await readNativeTransfers(rpc, number, addresses, signal)
        kept.set(number, block)
        hash = block.head.parentHash
      }
      blocks = kept
      return [...kept.values()].flatMap(({ found }) => found)
    },
  }
}
