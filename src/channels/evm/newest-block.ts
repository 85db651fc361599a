// A provider's machines stand behind one address, and are some blocks apart: one names a head that the next one asked cannot show
// yet. What is shown counts, not what is named.
import { findBlock } from './chain.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'

/** A node, and the head that it names. */
export type Named = { readonly rpc: Rpc; readonly number: number }

export type Shown = {
  readonly number: number
  /** The nodes that can show it, with the time that it has by each. */
  readonly by: readonly { readonly rpc: Rpc; readonly at: Date }[]
}

/** Nodes that named a head and then failed, and why. */
export type Failed = Map<Rpc, unknown>

/** How many blocks the machines of one address may be apart: some seconds of the fastest chains. One that is further off is broken. */
export const MAX_LAG = 64

/** The newest block that enough nodes can show. Those that fail are added to `failed`, and the others are asked without them. */
export async function newestShown(
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
  // A node that does not answer says nothing about the block.
  if (failed.size > before) return newestShown(heads, enough, failed, signal)
  throw new RpcFailure(
    'unavailable',
    `the nodes name block ${newest}, and cannot show it or one of the ${MAX_LAG} before it`,
  )
}

type Look = (number: number) => Promise<Shown | 'missing' | 'failed'>

/** Undefined if a node fails on the way, or if all these blocks are missing. */
async function searchBack(newest: number, look: Look): Promise<Shown | undefined> {
  let found = await look(newest)
  /** The oldest block that is known to be missing, or the one after the newest. */
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

/** Whether enough nodes show the block; if not, whether one of them failed. */
async function shownBy(
  heads: readonly Named[],
  number: number,
  enough: number,
  failed: Failed,
  signal: AbortSignal,
): Promise<Shown | 'missing' | 'failed'> {
  const before = failed.size
  // A node is asked only about blocks that it names.
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
