// How often a caller may come. Off in sandbox. Each process counts for itself.
import type { Clock } from '../base/clock.ts'

export type ClientLimits = {
  /** Too many wrong signatures came from there within the minute. */
  isAddressBlocked(address: string): boolean
  signatureFailed(address: string): void
  /** Counts the request; false when the merchant is over its rate. */
  takeRequest(merNo: number): boolean
}

const FAILED_SIGNATURES_PER_MINUTE = 60
const REQUESTS_PER_SECOND = 500
/** Beyond this the one counted longest is forgotten, so that strangers cannot fill the memory. */
const MAX_KEYS = 10_000

export function clientLimits(mode: 'sandbox' | 'live', clock: Clock): ClientLimits {
  if (mode === 'sandbox')
    return { isAddressBlocked: () => false, signatureFailed: () => {}, takeRequest: () => true }
  const failures = counter(60_000, clock)
  const requests = counter(1_000, clock)
  return {
    isAddressBlocked: (address) => failures.count(address) >= FAILED_SIGNATURES_PER_MINUTE,
    signatureFailed: (address) => void failures.add(address),
    takeRequest: (merNo) => requests.add(String(merNo)) <= REQUESTS_PER_SECOND,
  }
}

type Window = { readonly from: number; count: number }

/** Counts per key, in windows that begin with a key's first event. */
function counter(windowMs: number, clock: Clock) {
  const windows = new Map<string, Window>()
  const current = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    return window !== undefined && now - window.from < windowMs ? window : undefined
  }
  return {
    count: (key: string): number => current(key, clock.now().getTime())?.count ?? 0,
    add(key: string): number {
      const now = clock.now().getTime()
      const window = current(key, now) ?? open(windows, key, now)
      window.count++
      return window.count
    },
  }
}

function open(windows: Map<string, Window>, key: string, now: number): Window {
  windows.delete(key)
  const [oldest] = windows.keys()
  if (oldest !== undefined && windows.size >= MAX_KEYS) windows.delete(oldest)
  const window = { from: now, count: 0 }
  windows.set(key, window)
  return window
}
