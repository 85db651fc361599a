// How often one link may be used, whoever holds it. Counted per order, since several links may open the same one. A payer
// who reloads, waits and comes back stays far below these bounds. Off in sandbox, as all rate limits.
import type { Clock } from '../base/clock.ts'
import { countEvents } from '../http/server/rate-limit.ts'

/** `call`: it may call a channel or write. `look`: it only reads. */
export type Cost = 'call' | 'look'

export type LinkLimits = {
  /** Counts one request. When it is one too many: in how many seconds requests are served again. */
  take(tradeNo: string, cost: Cost): number | undefined
}

const MINUTE_MS = 60_000
export const PER_MINUTE: Readonly<Record<Cost, number>> = { call: 60, look: 300 }

export function linkLimits(mode: 'sandbox' | 'live', clock: Clock): LinkLimits {
  if (mode === 'sandbox') return { take: () => undefined }
  const counted = countEvents(MINUTE_MS, clock)
  return {
    take(tradeNo, cost) {
      const key = `${cost} ${tradeNo}`
      if (counted.add(key) <= PER_MINUTE[cost]) return undefined
      return Math.max(1, Math.ceil(counted.msLeft(key) / 1000))
    },
  }
}
