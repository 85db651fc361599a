// Reads final blocks. The transfers in them count as money.
//
// Invariant: a block's transfers are written together with the progress past that block, after enough nodes (see
// nodes.ts) gave the same answer. Only if the first reading missed a transfer, the transfer is written later. So a
// crash, an outage or one broken node of several can delay a transfer, but cannot lose it or count it twice. If the
// settings list only one node, that node must be right.

import type { ChannelTools } from '../../contract/settings.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../../contract/store.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { type BlockHead, readBlock } from './chain.ts'
import { type Head, MAX_LAG } from './nodes.ts'
import {
  type FinalRange,
  hasMany,
  type Range,
  readFinalRange,
  type Search,
  withoutFees,
} from './read-range.ts'
import {
  blockKey,
  coinKey,
  putProgress,
  readTransfer,
  type StoredTransfer,
  toTransfer,
  transferKey,
} from './records.ts'
import type { EvmSettings } from './settings.ts'

export type FinalJob = {
  readonly store: ChannelStore
  readonly settings: Pick<EvmSettings, 'chainId' | 'confirmations' | 'coins'>
  readonly head: Head
  /** The highest block that the nodes have returned since the last reorg of final blocks. */
  readonly top: number
  readonly search: Search
  /** When the chain was last read up to a current head. Reading final blocks does not change this time. */
  readonly readAt: Date
  /**
   * Called before the transfers are written. If the process dies before the write, it is called again for them. Never
   * throws.
   */
  readonly tell: (transfers: readonly StoredTransfer[]) => Promise<void>
  readonly alarm: ChannelTools['alarm']
  readonly signal: AbortSignal
}

/**
 * The maximum number of blocks per write. SMALL_STEP applies if the native coin is read, or if there are many
 * addresses.
 */
const TOKEN_STEP = 2_000
const SMALL_STEP = 50
/**
 * The logs of older blocks are read again after this many final blocks. With a higher number, a transfer that the first
 * reading missed is found later. With a lower number, more calls are made.
 */
const AGAIN_EVERY = 16
/** The number of stored block hashes, which show at which block a reorg began. */
const MAX_KEPT = 300

export async function readFinalNumber({ settings, head, signal }: FinalJob): Promise<number> {
  const { confirmations } = settings
  if (typeof confirmations === 'number') return head.number - confirmations + 1
  const reached = await head.reached(async (rpc) => (await readBlock(rpc, confirmations, signal)).number)
  return Math.min(head.number, reached)
}

/** Records the block at which reading begins. The channel gives out no address before this write. */
export async function beginProgress(job: FinalJob, final: number): Promise<void> {
  const number = Math.max(0, final)
  const { hash } = await agreedBlock(job, number)
  await job.store.write([addBlock(number, hash), progressTo(job, number)])
}

/** Reads the blocks after `read` up to `final`. `blocks` are the stored block hashes, with the oldest first. */
export async function readFinalBlocks(
  job: FinalJob,
  { read, final, blocks }: FinalBlocks & { readonly blocks: readonly ChannelRecord[] },
): Promise<void> {
  const { store, search } = job
  // Older logs are read again before the progress is written, so that a crash in between cannot skip them.
  const [oldest] = blocks
  if (oldest !== undefined) await readLogsAgain(job, { read, final }, Number(oldest.key) + 1)
  let kept = blocks.length
  for (const range of stepsOf(search, read + 1, final)) {
    const found = await agreedRange(job, range, search)
    kept += 1
    const old = kept > MAX_KEPT ? await oldBlocks(store, kept - MAX_KEPT) : []
    kept -= old.length
    await job.tell(found.transfers)
    await store.write([...changesOf(job, range, found), ...old], referencesOf(found))
  }
}

type FinalBlocks = { readonly read: number; readonly final: number }

/**
 * Reads the logs of older final blocks again. The machines behind a node's URL are some blocks apart. If a machine does
 * not have a block yet, it returns an empty list of logs, and no error. So whenever the last final block passes a
 * multiple of AGAIN_EVERY, the logs up to `read` are read again. The second reading begins 2 * MAX_LAG blocks before
 * the last multiple at or below `read`. So every block's logs are read at least once after all working machines have
 * the block. This holds even if an earlier version with a larger AGAIN_EVERY made the first reading. Transfers of the
 * native coin need no second reading, because they are part of the blocks.
 */
async function readLogsAgain(job: FinalJob, { read, final }: FinalBlocks, first: number): Promise<void> {
  const { store } = job
  const group = Math.floor(read / AGAIN_EVERY)
  if (job.search.tokens.length === 0 || Math.floor(final / AGAIN_EVERY) <= group) return
  const search = { ...job.search, hasNative: false }
  // `first` is the block after the oldest stored one. In a new channel, the oldest stored block is the one at which
  // reading began. Earlier blocks have no payment of ours.
  const from = Math.max(first, group * AGAIN_EVERY - 2 * MAX_LAG)
  const known = new Set((await listAll(store, 'transfer', blockKey(from))).map(({ key }) => key))
  for (const range of stepsOf(search, from, read)) {
    const found = await agreedRange(job, range, search, known)
    if (found.transfers.length === 0) continue
    await job.tell(found.transfers)
    const late = { ...found, transfers: found.transfers.map((one) => ({ ...one, countedAfter: read })) }
    await store.write(transferChanges(late), referencesOf(late))
  }
}

function stepsOf(search: Search, first: number, last: number): Range[] {
  const step = search.hasNative || hasMany(search) ? SMALL_STEP : TOKEN_STEP
  const count = Math.max(0, Math.ceil((last - first + 1) / step))
  return Array.from({ length: count }, (_, at) => {
    const from = first + at * step
    return { from, to: Math.min(last, from + step - 1) }
  })
}

function agreedRange(
  { head, signal }: FinalJob,
  range: Range,
  search: Search,
  known?: ReadonlySet<string>,
): Promise<FinalRange> {
  return head.agreed(
    `blocks ${range.from} to ${range.to}`,
    (rpc) => readFinalRange(rpc, range, search, signal, known),
    withoutFees,
  )
}

function referencesOf({ transfers }: FinalRange): string[] {
  return [...new Set(transfers.map(({ reference }) => reference))]
}

function changesOf(job: FinalJob, { to }: Range, found: FinalRange): RecordChange[] {
  return [...transferChanges(found), addBlock(to, found.hash), progressTo(job, to)]
}

function transferChanges({ transfers }: FinalRange): RecordChange[] {
  return [
    ...transfers.map((one) => ({ add: toTransfer('transfer', one) })),
    ...transfers.map((one) => ({ remove: { kind: 'seen', key: transferKey(one) } })),
  ]
}

function addBlock(number: number, hash: string): RecordChange {
  return { put: { kind: 'block', key: blockKey(number), body: { hash } } }
}

function progressTo({ settings: { chainId, coins }, top, readAt }: FinalJob, final: number): RecordChange {
  return putProgress({ chainId, coins: [...coins.values()].map(coinKey), final, head: top, readAt })
}

async function oldBlocks(store: ChannelStore, count: number): Promise<RecordChange[]> {
  const oldest = await store.list('block', { limit: count })
  return oldest.map(({ kind, key }) => ({ remove: { kind, key } }))
}

/**
 * Handles a reorg of final blocks. Such a reorg means that the chain has broken its finality, or that "confirmations"
 * is too low. Removes every transfer after the last stored block that is still in the chain, so that the transfer is
 * read again. Raises an alarm for the payment of each removed transfer, and throws. The alarm does not say that the
 * transfer's block was replaced: only some hashes are stored, so that block may still be in the chain.
 */
export async function goBackIfReplaced(job: FinalJob, blocks: readonly ChannelRecord[]): Promise<void> {
  const { store } = job
  const { last, replaced } = await lastInChain(job, blocks)
  if (replaced.length === 0) return
  const [oldest] = blocks
  const back = last === undefined ? Math.max(0, Number(oldest?.key ?? 0) - 1) : Number(last.key)
  const undone = await listAll(store, 'transfer', blockKey(back + 1))
  const payments = undone.map((record) => readTransfer(record))
  for (const { reference, txHash } of payments)
    job.alarm(
      reference,
      `the chain replaced final blocks after ${back}: the transaction ${txHash} is read again; check whether it still counts`,
    )
  await store.write([
    ...[...replaced, ...undone].map(({ kind, key }) => ({ remove: { kind, key } })),
    // The new branch may be shorter, so the stored head is replaced by the current one.
    progressTo({ ...job, top: job.head.number }, back),
  ])
  const list = payments.map(({ reference, txHash }) => `${reference} by ${txHash}`)
  throw new Error(
    `the chain replaced blocks after ${back} that were final; they are read again. ${
      list.length === 0 ? 'No transfer was read in them' : `Check these payments: ${list.join(', ')}`
    }`,
  )
}

async function lastInChain(job: FinalJob, blocks: readonly ChannelRecord[]) {
  const replaced: ChannelRecord[] = []
  // If the nodes have fallen behind, they cannot return blocks after their head, so those blocks are skipped.
  for (const block of blocks.filter(({ key }) => Number(key) <= job.head.number).toReversed()) {
    const { hash } = await agreedBlock(job, Number(block.key))
    if (hash === block.body.hash) return { last: block, replaced }
    replaced.push(block)
  }
  return { last: undefined, replaced }
}

function agreedBlock({ head, signal }: FinalJob, number: number): Promise<BlockHead> {
  return head.agreed(`block ${number}`, (rpc) => readBlock(rpc, number, signal))
}
