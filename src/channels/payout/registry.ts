// The payout rails that are configured, and the choice of one for a payout.
import type { AccountKind, PayoutRail } from './contract.ts'

export type PayoutRails = {
  readonly all: readonly PayoutRail[]
  /** The rail for a new payout: the first that can send it and is not paused. CheckOut: the first that pays the currency. */
  pick(kind: AccountKind | 'checkout', currency: string): PayoutRail | undefined
  /** The rail of an earlier payout; undefined when it is no longer configured. */
  named(name: string): PayoutRail | undefined
  readonly longestTimeoutMs: number
}

export type ChangingRails = PayoutRails & { replace(rails: readonly PayoutRail[]): void }

export function registerPayoutRails(
  rails: readonly PayoutRail[],
  isPaused: (name: string) => boolean = () => false,
): ChangingRails {
  let all = rails
  const takes = ({ kinds, currencies }: PayoutRail, kind: AccountKind | 'checkout', currency: string) =>
    (kind === 'checkout' || kinds.includes(kind)) && (currencies === 'any' || currencies.includes(currency))
  return {
    get all() {
      return all
    },
    pick: (kind, currency) => all.find((rail) => takes(rail, kind, currency) && !isPaused(rail.name)),
    named: (name) => all.find((rail) => rail.name === name),
    get longestTimeoutMs() {
      return Math.max(0, ...all.map((rail) => rail.timeoutMs))
    },
    replace(rails) {
      all = rails
    },
  }
}
