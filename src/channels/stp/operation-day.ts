// Days at STP are Mexico's. An order registered in the evening or at a weekend belongs to the next working day.

const DAY_MS = 86_400_000
/** A long weekend with holidays. */
const MOST_DAYS = 5

const inMexico = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' })

/** YYYYMMDD. */
export function dayOf(at: Date): string {
  return inMexico.format(at).replaceAll('-', '')
}

/** The days to look for an order of that day, newest last. Undefined is today, which STP wants left out. */
export function daysSince(day: string, now: Date): readonly (string | undefined)[] {
  const today = dayOf(now)
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(day) ?? []
  const first = Date.UTC(Number(year), Number(month) - 1, Number(date))
  const next = Array.from({ length: MOST_DAYS + 1 }, (_, after) =>
    new Date(first + after * DAY_MS).toISOString().slice(0, 10).replaceAll('-', ''),
  )
  return [undefined, ...next.filter((one) => one < today)]
}
