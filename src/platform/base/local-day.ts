// Calendar days in a time zone. A day is written YYYY-MM-DD.

const formatters = new Map<string, Intl.DateTimeFormat>()

// Creating a formatter is slow, so formatters are cached. With this hour cycle midnight is 00:00, and never 24:00.
function formatterOf(timezone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timezone)
  if (cached !== undefined) return cached
  const formatter = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatters.set(timezone, formatter)
  return formatter
}

type KnownDay = { readonly day: string; readonly fromMs: number; readonly untilMs: number }

const lastDays = new Map<string, KnownDay>()

/** Returns the local day at `at`. The last day of each zone is cached, because most calls are about the same day. */
export function localDay(at: Date, timezone: string): string {
  const atMs = at.getTime()
  const known = lastDays.get(timezone)
  if (known !== undefined && atMs >= known.fromMs && atMs < known.untilMs) return known.day
  const day = localTime(at, timezone).slice(0, 10)
  const fromMs = startOfDay(day, timezone).getTime()
  lastDays.set(timezone, { day, fromMs, untilMs: startOfDay(addDays(day, 1), timezone).getTime() })
  return day
}

/** Returns the local time as YYYY-MM-DDTHH:mm:ss. */
export function localTime(at: Date, timezone: string): string {
  return formatterOf(timezone).format(at).replace(', ', 'T')
}

const DAY_MS = 86_400_000

/**
 * Returns the first moment with this local time (YYYY-MM-DDTHH:mm:ss). If a clock change skips the local time, returns
 * the moment of the clock change.
 */
export function momentOf(local: string, timezone: string): Date {
  const wanted = Date.parse(`${local}Z`)
  // The code assumes at most one clock change within two days, so one of these two offsets applies.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((at) => shownAt(at, timezone) - at)
  const early = wanted - Math.max(...offsets)
  const late = wanted - Math.min(...offsets)
  const found = [early, late].find((at) => shownAt(at, timezone) === wanted)
  return new Date(found ?? changeBetween(early, late, wanted, timezone))
}

/** Returns the local time, to the second, as the timestamp that the same date and time would have in UTC. */
function shownAt(atMs: number, timezone: string): number {
  return Date.parse(`${localTime(new Date(atMs), timezone)}Z`)
}

/**
 * Finds by binary search the moment of the clock change that skips the wanted local time. At `early` the local time is
 * before the wanted time, and at `late` the local time is after the wanted time.
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

const knownStarts = new Map<string, number>()
const MOST_KNOWN = 1_000

/** Returns the moment when a local day begins. Results are cached: every payment of a day needs the same few days. */
export function startOfDay(day: string, timezone: string): Date {
  const key = `${day} ${timezone}`
  const known = knownStarts.get(key)
  if (known !== undefined) return new Date(known)
  const start = momentOf(`${day}T00:00:00`, timezone)
  if (knownStarts.size >= MOST_KNOWN) knownStarts.clear()
  knownStarts.set(key, start.getTime())
  return start
}

const knownSums = new Map<string, string>()

/** Adds days to a day. Results are cached: every payment of a day needs the same few days. */
export function addDays(day: string, days: number): string {
  const key = `${day} ${days}`
  const known = knownSums.get(key)
  if (known !== undefined) return known
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  const sum = at.toISOString().slice(0, 10)
  if (knownSums.size >= MOST_KNOWN) knownSums.clear()
  knownSums.set(key, sum)
  return sum
}
