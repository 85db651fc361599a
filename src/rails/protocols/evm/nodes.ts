// The nodes of one chain, and what they agree on. With two or more nodes, two must give the same answer before money counts:
// a node may lag behind, lose logs, or lie.
import { readChainId, readHeadNumber } from './chain.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import { type Failed, newestShown } from './newest-block.ts'

export type Nodes = {
  /** The newest block that enough nodes can show, and these nodes. */
  head(signal: AbortSignal): Promise<Head>
  /** What nodes that did not answer the last time had to say. */
  problems(): readonly string[]
}

export type Head = {
  readonly number: number
  /** When the block was made, by enough nodes. */
  readonly at: Date
  readonly nodes: readonly Rpc[]
  /** The answer of the first node that gives one. For what is only shown. */
  any<Answer>(read: (rpc: Rpc) => Promise<Answer>): Promise<Answer>
  /** The largest number that enough nodes have reached. */
  reached(read: (rpc: Rpc) => Promise<number>): Promise<number>
  /** The answer that enough nodes give. `about` completes "the nodes disagree about …". `same` leaves out what may differ. */
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

  /** The chain is asked for each time: a provider that moves to other machines may come back as another chain. */
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
      problems = asked.flatMap((result) => (result.status === 'rejected' ? [messageOf(result.reason)] : []))
      const heads = asked.flatMap((result, at) => {
        const rpc = rpcs[at]
        return result.status === 'fulfilled' && rpc !== undefined ? [{ rpc, number: result.value }] : []
      })
      if (heads.length < enough) throw failureOf(asked)
      const failed: Failed = new Map()
      const { number, by } = await newestShown(heads, enough, failed, signal).finally(() => {
        problems = [...problems, ...[...failed.values()].map(messageOf)]
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

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
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

/** Asks as few nodes as possible: a further one only if an answer is missing or differs. */
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
