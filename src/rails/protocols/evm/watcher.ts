// One polling round of a chain: final blocks, blocks that are not final, unlisted tokens, and outgoing transfers.

import { whyOf } from '../../../platform/base/thrown.ts'
import type { Watcher } from '../../contract/protocol.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { readDecimals } from './chain.ts'
import {
  beginProgress,
  type FinalJob,
  goBackIfReplaced,
  readFinalBlocks,
  readFinalNumber,
} from './final-blocks.ts'
import { RpcFailure } from './json-rpc.ts'
import { findStandstill, type Head, type Nodes } from './nodes.ts'
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
import type { EvmSettings } from './settings.ts'
import type { Signer } from './signer.ts'
import {
  openUnlistedTokens,
  type UnlistedDeps,
  type UnlistedTokens,
  warnOfUncounted,
} from './uncounted-transfers.ts'

type WatcherDeps = UnlistedDeps & {
  readonly settings: EvmSettings
  readonly nodes: Nodes
  readonly store: ChannelStore
  readonly alarm: ChannelTools['alarm']
  readonly signer: Signer | undefined
}

/** The polling interval. Ethereum has a block every 12 seconds, and Polygon every 2 seconds. */
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

/**
 * Throws if the settings state other decimals of a coin than its contract. With wrong decimals, a transfer would be
 * worth, for example, a million times too much, or nothing.
 */
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

/** State that may be lost when the process ends. */
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
  // The addresses are read after the head. So if an address is missing here, it can only be paid in a later block.
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
  // If one part fails, the other parts still run.
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

/** Throws one error with all messages, so that a node's failure does not hide the advice about an outgoing transfer. */
function throwAll(failures: readonly unknown[]): void {
  if (failures.length === 0) return
  if (failures.length === 1) throw failures[0]
  const messages = failures.map(whyOf)
  throw new AggregateError(failures, [...new Set(messages)].join('; '))
}

/**
 * Returns a failure if the nodes have been behind an earlier head for BEHIND_MS. A shorter lag is no failure, because
 * the machines of a provider are often a block apart.
 */
function fallenBehind({ number }: Head, { head, readAt }: Progress, now: Date): RpcFailure | undefined {
  if (now.getTime() - readAt.getTime() < BEHIND_MS) return undefined
  const why = `the nodes are at block ${number}, and were at block ${head}: wait until they are there again`
  return new RpcFailure('unavailable', why)
}

/**
 * Returns the failure that the recorded progress is of another chain. If reading went on from there, blocks would be
 * skipped.
 */
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
 * Returns the addresses and coins to look for. Removes the watch on an address once the chain was read past the end of
 * the watch and no transfer for its payment waits for finality. So a transfer that was sent in time counts, however
 * long the nodes were unavailable.
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
