// The back-off before a counterparty is asked again. Every worker that calls one uses it.

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** Short at first, then longer; hourly after a day, when an operator should check. */
export function nextAskMs(asks: number, ageMs: number): number {
  if (ageMs > 24 * HOUR_MS) return HOUR_MS
  return Math.min(2 ** Math.min(asks, 9), 300) * SECOND_MS
}

const MINUTE_MS = 60_000
/** Minutes after the start of a payment. */
const FIRST_LOOKS = [1, 3, 8, 23]
const LATER_LOOKS_EVERY = 30

/**
 * How old a waiting payment is when its channel is asked next. It depends on the age alone: whatever else is recorded meanwhile, such
 * as a visit of the payer's page, does not put the question off.
 */
export function nextLookMs(ageMs: number): number {
  const first = FIRST_LOOKS.find((minutes) => minutes * MINUTE_MS > ageMs)
  if (first !== undefined) return first * MINUTE_MS
  const every = LATER_LOOKS_EVERY * MINUTE_MS
  const last = (FIRST_LOOKS.at(-1) ?? 0) * MINUTE_MS
  return last + (Math.floor((ageMs - last) / every) + 1) * every
}

/** Added to a channel's time-out before a call counts as lost. */
export const CALL_GRACE_MS = 4_000

/**
 * Whether a call that begins now ends within its lease. A node that stood still may find its lease long over, and its row
 * decided by another node: money must not move after that (decision 0382).
 */
export function fitsLease(now: Date, timeoutMs: number, leasedUntil: Date): boolean {
  return now.getTime() + timeoutMs <= leasedUntil.getTime()
}

export const LEASE_OVER = { kind: 'unknown', why: 'the lease of this node is over' } as const
