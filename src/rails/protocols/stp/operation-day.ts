// STP's operation days, in Mexican time. An order that is registered in the evening or at a weekend belongs to the next
// working day. Our clock and STP's clock may differ by hours, so STP's current day may be yesterday or tomorrow for us.

const DAY_MS = 86_400_000
/** The largest number of days between the registration of an order and its operation day: a weekend with holidays. */
const MOST_DAYS = 5

const inMexico = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' })

/** Returns the day in Mexico as YYYYMMDD. */
export function dayOf(at: Date): string {
  return inMexico.format(at).replaceAll('-', '')
}

/** The maximum downtime of the gateway, in days, after which the watcher still finds all deposits. */
const MOST_MISSED = 30

/** Returns the days from the day before `last` to today, but only the latest MOST_MISSED + 2 of these days. */
export function daysUntil(now: Date, last: string): readonly string[] {
  const today = dayOf(now)
  const first = startOf(last < today ? last : today) - DAY_MS
  const days = Array.from({ length: MOST_MISSED + 2 }, (_, after) => dateOf(startOf(today) - after * DAY_MS))
  return days.filter((day) => day >= dateOf(first)).reverse()
}

/**
 * Returns the days on which STP may list an order sent on `day`. Undefined stands for STP's current day, which must be
 * queried without a date. Today is also queried by its date, because in the evening STP's current day is the next
 * working day. The day before `day` is included, because our clock may have been ahead.
 */
export function daysSince(day: string, now: Date): readonly (string | undefined)[] {
  const today = dayOf(now)
  const next = Array.from({ length: MOST_DAYS + 2 }, (_, after) => dayAfter(day, after - 1))
  return [undefined, ...next.filter((one) => one <= today)]
}

/** Returns the days to query for the list of `day`. Undefined stands for STP's current day. */
export function daysListing(day: string, now: Date): readonly (string | undefined)[] {
  const today = dayOf(now)
  if (!/^\d{8}$/.test(day) || day > today) return [undefined]
  if (day === today) return [undefined, day]
  return mayBeCurrent(day, now) ? [day, undefined] : [day]
}

/** True if the day is recent enough for the watcher to read it. A text that is not a day counts as the current day. */
export function isReadable(day: string, now: Date): boolean {
  return !/^\d{8}$/.test(day) || day >= dayAfter(dayOf(now), -MOST_MISSED - 1)
}

/** True if the day may be STP's current day, which is listed without a date. */
export function mayBeCurrent(day: string, now: Date): boolean {
  return day >= dayAfter(dayOf(now), -1)
}

function dayAfter(day: string, count: number): string {
  return dateOf(startOf(day) + count * DAY_MS)
}

/** Returns the start of the day in UTC. Days are counted in UTC, because UTC has no daylight saving time. */
function startOf(day: string): number {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(day) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(date))
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}
