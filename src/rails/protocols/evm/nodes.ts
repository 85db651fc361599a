// The nodes of one chain, and the answers on which they agree. If the settings list two or more nodes, two of them must
// give the same answer before money counts, because a node may lag, lose logs, or lie. In this folder, "enough nodes"
// means two nodes, or the only node of the settings.

import type { Clock } from '../../../platform/base/clock.ts'
import { whyOf } from '../../../platform/base/thrown.ts'
import { findBlock, readChainId, readHeadNumber } from './chain.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import type { EvmSettings } from './settings.ts'

export type Nodes = {
  /** Returns the newest block that enough nodes (two, or the only node of the settings) can return. */
  head(signal: AbortSignal): Promise<Head>
  /** The errors of the nodes that failed during the last call of `head`. */
  problems(): readonly string[]
}

export type Head = {
  readonly number: number
  /**
   * The time of the block. If the nodes state different times, it is the latest time that enough nodes have reached.
   */
  readonly at: Date
  readonly nodes: readonly Rpc[]
  /** Returns the answer of the first node that does not fail. Decisions about money must not depend on this answer. */
  any<Answer>(read: (rpc: Rpc) => Promise<Answer>): Promise<Answer>
  /** Returns the largest number such that enough nodes state this number or a larger one. */
  reached(read: (rpc: Rpc) => Promise<number>): Promise<number>
  /**
   * Returns the answer that enough nodes give. `about` describes the answer in messages. `same` returns the part of an
   * answer that must be equal.
   */
  agreed<Answer>(
    about: string,
    read: (rpc: Rpc) => Promise<Answer>,
    same?: (answer: Answer) => unknown,
  ): Promise<Answer>
}

const ENOUGH = 2

export function openNodes(rpcs: readonly Rpc[], chainId: number): Nodes {
  const enough = Math.min(ENOUGH, rpcs.length)
  let problems: readonly string[] = []

  /**
   * Returns the number of the node's newest block. The chain id is checked every time, because a provider may move its
   * URL to machines of another chain.
   */
  async function headOf(rpc: Rpc, signal: AbortSignal): Promise<number> {
    const [found, number] = await Promise.all([readChainId(rpc, signal), readHeadNumber(rpc, signal)])
    if (found === chainId) return number
    throw new RpcFailure(
      'refused',
      `${rpc.host} is a node of chain ${found}, not ${chainId}: check "rpcUrls"`,
    )
  }

  return {
    problems: () => problems,
    async head(signal) {
      const asked = await Promise.allSettled(rpcs.map((rpc) => headOf(rpc, signal)))
      problems = asked.flatMap((result) => (result.status === 'rejected' ? [whyOf(result.reason)] : []))
      const heads = asked.flatMap((result, at) => {
        const rpc = rpcs[at]
        return result.status === 'fulfilled' && rpc !== undefined ? [{ rpc, number: result.value }] : []
      })
      if (heads.length < enough) throw failureOf(asked)
      const failed: Failed = new Map()
      const { number, by } = await newestShown(heads, enough, failed, signal).finally(() => {
        problems = [...problems, ...[...failed.values()].map(whyOf)]
      })
      const nodes = by.map(({ rpc }) => rpc)
      const times = by.map(({ at }) => at.getTime()).sort((one, other) => other - one)
      return {
        number,
        at: new Date(times[enough - 1] ?? 0),
        nodes,
        any: (read) => firstOf(nodes, read),
        reached: async (read) => reachedBy(await Promise.allSettled(nodes.map(read)), enough),
        agreed: (about, read, same) => agreedBy(nodes, enough, about, read, same),
      }
    },
  }
}

function reachedBy(results: readonly PromiseSettledResult<number>[], enough: number): number {
  const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const number = numbers.sort((one, other) => other - one)[enough - 1]
  if (number === undefined) throw failureOf(results)
  return number
}

async function firstOf<Answer>(nodes: readonly Rpc[], read: (rpc: Rpc) => Promise<Answer>): Promise<Answer> {
  let failure: unknown
  for (const rpc of nodes) {
    try {
      return await read(rpc)
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

/** Asks as many nodes as must agree. If one of them fails or their answers differ, asks further nodes. */
async function agreedBy<Answer>(
  nodes: readonly Rpc[],
  enough: number,
  about: string,
  read: (rpc: Rpc) => Promise<Answer>,
  same: (answer: Answer) => unknown = (answer) => answer,
): Promise<Answer> {
  const votes = new Map<string, number>()
  const waiting = [...nodes]
  let failure: unknown
  let missing = enough
  while (waiting.length > 0) {
    const results = await Promise.allSettled(waiting.splice(0, missing).map(read))
    for (const result of results) {
      if (result.status === 'rejected') {
        failure ??= result.reason
        continue
      }
      const text = JSON.stringify(same(result.value), bigints)
      const count = (votes.get(text) ?? 0) + 1
      if (count === enough) return result.value
      votes.set(text, count)
    }
    missing = enough - Math.max(0, ...votes.values())
  }
  if (votes.size > 1)
    throw new RpcFailure('malformed', `the nodes disagree about ${about}: no money counts until two agree`)
  throw failure ?? new RpcFailure('unavailable', `only one node answers about ${about}`)
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

function failureOf(results: readonly PromiseSettledResult<unknown>[]): Error {
  const failed = results.find((result) => result.status === 'rejected')
  const reason: unknown = failed?.reason
  return reason instanceof Error ? reason : new RpcFailure('unavailable', 'no node answers')
}

// The newest block. The machines behind a provider's URL are some blocks apart, so one machine may name a head that
// another machine cannot return yet. So the head is the newest block that enough nodes actually return.

/** A node, and the number of the block that the node named as its newest one. */
type Named = { readonly rpc: Rpc; readonly number: number }

type Shown = {
  readonly number: number
  /** The nodes that returned the block, each with the block's time. */
  readonly by: readonly { readonly rpc: Rpc; readonly at: Date }[]
}

/** The nodes that named a head and then failed, each with its error. */
type Failed = Map<Rpc, unknown>

/**
 * The number of blocks that a machine may lag: some seconds on the fastest chains. A machine that lags more counts as
 * broken.
 */
export const MAX_LAG = 64

/**
 * Finds the newest block that enough nodes return. If a node fails, it is added to `failed`. If that failure ends the
 * search without a block, the search begins again without the node.
 */
async function newestShown(
  heads: readonly Named[],
  enough: number,
  failed: Failed,
  signal: AbortSignal,
): Promise<Shown> {
  const left = heads.filter(({ rpc }) => !failed.has(rpc))
  const newest = left.map(({ number }) => number).sort((one, other) => other - one)[enough - 1]
  if (newest === undefined) throw [...failed.values()][0]
  const before = failed.size
  const shown = await searchBack(newest, (number) => shownBy(left, number, enough, failed, signal))
  if (shown !== undefined) return shown
  // The failed node may have the block all the same, so the search is repeated with the other nodes.
  if (failed.size > before) return newestShown(heads, enough, failed, signal)
  throw new RpcFailure(
    'unavailable',
    `the nodes name block ${newest}, and cannot show it or one of the ${MAX_LAG} before it`,
  )
}

type Look = (number: number) => Promise<Shown | 'missing' | 'failed'>

/**
 * Searches back in growing steps, then by bisection. Undefined if `look` returns 'failed', or if all searched blocks
 * are missing.
 */
async function searchBack(newest: number, look: Look): Promise<Shown | undefined> {
  let found = await look(newest)
  /** The oldest block that is known to be missing. At first, it is the block after the newest. */
  let missing = newest + 1
  for (let back = 1; found === 'missing' && back <= MAX_LAG; back *= 2) {
    missing = Math.max(1, newest - Math.floor(back / 2))
    found = await look(Math.max(0, newest - back))
  }
  if (found === 'missing' || found === 'failed') return undefined
  while (missing - found.number > 1) {
    const middle = Math.floor((found.number + missing) / 2)
    const shown = await look(middle)
    if (shown === 'failed') return undefined
    if (shown === 'missing') missing = middle
    else found = shown
  }
  return found
}

async function shownBy(
  heads: readonly Named[],
  number: number,
  enough: number,
  failed: Failed,
  signal: AbortSignal,
): Promise<Shown | 'missing' | 'failed'> {
  const before = failed.size
  // A node cannot return blocks after its own head, so only nodes with a sufficient head are asked.
  const asked = heads.filter((one) => one.number >= number && !failed.has(one.rpc))
  const answers = await Promise.all(
    asked.map(async ({ rpc }) => {
      const block = await findBlock(rpc, number, signal).catch(
        (error: unknown) => void failed.set(rpc, error),
      )
      return block === undefined ? [] : [{ rpc, at: block.at }]
    }),
  )
  const by = answers.flat()
  if (by.length >= enough) return { number, by }
  return failed.size > before ? 'failed' : 'missing'
}

// Stalled nodes. A stalled node answers every call, and its blocks are right. But it lacks the newest blocks and the
// payments in them.

const MINUTE_MS = 60_000

/** Returns a failure if the head is older than the setting "quietMinutes" allows. */
export function findStandstill(
  { quietMinutes }: Pick<EvmSettings, 'quietMinutes'>,
  { number, at }: Head,
  clock: Clock,
): RpcFailure | undefined {
  if (clock.now().getTime() - at.getTime() <= quietMinutes * MINUTE_MS) return undefined
  return new RpcFailure(
    'unavailable',
    `the chain stands at block ${number} of ${at.toISOString()}: check the nodes, of which one may lag behind`,
  )
}
