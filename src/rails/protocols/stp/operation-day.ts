// Days at STP are Mexico's. An order registered in the evening or at a weekend belongs to the next working day.
//
// Our clock and STP's may differ by hours, so that what is yesterday for us is STP's current day, or what is today its next one.

const DAY_MS = 86_400_000
/** A long weekend with holidays. */
const MOST_DAYS = 5

const inMexico = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' })

/** YYYYMMDD. */
export function dayOf(at: Date): string {
  return inMexico.format(at).replaceAll('-', '')
}

/** As long as a gateway may be down. */
const MOST_MISSED = 30

/** From the day before `last` until today. */
export function daysUntil(now: Date, last: string): readonly string[] {
  const today = dayOf(now)
  const first = startOf(last < today ? last : today) - DAY_MS
  const days = Array.from({ length: MOST_MISSED + 2 }, (_, after) => dateOf(startOf(today) - after * DAY_MS))
  return days.filter((day) => day >= dateOf(first)).reverse()
}

/**
 * The days to look for an order of that day, newest last. Undefined is STP's current day, which it wants left out. From the
 * evening on that is the next working day, so today is asked about by its name too: STP has an order of this afternoon there.
 * The day before is asked about because our clock may have been ahead when we sent it.
 */
export function daysSince(day: string, now: Date): readonly (string | undefined)[] {
  const today = dayOf(now)
  const next = Array.from({ length: MOST_DAYS + 2 }, (_, after) => dayAfter(day, after - 1))
  return [undefined, ...next.filter((one) => one <= today)]
}

/** The days to ask about for the list of that day. */
export function daysListing(day: string, now: Date): readonly (string | undefined)[] {
  const today = dayOf(now)
  if (!/^\d{8}$/.test(day) || day > today) return [undefined]
  if (day === today) return [undefined, day]
  return mayBeCurrent(day, now) ? [day, undefined] : [day]
}

/** Whether deposits of that day may still be reported: the watcher looks back as far. What is no day is taken for the current one. */
export function isReadable(day: string, now: Date): boolean {
  return !/^\d{8}$/.test(day) || day >= dayAfter(dayOf(now), -MOST_MISSED - 1)
}

/** Whether it may be STP's current day, which is listed without its name. */
export function mayBeCurrent(day: string, now: Date): boolean {
  return day >= dayAfter(dayOf(now), -1)
}

function dayAfter(day: string, count: number): string {
  return dateOf(startOf(day) + count * DAY_MS)
}

/** Calendar days are counted in UTC, which has no changes of the clock. */
function startOf(day: string): number {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(day) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(date))
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}
