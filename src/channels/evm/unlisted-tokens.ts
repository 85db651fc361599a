// Payers now and then send another token than the listed ones, such as a bridged one of the same name. It never counts; the
// log says so, because the payer will ask.
import type { Clock } from '../../base/clock.ts'
import { readLogs } from './chain.ts'
import { RpcFailure } from './json-rpc.ts'
import type { Head } from './nodes.ts'
import { hasMany, type Search } from './read-range.ts'

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
      const all = [...references.keys()]
      for (let at = 0; at < all.length && from <= to; at += ADDRESSES_PER_CALL) {
        const addresses = all.slice(at, at + ADDRESSES_PER_CALL)
        const found = await head.any((rpc) =>
          readLogs(rpc, { tokens: undefined, addresses, from, to }, signal).catch(nothingIfRefused),
        )
        for (const { token, to: address, txHash } of found.filter((one) => !tokens.includes(one.token)))
          log.warn(
            { channel, reference: references.get(address), token, txHash },
            'a payer sent a token that "coins" does not list: it does not count',
          )
      }
      // Not before: nodes that were too busy are asked about the same blocks the next time. And never back, if they fell behind.
      lookedTo = Math.max(lookedTo, to)
    },
  }
}

/** Some nodes answer only queries that name contracts. */
function nothingIfRefused(error: unknown): [] {
  if (error instanceof RpcFailure && error.kind === 'refused') return []
  throw error
}
