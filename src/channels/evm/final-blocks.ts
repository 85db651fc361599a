// Reads blocks that are final, and makes money of the transfers in them.
//
// Invariant: a block's transfers and the progress past that block are written together, after enough nodes gave the same
// answer. So a crash, a gap or a broken node can delay money, and can neither lose it nor count it twice.
import type { ChannelTools } from '../settings.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../store.ts'
import { type BlockHead, readBlock } from './chain.ts'
import type { EvmSettings } from './evm-settings.ts'
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
  listAll,
  putProgress,
  readTransfer,
  type StoredTransfer,
  toTransfer,
  transferKey,
} from './records.ts'

export type FinalJob = {
  readonly store: ChannelStore
  readonly settings: Pick<EvmSettings, 'chainId' | 'confirmations'>
  readonly head: Head
  /** The highest block that nodes ever had. */
  readonly top: number
  readonly search: Search
  /** When the chain was last read to its end; stays until that is so again. */
  readonly readAt: Date
  /** Called with the transfers of final blocks, before they are written: a process that dies in between says it twice. */
  readonly tell: (transfers: readonly StoredTransfer[]) => Promise<void>
  readonly alarm: ChannelTools['alarm']
  readonly signal: AbortSignal
}

/** Blocks of one write; fewer if much is read of each. */
const TOKEN_STEP = 2_000
const SMALL_STEP = 50
/** Hashes that are kept to find the place where a chain was replaced. */
const MAX_KEPT = 300

/** The last final block by now. */
export async function readFinalNumber({ settings, head, signal }: FinalJob): Promise<number> {
  const { confirmations } = settings
  if (confirmations !== 'finalized') return head.number - confirmations + 1
  const reached = await head.reached(async (rpc) => (await readBlock(rpc, 'finalized', signal)).number)
  return Math.min(head.number, reached)
}

/** Where reading begins: addresses are given out only after this was written. */
export async function beginProgress(job: FinalJob, final: number): Promise<void> {
  const number = Math.max(0, final)
  const { hash } = await agreedBlock(job, number)
  await job.store.write([addBlock(number, hash), progressTo(job, number)])
}

/** From the block after `read` to `final`. `kept` is the number of hashes that are kept. */
export async function readFinalBlocks(
  job: FinalJob,
  { read, final, kept: before }: { readonly read: number; readonly final: number; readonly kept: number },
): Promise<void> {
  const { store, search, head, signal } = job
  const step = search.hasNative || hasMany(search) ? SMALL_STEP : TOKEN_STEP
  let kept = before
  for (let from = read + 1; from <= final; from += step) {
    const range = { from, to: Math.min(final, from + step - 1) }
    const found = await head.agreed(
      `blocks ${range.from} to ${range.to}`,
      (rpc) => readFinalRange(rpc, range, search, signal),
      withoutFees,
    )
    kept += 1
    const old = kept > MAX_KEPT ? await oldBlocks(store, kept - MAX_KEPT) : []
    kept -= old.length
    const references = new Set(found.transfers.map(({ reference }) => reference))
    await job.tell(found.transfers)
    await store.write([...changesOf(job, range, found), ...old], [...references])
  }
}

function changesOf(job: FinalJob, { to }: Range, { hash, transfers }: FinalRange): RecordChange[] {
  return [
    ...transfers.map((one) => ({ add: toTransfer('transfer', one) })),
    ...transfers.map((one) => ({ remove: { kind: 'seen', key: transferKey(one) } })),
    addBlock(to, hash),
    progressTo(job, to),
  ]
}

function addBlock(number: number, hash: string): RecordChange {
  return { put: { kind: 'block', key: blockKey(number), body: { hash } } }
}

function progressTo({ settings, top, readAt }: FinalJob, final: number): RecordChange {
  return putProgress({ chainId: settings.chainId, final, head: top, readAt })
}

async function oldBlocks(store: ChannelStore, count: number): Promise<RecordChange[]> {
  const oldest = await store.list('block', { limit: count })
  return oldest.map(({ kind, key }) => ({ remove: { kind, key } }))
}

/**
 * Goes back if a block that we read is no longer in the chain. That is a chain that broke its own promise, or too few
 * confirmations in the settings: what counted is undone here and read again, and an operator must look at the payments.
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
      `the chain replaced the final block of ${txHash}, which had counted: check this payment`,
    )
  await store.write([
    ...[...replaced, ...undone].map(({ kind, key }) => ({ remove: { kind, key } })),
    // The chain may go on from here: its height before says nothing any more.
    progressTo({ ...job, top: job.head.number }, back),
  ])
  const list = payments.map(({ reference, txHash }) => `${reference} by ${txHash}`)
  throw new Error(
    `the chain replaced blocks after ${back} that were final; they are read again. ${
      list.length === 0 ? 'No money had counted in them' : `Check these payments: ${list.join(', ')}`
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
