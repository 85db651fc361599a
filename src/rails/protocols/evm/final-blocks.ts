// Reads blocks that are final, and makes money of the transfers in them.
//
// Invariant: a block's transfers and the progress past that block are written together, after enough nodes gave the same
// answer. So a crash, a gap or a broken node can delay money, and can neither lose it nor count it twice.

import { listAll } from '../list-all.ts'
import type { ChannelTools } from '../settings.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../store.ts'
import { type BlockHead, readBlock } from './chain.ts'
import type { EvmSettings } from './evm-settings.ts'
import { MAX_LAG } from './newest-block.ts'
import type { Head } from './nodes.ts'
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

export type FinalJob = {
  readonly store: ChannelStore
  readonly settings: Pick<EvmSettings, 'chainId' | 'confirmations' | 'coins'>
  readonly head: Head
  /** The highest block that nodes ever had. */
  readonly top: number
  readonly search: Search
  /** When the chain was last read to its end; stays until that is so again. */
  readonly readAt: Date
  /** Called with the transfers of final blocks, before they are written: a process that dies in between says it twice. Never throws. */
  readonly tell: (transfers: readonly StoredTransfer[]) => Promise<void>
  readonly alarm: ChannelTools['alarm']
  readonly signal: AbortSignal
}

/** Blocks of one write; fewer if much is read of each. */
const TOKEN_STEP = 2_000
const SMALL_STEP = 50
/** Final blocks after which logs are read again: fewer are more calls, and more make a payer wait whose transfer was missed. */
const AGAIN_EVERY = 16
/** Hashes that are kept to find the place where a chain was replaced. */
const MAX_KEPT = 300

/** The last final block by now. */
export async function readFinalNumber({ settings, head, signal }: FinalJob): Promise<number> {
  const { confirmations } = settings
  if (typeof confirmations === 'number') return head.number - confirmations + 1
  const reached = await head.reached(async (rpc) => (await readBlock(rpc, confirmations, signal)).number)
  return Math.min(head.number, reached)
}

/** Where reading begins: addresses are given out only after this was written. */
export async function beginProgress(job: FinalJob, final: number): Promise<void> {
  const number = Math.max(0, final)
  const { hash } = await agreedBlock(job, number)
  await job.store.write([addBlock(number, hash), progressTo(job, number)])
}

/** From the block after `read` to `final`. `blocks` are those whose hashes are kept. */
export async function readFinalBlocks(
  job: FinalJob,
  { read, final, blocks }: FinalBlocks & { readonly blocks: readonly ChannelRecord[] },
): Promise<void> {
  const { store, search } = job
  // Before the progress says that it was done.
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
 * The machines behind a node's address are some blocks apart. One that does not have a block yet finds no logs in it and does not say why, while
 * another one shows the block. So logs are read again, in groups of AGAIN_EVERY blocks: when the last final block is past a group, that group and
 * the blocks before it, twice MAX_LAG. So each block is read once more when it is further back than a machine may lag, also if the version before this
 * one read it, by larger groups. The native coin needs none of it: it is in the blocks that are shown.
 */
async function readLogsAgain(job: FinalJob, { read, final }: FinalBlocks, first: number): Promise<void> {
  const { store } = job
  const group = Math.floor(read / AGAIN_EVERY)
  if (job.search.tokens.length === 0 || Math.floor(final / AGAIN_EVERY) <= group) return
  const search = { ...job.search, hasNative: false }
  // Nothing from before the channel began: it is no payment of ours.
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
 * Goes back if a block that we read is no longer in the chain. That is a chain that broke its own promise, or too few
 * confirmations in the settings: what was read after the last block that stayed is undone and read again, and an operator must look at
 * the payments. Only some hashes are kept, so a transfer's own block may have stayed, too.
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
    // The chain may go on from here: its height before says nothing any more.
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
  // Nodes that fell behind cannot tell about later blocks.
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
