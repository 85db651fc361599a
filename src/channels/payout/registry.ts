import type { PayoutRail } from './contract.ts'

export type PayoutRails = {
  /** The rail that new payouts take; undefined when none is set up. */
  readonly current: PayoutRail | undefined
  /** The rail a payout was given to; it must still be there to be asked. */
  named(name: string): PayoutRail | undefined
  readonly longestTimeoutMs: number
}

/** The first of them takes what is new. */
export function registerPayoutRails(rails: readonly PayoutRail[]): PayoutRails {
  const byName = new Map(rails.map((rail) => [rail.name, rail]))
  return {
    current: rails[0],
    named: (name) => byName.get(name),
    longestTimeoutMs: Math.max(0, ...rails.map((rail) => rail.timeoutMs)),
  }
}
