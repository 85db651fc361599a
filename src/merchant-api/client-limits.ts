// How often a caller may come. Off in sandbox. Each process counts for itself.
import type { Clock } from '../base/clock.ts'
import { countEvents } from '../base/event-counter.ts'

export type ClientLimits = {
  /** Too many wrong signatures came from there within the minute. */
  isAddressBlocked(address: string): boolean
  signatureFailed(address: string): void
  /** Counts the request; false when the merchant is over its rate. */
  takeRequest(merNo: number): boolean
}

const FAILED_SIGNATURES_PER_MINUTE = 60
const REQUESTS_PER_SECOND = 500

export function clientLimits(mode: 'sandbox' | 'live', clock: Clock): ClientLimits {
  if (mode === 'sandbox')
    return { isAddressBlocked: () => false, signatureFailed: () => {}, takeRequest: () => true }
  const failures = countEvents(60_000, clock)
  const requests = countEvents(1_000, clock)
  return {
    isAddressBlocked: (address) => failures.count(address) >= FAILED_SIGNATURES_PER_MINUTE,
    signatureFailed: (address) => void failures.add(address),
    takeRequest: (merNo) => requests.add(String(merNo)) <= REQUESTS_PER_SECOND,
  }
}
