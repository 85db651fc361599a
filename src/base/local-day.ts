// Days as people in a time zone count them. A day is written YYYY-MM-DD.

const formatters = new Map<string, Intl.DateTimeFormat>()

// Making a formatter is slow, so each is kept. The hour cycle avoids the 24:00 that some engines write for midnight.
function formatterOf(timezone: string): Intl.DateTimeFormat {
  const kept = formatters.get(timezone)
  if (kept !== undefined) return kept
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatters.set(timezone, made)
  return made
}

type KnownDay = { readonly day: string; readonly fromMs: number; readonly untilMs: number }

const lastDays = new Map<string, KnownDay>()

/** The day of a moment in the time zone. The last one is remembered: thousands of moments a second fall on the same. */
export function localDay(at: Date, timezone: string): string {
  const atMs = at.getTime()
  const known = lastDays.get(timezone)
  if (known !== undefined && atMs >= known.fromMs && atMs < known.untilMs) return known.day
  const day = localTime(at, timezone).slice(0, 10)
  const fromMs = startOfDay(day, timezone).getTime()
  lastDays.set(timezone, { day, fromMs, untilMs: startOfDay(addDays(day, 1), timezone).getTime() })
  return day
}

/** YYYY-MM-DDTHH:mm:ss on the clocks of the time zone. */
export function localTime(at: Date, timezone: string): string {
  return formatterOf(timezone).format(at).replace(', ', 'T')
}

const DAY_MS = 86_400_000

/**
 * The first moment when the clocks of the time zone show this local time, YYYY-MM-DDTHH:mm:ss, or a later one where a change
 * of clocks skips it.
 */
export function momentOf(local: string, timezone: string): Date {
  const wanted = Date.parse(`${local}Z`)
  // Clocks change once at most within two days, so one of these two offsets is in force at that time.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((at) => shownAt(at, timezone) - at)
  const early = wanted - Math.max(...offsets)
  const late = wanted - Math.min(...offsets)
  const found = [early, late].find((at) => shownAt(at, timezone) === wanted)
  return new Date(found ?? changeBetween(early, late, wanted, timezone))
}

/** What the clocks show, as if they were those of UTC; to the second. */
function shownAt(atMs: number, timezone: string): number {
  return Date.parse(`${localTime(new Date(atMs), timezone)}Z`)
}

/** The moment when clocks leap over the wanted time: `early` shows less than that, `late` more. */
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

/** The moment when a day begins in the time zone. Remembered: every payment of a day asks for the same few. */
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

/** Remembered, as above. */
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
