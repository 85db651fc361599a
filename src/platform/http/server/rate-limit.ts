// Rate limits, in memory: each process counts on its own. A sandbox does not limit merchants' requests.
import type { Clock } from '../../base/clock.ts'
import { networkOf } from '../addresses.ts'

/**
 * Limits for merchants' requests. Wrong signatures count per merchant and network, so that an attacker elsewhere cannot
 * lock a merchant out. The count of wrong signatures never refuses a valid signature. Requests that fail before or at
 * the signature check count per network. We stop reading from a network with too many failed requests, unless the
 * network sent a validly signed request in the last ten minutes.
 */
export type ClientLimits = {
  /** Returns the seconds until we read from this address again, or 0 if the address is not blocked. */
  blockedSeconds(address: string): number
  /** Counts a request that failed before or at the signature check. */
  requestFailed(address: string): void
  /** Counts a wrong signature. Returns the seconds to wait after too many wrong signatures, or else 0. */
  signatureFailed(merNo: number, address: string): number
  /** Counts a validly signed request. Returns false if the merchant exceeds the limit of requests. */
  takeRequest(merNo: number, address: string): boolean
  /** True if the network sent a validly signed request in the last ten minutes. */
  hasSigned(address: string): boolean
}

const WRONG_SIGNATURES_PER_MINUTE = 60
const FAILURES_PER_MINUTE = 600
const REQUESTS_PER_SECOND = 500

export function clientLimits(mode: 'sandbox' | 'live', clock: Clock): ClientLimits {
  if (mode === 'sandbox')
    return {
      blockedSeconds: () => 0,
      requestFailed: () => {},
      signatureFailed: () => 0,
      takeRequest: () => true,
      hasSigned: () => true,
    }
  const wrong = countEvents(60_000, clock)
  const failures = countEvents(60_000, clock)
  const requests = countEvents(1_000, clock)
  const signers = trackSigners(clock)
  // This variable is 0 while no network is blocked, which is usual. The check is then a single comparison.
  let anyBlockedUntil = 0
  return {
    blockedSeconds(address) {
      if (anyBlockedUntil === 0) return 0
      if (clock.now().getTime() >= anyBlockedUntil) anyBlockedUntil = 0
      const network = networkOf(address)
      const isBlocked = failures.count(network) >= FAILURES_PER_MINUTE && !signers.has(network)
      return isBlocked ? toSeconds(failures.msLeft(network)) : 0
    },
    requestFailed(address) {
      const network = networkOf(address)
      if (failures.add(network) < FAILURES_PER_MINUTE) return
      anyBlockedUntil = Math.max(anyBlockedUntil, clock.now().getTime() + failures.msLeft(network))
    },
    signatureFailed(merNo, address) {
      const key = `${merNo} ${networkOf(address)}`
      return wrong.add(key) > WRONG_SIGNATURES_PER_MINUTE ? toSeconds(wrong.msLeft(key)) : 0
    },
    takeRequest(merNo, address) {
      signers.note(networkOf(address))
      return requests.add(String(merNo)) <= REQUESTS_PER_SECOND
    },
    hasSigned: (address) => signers.has(networkOf(address)),
  }
}

/** Converts to seconds. Rounds up, so that the window has ended when the caller has waited. */
function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

const SIGNER_MS = 10 * 60_000
/** The time after which an active network moves to the end of the eviction order again. */
const MOVE_MS = 60_000
/** The maximum number of networks. Only a valid signature adds a network, so strangers cannot evict a merchant. */
const MAX_SIGNERS = 10_000

type Signer = { at: number; movedAt: number }

/** The networks that sent a valid signature, in the order of their eviction. */
function trackSigners(clock: Clock) {
  const signers = new Map<string, Signer>()
  return {
    note(network: string): void {
      const now = clock.now().getTime()
      const signer = signers.get(network)
      if (signer !== undefined) signer.at = now
      if (signer === undefined || now - signer.movedAt >= MOVE_MS)
        putLast(signers, network, { at: now, movedAt: now }, MAX_SIGNERS)
    },
    has(network: string): boolean {
      const signer = signers.get(network)
      return signer !== undefined && clock.now().getTime() - signer.at < SIGNER_MS
    },
  }
}

/**
 * Counts events per key, in windows that begin with the key's first event. Strangers choose the keys, so the number of
 * keys is bounded.
 */
export type EventCounter = {
  count(key: string): number
  /** Counts one event, and returns the new count. */
  add(key: string): number
  /** Returns the time until the key's window ends, or 0 if nothing is counted. */
  msLeft(key: string): number
  /** Takes one event back. */
  takeBack(key: string): void
}

type Window = { readonly from: number; count: number }

const MAX_KEYS = 10_000

export function countEvents(windowMs: number, clock: Clock): EventCounter {
  const windows = new Map<string, Window>()
  const current = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    return window !== undefined && now - window.from < windowMs ? window : undefined
  }
  return {
    count: (key) => current(key, clock.now().getTime())?.count ?? 0,
    add(key) {
      const now = clock.now().getTime()
      const window = current(key, now) ?? open(windows, key, now)
      window.count++
      return window.count
    },
    msLeft(key) {
      const now = clock.now().getTime()
      const window = current(key, now)
      return window === undefined ? 0 : window.from + windowMs - now
    },
    takeBack(key) {
      const window = current(key, clock.now().getTime())
      if (window !== undefined && window.count > 0) window.count--
    },
  }
}

function open(windows: Map<string, Window>, key: string, now: number): Window {
  const window = { from: now, count: 0 }
  putLast(windows, key, window, MAX_KEYS)
  return window
}

/** Puts the entry at the end of the map. Drops the first entry if there would be more than `most` entries. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  const [oldest] = map.keys()
  if (oldest !== undefined && map.size >= most) map.delete(oldest)
  map.set(key, value)
}
