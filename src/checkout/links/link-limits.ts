// Limits how often one link may be used. Requests are counted per order, because several links may open the same order. A
// payer who reloads, waits and returns stays far below these limits. Off in sandbox, like all rate limits.
import type { Clock } from '../../base/clock.ts'
import { countEvents } from '../../http/server/rate-limit.ts'

/** `call`: may call a channel or write. `read`: only reads. */
export type Cost = 'call' | 'read'

export type LinkLimits = {
  /** Counts one request. Returns the seconds to wait if it exceeds the limit. */
  take(tradeNo: string, cost: Cost): number | undefined
}

const MINUTE_MS = 60_000
export const PER_MINUTE: Readonly<Record<Cost, number>> = { call: 60, read: 300 }

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
