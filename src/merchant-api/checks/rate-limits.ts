// How often a caller may come. Off in sandbox. Each process counts for itself.
//
// Wrong signatures count by merchant and network, so that nobody can keep a merchant out by guessing from elsewhere, and never
// stand in the way of a right one. All requests that fail before their signature was found right count by network; beyond the
// bound a network is not read from at all, unless somebody there has lately shown that it holds a key.
import type { Clock } from '../../base/clock.ts'
import { networkOf } from '../../http/network-of.ts'
import { countEvents } from '../../http/server/rate-limit.ts'

export type ClientLimits = {
  /** How long until requests from there are read again; 0: they are. */
  blockedSeconds(address: string): number
  /** A request from there failed before its signature was found right. */
  requestFailed(address: string): void
  /** Counts a wrong signature; how long to wait when there were too many, else 0. */
  signatureFailed(merNo: number, address: string): number
  /** Counts a request with a right signature; false when the merchant is over its rate. */
  takeRequest(merNo: number, address: string): boolean
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
    }
  const wrong = countEvents(60_000, clock)
  const failures = countEvents(60_000, clock)
  const requests = countEvents(1_000, clock)
  const signers = rememberSigners(clock)
  // Mostly nobody is blocked: then a request costs one comparison here.
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
  }
}

/** Rounded up: whoever waits that long finds the window over. */
function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

const SIGNER_MS = 10 * 60_000
/** How often one that signs all the time moves behind the others, which come and go. */
const MOVE_MS = 60_000
/** Only right signatures get in here, so strangers push nobody out. */
const MAX_SIGNERS = 10_000

type Signer = { at: number; movedAt: number }

/** Networks by when somebody there last signed rightly, the one that did so longest ago first. */
function rememberSigners(clock: Clock) {
  const signers = new Map<string, Signer>()
  const move = (network: string, signer: Signer) => {
    signers.delete(network)
    const [oldest] = signers.keys()
    if (oldest !== undefined && signers.size >= MAX_SIGNERS) signers.delete(oldest)
    signers.set(network, signer)
  }
  return {
    note(network: string): void {
      const now = clock.now().getTime()
      const signer = signers.get(network)
      if (signer !== undefined) signer.at = now
      if (signer === undefined || now - signer.movedAt >= MOVE_MS) move(network, { at: now, movedAt: now })
    },
    has(network: string): boolean {
      const signer = signers.get(network)
      return signer !== undefined && clock.now().getTime() - signer.at < SIGNER_MS
    },
  }
}
