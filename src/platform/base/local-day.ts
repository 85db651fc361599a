// Calendar days in a time zone. A day is written YYYY-MM-DD.
import { memoize } from './memoize.ts'

const MOST_KNOWN = 1_000

// Creating a formatter is slow, so formatters are cached. With this hour cycle midnight is 00:00, and never 24:00.
const formatterOf = memoize(
  MOST_KNOWN,
  (timeZone) =>
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
)

type KnownDay = { readonly day: string; readonly fromMs: number; readonly untilMs: number }

const lastDays = new Map<string, KnownDay>()

/**
 * The calendar day at this time in a time zone. The last result of each zone is cached, because most calls are about
 * the same day.
 */
export function localDay(at: Date, timezone: string): string {
  const atMs = at.getTime()
  const known = lastDays.get(timezone)
  if (known !== undefined && atMs >= known.fromMs && atMs < known.untilMs) return known.day
  const day = localTime(at, timezone).slice(0, 10)
  const fromMs = startOfDay(day, timezone).getTime()
  lastDays.set(timezone, { day, fromMs, untilMs: startOfDay(addDays(day, 1), timezone).getTime() })
  return day
}

/** The local time as YYYY-MM-DDTHH:mm:ss. */
export function localTime(at: Date, timezone: string): string {
  return formatterOf(timezone).format(at).replace(', ', 'T')
}

const DAY_MS = 86_400_000

/**
 * Returns the first moment with this local time. If a clock change skips the local time, returns the moment of the
 * change.
 */
export function momentOf(local: string, timezone: string): Date {
  const wanted = Date.parse(`${local}Z`)
  // The code assumes at most one clock change within two days. Therefore one of these two offsets applies.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((at) => shownAt(at, timezone) - at)
  const early = wanted - Math.max(...offsets)
  const late = wanted - Math.min(...offsets)
  const found = [early, late].find((at) => shownAt(at, timezone) === wanted)
  return new Date(found ?? changeBetween(early, late, wanted, timezone))
}

/** Returns the local time as the timestamp that the same date and time would have in UTC. */
function shownAt(atMs: number, timezone: string): number {
  return Date.parse(`${localTime(new Date(atMs), timezone)}Z`)
}

/**
 * Finds the clock change by binary search. The local time is before the wanted time at `early`, and after it at `late`.
 */
function changeBetween(early: number, late: number, wanted: number, timezone: string): number {
  let [low, high] = [early / 1000, late / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (shownAt(middle * 1000, timezone) < wanted) low = middle
    else high = middle
  }
  return high * 1000
}

const knownStart = memoize(MOST_KNOWN, (dayAndZone) => {
  const [day = '', timezone = ''] = dayAndZone.split(' ')
  return momentOf(`${day}T00:00:00`, timezone).getTime()
})

/**
 * The first moment of a day. Results are cached, here and in `addDays`, because every payment of a day needs the same
 * few days.
 */
export function startOfDay(day: string, timezone: string): Date {
  return new Date(knownStart(`${day} ${timezone}`))
}

const knownSum = memoize(MOST_KNOWN, (dayAndDays) => {
  const [day = '', days = ''] = dayAndDays.split(' ')
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + Number(days))
  return at.toISOString().slice(0, 10)
})

export function addDays(day: string, days: number): string {
  return knownSum(`${day} ${days}`)
}
