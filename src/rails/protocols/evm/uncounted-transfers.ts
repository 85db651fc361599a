// Logs warnings about transfers to our addresses that do not count, because the payers will ask about them:
// - A token that "coins" does not list, such as a bridged token of the same name, never counts.
// - A listed coin that is not a currency of the ledger, such as BNB, counts only for an order that requests this coin.
//   The ledger cannot book the coin for any other order.
import type { Clock } from '../../../platform/base/clock.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { type FoundTransfer, readTokenTransfers } from './chain.ts'
import { RpcFailure } from './json-rpc.ts'
import type { Head } from './nodes.ts'
import { isUncounted } from './outcome.ts'
import { hasMany, type Range, type Search } from './read-range.ts'
import { findCharge, type StoredTransfer } from './records.ts'
import type { EvmSettings } from './settings.ts'

export type UnlistedTokens = {
  /**
   * Looks for unlisted tokens in the blocks since the last successful call, but at most in the last MAX_BLOCKS. Does
   * nothing until EVERY_MS have passed since the last call, and does nothing if there are too many addresses for a
   * filter.
   */
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
      // The warnings are logged only after all queries have succeeded. If a query fails, the next call repeats all
      // queries, and warnings that were already logged would be logged twice.
      for (const { token, to: address, txHash } of found.filter((one) => !tokens.includes(one.token)))
        log.warn(
          { channel, reference: references.get(address), token, txHash },
          'a payer sent a token that "coins" does not list: it does not count',
        )
      // This line is not reached after a failure, so the same blocks are then read again. `lookedTo` never decreases,
      // even if the nodes have fallen behind.
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

/**
 * Returns an empty list if the node refused the query. Throws every other error. Some nodes refuse every query that
 * names no contract, even for one block and one address.
 */
function nothingIfRefused(error: unknown): [] {
  if (error instanceof RpcFailure && error.kind === 'refused') return []
  throw error
}

type UncountedDeps = Pick<UnlistedDeps, 'channel' | 'log'> & {
  readonly settings: EvmSettings
  readonly store: ChannelStore
}

/**
 * Logs warnings about these transfers before they are written. If a warning fails, the write goes on. If the process
 * dies before the write, the warnings are repeated.
 */
export async function warnOfUncounted(
  deps: UncountedDeps,
  transfers: readonly StoredTransfer[],
): Promise<void> {
  for (const transfer of transfers)
    await warnIfUncounted(deps, transfer).catch((error: Error) => {
      const { channel, log } = deps
      const { reference, txHash } = transfer
      log.warn(
        { channel, reference, txHash, why: error.message },
        'it could not be found out whether a transfer is in a coin that does not count',
      )
    })
}

async function warnIfUncounted(
  { channel, log, settings, store }: UncountedDeps,
  transfer: StoredTransfer,
): Promise<void> {
  const { reference, txHash, token } = transfer
  const charge = await findCharge(store, reference)
  if (charge === undefined || !isUncounted(settings, charge, transfer)) return
  const coin = [...settings.coins.values()].find((one) => one.token === token)?.name
  log.warn(
    { channel, reference, txHash, coin },
    `a payer sent ${coin} to an order in ${charge.coin}: it does not count, for it is no currency of the books`,
  )
}
