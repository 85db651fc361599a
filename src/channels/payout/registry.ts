import type { PayoutRail } from './contract.ts'

export type PayoutRails = {
  /** The rail for new payouts; undefined when none is configured. */
  readonly current: PayoutRail | undefined
  /** The rail of an earlier payout; undefined when it is no longer configured. */
  named(name: string): PayoutRail | undefined
  readonly longestTimeoutMs: number
}

/** New payouts use the first rail. */
export function registerPayoutRails(rails: readonly PayoutRail[]): PayoutRails {
  const byName = new Map(rails.map((rail) => [rail.name, rail]))
  return {
    current: rails[0],
    named: (name) => byName.get(name),
    longestTimeoutMs: Math.max(0, ...rails.map((rail) => rail.timeoutMs)),
  }
}
