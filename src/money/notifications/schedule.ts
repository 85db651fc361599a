// The documented retry schedule of nine deliveries. The first delivery is immediate. The next deliveries follow 1, 2, 4
// … 128 minutes after the previous delivery.

export const MOST_DELIVERIES = 9
export const TIMEOUT_MS = 15_000

/** The time that the worker has to record an attempt after the attempt's time-out. */
const LEASE_MARGIN_MS = 5_000

export function leaseMs(timeoutMs: number): number {
  return timeoutMs + LEASE_MARGIN_MS
}

/** Returns the wait after this delivery (1 is the first), or undefined after the last. */
export function waitAfterMs(delivery: number, minuteMs: number): number | undefined {
  return delivery < MOST_DELIVERIES ? minuteMs * 2 ** (delivery - 1) : undefined
}

export function waitsMs(minuteMs: number): number[] {
  return Array.from({ length: MOST_DELIVERIES - 1 }, (_, at) => minuteMs * 2 ** at)
}

export function nextDueAt(leftAt: Date, delivery: number, minuteMs: number): Date | undefined {
  const wait = waitAfterMs(delivery, minuteMs)
  return wait === undefined ? undefined : new Date(leftAt.getTime() + wait)
}

/** Returns by how much a delivery may be late after a wait of `waitMs`. The wait is 0 for the first delivery. */
export function toleranceMs(waitMs: number): number {
  return waitMs / 10 + 200
}
