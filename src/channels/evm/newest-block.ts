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

/** How many blocks the machines of one address may be apart: some seconds of the fastest chains. One that is further off is broken. */
export const MAX_LAG = 64

/** The newest block that enough nodes can show, from the one that enough of them name. */
export async function newestShown(
  heads: readonly Named[],
  newest: number,
  enough: number,
  signal: AbortSignal,
): Promise<Shown> {
  const look = (number: number) => shownBy(heads, number, enough, signal)
  let found = await look(newest)
  let missing = newest + 1
  for (let back = 1; found === undefined && back <= MAX_LAG; back *= 2) {
    missing = Math.max(1, newest - Math.floor(back / 2))
    found = await look(Math.max(0, newest - back))
  }
  if (found === undefined)
    throw new RpcFailure(
      'unavailable',
      `the nodes name block ${newest}, and cannot show it or one of the ${MAX_LAG} before it`,
    )
  while (missing - found.number > 1) {
    const middle = Math.floor((found.number + missing) / 2)
    const shown = await look(middle)
    if (shown === undefined) missing = middle
    else found = shown
  }
  return found
}

/** Undefined if too few nodes can show the block. A node that does not answer says nothing about it: then this throws. */
async function shownBy(
  heads: readonly Named[],
  number: number,
  enough: number,
  signal: AbortSignal,
): Promise<Shown | undefined> {
  // A node is asked only about blocks that it names.
  const asked = heads.filter((one) => one.number >= number)
  const answers = await Promise.allSettled(asked.map(({ rpc }) => findBlock(rpc, number, signal)))
  const by = answers.flatMap((answer, at) => {
    const rpc = asked[at]?.rpc
    const block = answer.status === 'fulfilled' ? answer.value : undefined
    return rpc === undefined || block === undefined ? [] : [{ rpc, at: block.at }]
  })
  if (by.length >= enough) return { number, by }
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return undefined
}
