// One round of watching a chain: first the blocks that are final, then those that are not, then what leaves by the signer.

import { listAll } from '../list-all.ts'
import type { Watcher } from '../protocol.ts'
import type { ChannelTools } from '../settings.ts'
import type { ChannelStore } from '../store.ts'
import { readDecimals } from './chain.ts'
import type { EvmSettings } from './evm-settings.ts'
import {
  beginProgress,
  type FinalJob,
  goBackIfReplaced,
  readFinalBlocks,
  readFinalNumber,
} from './final-blocks.ts'
import { RpcFailure } from './json-rpc.ts'
import type { Head, Nodes } from './nodes.ts'
import { sendOutgoing } from './outgoing.ts'
import type { Search } from './read-range.ts'
import {
  coinKey,
  findProgress,
  isOfChain,
  type Progress,
  putProgress,
  readWatch,
  type StoredTransfer,
  type Watched,
} from './records.ts'
import { type NativeWindow, openNativeWindow, readSeenBlocks } from './seen-blocks.ts'
import type { Signer } from './signer.ts'
import { findStandstill } from './standstill.ts'
import { warnOfUncounted } from './uncounted-coins.ts'
import { openUnlistedTokens, type UnlistedDeps, type UnlistedTokens } from './unlisted-tokens.ts'

export type WatcherDeps = UnlistedDeps & {
  readonly settings: EvmSettings
  readonly nodes: Nodes
  readonly store: ChannelStore
  readonly alarm: ChannelTools['alarm']
  /** Undefined without the setting "outgoing". */
  readonly signer: Signer | undefined
}

/** Blocks come every 12 seconds on Ethereum, and every two on Polygon. */
const EVERY_MS = 4_000

export function createWatcher(deps: WatcherDeps): Watcher {
  const memory = { window: openNativeWindow(), unlisted: openUnlistedTokens(deps) }
  const decimals = { areRight: false }
  return {
    everyMs: EVERY_MS,
    async work(signal) {
      const head = await deps.nodes.head(signal)
      if (!decimals.areRight) await checkDecimals(deps.settings, head, signal)
      decimals.areRight = true
      await workOnce(deps, head, memory, signal)
    },
  }
}

/** A wrong number of decimals would count a transfer a million times over, or not at all. */
export async function checkDecimals({ coins }: EvmSettings, head: Head, signal: AbortSignal): Promise<void> {
  for (const { name, token, decimals } of coins.values()) {
    if (token === 'native') continue
    const found = await head.agreed(`the decimals of ${name}`, (rpc) => readDecimals(rpc, token, signal))
    if (found !== decimals.chain)
      throw new RpcFailure(
        'refused',
        `${name} has ${found} decimals on this chain, not ${decimals.chain}: check "coins"`,
      )
  }
}

const BEHIND_MS = 60_000

/** What may be lost when the process ends. */
type Memory = { readonly window: NativeWindow; readonly unlisted: UnlistedTokens }

async function workOnce(
  deps: WatcherDeps,
  head: Head,
  { window, unlisted }: Memory,
  signal: AbortSignal,
): Promise<void> {
  const { settings, store, signer, clock, alarm } = deps
  const now = clock.now()
  const progress = await findProgress(store)
  const lastReadAt = progress?.readAt ?? now
  // After the head was read: an address that is not on the list yet can only be paid in a later block.
  const search = await openSearch(store, settings, lastReadAt)
  if (progress !== undefined && !isOfChain(progress, settings)) throw wrongChain(progress, settings)
  const isBehind = progress !== undefined && head.number < progress.head
  const standstill =
    findStandstill(settings, head, clock) ?? (isBehind ? fallenBehind(head, progress, now) : undefined)
  const top = Math.max(head.number, progress?.head ?? 0)
  const tell = (transfers: readonly StoredTransfer[]) => warnOfUncounted(deps, transfers)
  const job: FinalJob = { store, settings, head, top, search, readAt: lastReadAt, tell, alarm, signal }
  const final = await readFinalNumber(job)
  if (progress === undefined) {
    if (standstill !== undefined) throw standstill
    return beginProgress(job, final)
  }
  // A failure of one part does not keep the others from their work.
  const unread = await failureOf(async () => {
    const blocks = await listAll(store, 'block')
    await goBackIfReplaced(job, blocks)
    await readFinalBlocks(job, { read: progress.final, final, blocks })
  })
  const failures = [
    standstill,
    unread,
    await failureOf(async () => {
      const { final: read, head: highest } = (await findProgress(store)) ?? progress
      const range = { from: read + 1, to: head.number }
      const isRead = unread === undefined && standstill === undefined && !isBehind
      await readSeenBlocks({ store, head, search, range, window, signal }, (isWhole) => {
        const readAt = isRead && isWhole ? now : progress.readAt
        return putProgress({
          chainId: settings.chainId,
          coins: [...settings.coins.values()].map(coinKey),
          final: read,
          head: Math.max(head.number, highest),
          readAt,
        })
      })
    }),
    await failureOf(() => unlisted.look(head, search, signal)),
    await failureOf(async () => {
      const { outgoing } = settings
      if (outgoing !== undefined && signer !== undefined)
        await sendOutgoing({ store, settings, outgoing, signer, head, final, signal })
    }),
  ]
  throwAll(failures.filter((one) => one !== undefined))
}

/** What a person must do about coin that leaves is not hidden by a node that is slow. */
function throwAll(failures: readonly unknown[]): void {
  if (failures.length === 0) return
  if (failures.length === 1) throw failures[0]
  const messages = failures.map((one) => (one instanceof Error ? one.message : String(one)))
  throw new AggregateError(failures, [...new Set(messages)].join('; '))
}

/**
 * Nodes that had later blocks say nothing about them now: what was seen there may still be so. Told if it lasts: a provider's
 * machines are often a block apart.
 */
function fallenBehind({ number }: Head, { head, readAt }: Progress, now: Date): RpcFailure | undefined {
  if (now.getTime() - readAt.getTime() < BEHIND_MS) return undefined
  const why = `the nodes are at block ${number}, and were at block ${head}: wait until they are there again`
  return new RpcFailure('unavailable', why)
}

/** Block 100 of another chain says nothing about block 100 of this one, and its addresses would be watched from there. */
function wrongChain({ chainId }: Progress, settings: EvmSettings): RpcFailure {
  return new RpcFailure(
    'refused',
    `this channel has read chain ${chainId}, not ${settings.chainId}: use another name for another chain`,
  )
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error
  }
}

/**
 * The addresses to look for. One is forgotten when the chain was read past the end of its time, however long nodes were away, and
 * no transfer to it waits to be final: what was sent in time must count.
 */
async function openSearch(store: ChannelStore, { coins }: EvmSettings, readAt: Date): Promise<Search> {
  const watched = (await listAll(store, 'watch')).map(readWatch)
  const awaited = new Set((await listAll(store, 'seen')).map(({ reference }) => reference))
  const isOver = ({ key, reference }: Watched) => key < readAt.toISOString() && !awaited.has(reference)
  const over = watched.filter(isOver)
  if (over.length > 0) await store.write(over.map(({ key }) => ({ remove: { kind: 'watch', key } })))
  const current = watched.filter((one) => !isOver(one))
  const tokens = [...coins.values()].map(({ token }) => token)
  return {
    tokens: tokens.filter((token) => token !== 'native'),
    hasNative: tokens.includes('native'),
    references: new Map(current.map(({ address, reference }) => [address, reference])),
  }
}
