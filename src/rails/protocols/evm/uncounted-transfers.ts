// Payers now and then send another token than the listed ones, such as a bridged one of the same name. It never counts; the
// log says so, because the payer will ask.
import type { Clock } from '../../base/clock.ts'
import { type FoundTransfer, readTokenTransfers } from './chain.ts'
import { RpcFailure } from './json-rpc.ts'
import type { Head } from './nodes.ts'
import { hasMany, type Range, type Search } from './read-range.ts'

export type UnlistedTokens = {
  /** Looks at the blocks since the last time. */
  look(head: Head, search: Search, signal: AbortSignal): Promise<void>
}

export type UnlistedDeps = {
  readonly channel: string
  readonly clock: Clock
  readonly log: { warn(details: object, message: string): void }
}

const EVERY_MS = 60_000
const MAX_BLOCKS = 500
const ADDRESSES_PER_CALL = 500

export function openUnlistedTokens({ channel, clock, log }: UnlistedDeps): UnlistedTokens {
  let lookedTo: number | undefined
  let nextAt = 0
  return {
    async look(head, search, signal) {
      const { tokens, references } = search
      if (clock.now().getTime() < nextAt || hasMany(search)) return
      nextAt = clock.now().getTime() + EVERY_MS
      const to = head.number
      lookedTo ??= to - 1
      const from = Math.max(lookedTo + 1, to - MAX_BLOCKS + 1)
      const found = from > to ? [] : await findAll(head, search, { from, to }, signal).catch(nothingIfRefused)
      // After the last query: if one fails, all are asked again the next time.
      for (const { token, to: address, txHash } of found.filter((one) => !tokens.includes(one.token)))
        log.warn(
          { channel, reference: references.get(address), token, txHash },
          'a payer sent a token that "coins" does not list: it does not count',
        )
      // Not before: nodes that were too busy are asked about the same blocks the next time. And never back, if they fell behind.
      lookedTo = Math.max(lookedTo, to)
    },
  }
}

async function findAll(
  head: Head,
  { references }: Search,
  { from, to }: Range,
  signal: AbortSignal,
): Promise<FoundTransfer[]> {
  const all = [...references.keys()]
  const found: FoundTransfer[] = []
  for (let at = 0; at < all.length; at += ADDRESSES_PER_CALL) {
    const query = { tokens: undefined, addresses: all.slice(at, at + ADDRESSES_PER_CALL), from, to }
    found.push(...(await head.any((rpc) => readTokenTransfers(rpc, query, signal))))
  }
  return found
}

/** Some nodes answer only queries that name contracts: they refuse one block and one address, too. */
function nothingIfRefused(error: unknown): [] {
  if (error instanceof RpcFailure && error.kind === 'refused') return []
  throw error
}
