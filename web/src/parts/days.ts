// Days of filters are the person's own; the server gets moments.

/** The first moment of a day, as in `2026-01-31`. */
export function startOfDay(day: string | undefined): string | undefined {
  return momentOf(day, 0)
}

/** The first moment after a day. */
export function endOfDay(day: string | undefined): string | undefined {
  return momentOf(day, 1)
}

function momentOf(day: string | undefined, plusDays: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + plusDays).toISOString()
}
