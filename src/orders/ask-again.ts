// The back-off before a counterparty is asked again. Every worker that calls one uses it.

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** Short at first, then longer; hourly after a day, when an operator should check. */
export function nextAskMs(asks: number, ageMs: number): number {
  if (ageMs > 24 * HOUR_MS) return HOUR_MS
  return Math.min(2 ** Math.min(asks, 9), 300) * SECOND_MS
}

/** Added to a channel's time-out before a call counts as lost. */
export const CALL_GRACE_MS = 4_000
