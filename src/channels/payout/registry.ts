// The payout rails that are configured.
import type { PayoutRail } from './contract.ts'

export type PayoutRails = {
  /** In the order of the settings. */
  readonly all: readonly PayoutRail[]
  /** The rail of an earlier payout; undefined when it is no longer configured. */
  named(name: string): PayoutRail | undefined
  readonly longestTimeoutMs: number
}

export type ChangingRails = PayoutRails & { replace(rails: readonly PayoutRail[]): void }

export function registerPayoutRails(rails: readonly PayoutRail[]): ChangingRails {
  let all = rails
  return {
    get all() {
      return all
    },
    named: (name) => all.find((rail) => rail.name === name),
    get longestTimeoutMs() {
      return Math.max(0, ...all.map((rail) => rail.timeoutMs))
    },
    replace(rails) {
      all = rails
    },
  }
}
