// The documented retry schedule as pure functions: nine deliveries, the first immediately, then 1, 2, 4 … 128 minutes after
// the one before.

export const MOST_DELIVERIES = 9
export const TIMEOUT_MS = 15_000

/** How long after its time-out an attempt's worker may still record it. */
const LEASE_MARGIN_MS = 5_000

export function leaseMs(timeoutMs: number): number {
  return timeoutMs + LEASE_MARGIN_MS
}

/** How long after this delivery (1 is the first) the next one is due; undefined after the last. */
export function waitAfterMs(delivery: number, minuteMs: number): number | undefined {
  return delivery < MOST_DELIVERIES ? minuteMs * 2 ** (delivery - 1) : undefined
}

/** All waits in order, for SQL statements. */
export function waitsMs(minuteMs: number): number[] {
  return Array.from({ length: MOST_DELIVERIES - 1 }, (_, at) => minuteMs * 2 ** at)
}

/** When the next delivery is due; undefined when there is none. */
export function nextDueAt(leftAt: Date, delivery: number, minuteMs: number): Date | undefined {
  const wait = waitAfterMs(delivery, minuteMs)
  return wait === undefined ? undefined : new Date(leftAt.getTime() + wait)
}

/** How late a delivery may be sent, by the wait before it; the first has none. */
export function toleranceMs(waitMs: number): number {
  return waitMs / 10 + 200
}
