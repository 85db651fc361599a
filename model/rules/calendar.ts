// Settlement and the release of a margin are due at the beginning of a calendar day in the merchant's time zone.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const known = new Map<string, number>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day in a time zone, as YYYY-MM-DD. */
export function dayOf(atMs: number, timezone: string): string {
  const format = formats.get(timezone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: timezone })
  formats.set(timezone, format)
  return format.format(atMs)
}

/** The first moment of the day that is `days` calendar days after the day of `atMs`. */
export function startOfLaterDay(atMs: number, days: number, timezone: string): number {
  const middayMs = Date.parse(`${dayOf(atMs, timezone)}T12:00:00Z`) + days * DAY_MS
  const wanted = new Date(middayMs).toISOString().slice(0, 10)
  const key = `${wanted} ${timezone}`
  const found = known.get(key) ?? firstMomentOf(wanted, middayMs, timezone)
  known.set(key, found)
  return found
}

/**
 * Searches from 30 hours before to 30 hours after midday UTC. The day begins in this range, because no time zone is
 * more than 15 hours away from UTC.
 */
function firstMomentOf(wanted: string, middayMs: number, timezone: string): number {
  let [before, after] = [middayMs - 30 * HOUR_MS, middayMs + 30 * HOUR_MS]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayOf(middle, timezone) < wanted) before = middle
    else after = middle
  }
  return after
}
