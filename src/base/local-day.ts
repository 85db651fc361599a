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

/** The moment when the clocks of the time zone first show this local time, YYYY-MM-DDTHH:mm:ss. */
export function momentOf(local: string, timezone: string): Date {
  const wanted = Date.parse(`${local}Z`)
  let moment = wanted
  // The offset at the guess is right but for the hours around a change of clocks: the second look settles it.
  for (let look = 0; look < 2; look++) {
    moment = wanted - (Date.parse(`${localTime(new Date(moment), timezone)}Z`) - moment)
  }
  return new Date(moment)
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
