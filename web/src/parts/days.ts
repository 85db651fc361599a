// Filters show days in the person's time zone. The server gets exact times.

/**
 * Converts the text of a date-and-time field, such as `2026-01-31T09:30`. Undefined if the text is not a valid time.
 */
export function momentTyped(text: string): string | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export function minuteOf(at: string): string {
  const local = new Date(at)
  return `${dayOf(at)}T${twoDigits(local.getHours())}:${twoDigits(local.getMinutes())}`
}

export function startOfDay(day: string | undefined): string | undefined {
  return momentOf(day, 0)
}

export function endOfDay(day: string | undefined): string | undefined {
  return momentOf(day, 1)
}

/** Returns the last second of a day. A deadline at this second is shown with this day, and not with the next. */
export function lastMomentOf(day: string): string | undefined {
  const end = endOfDay(day)
  return end === undefined ? undefined : new Date(Date.parse(end) - 1_000).toISOString()
}

export function dayOf(at: string | undefined): string {
  if (at === undefined) return ''
  const local = new Date(at)
  return `${local.getFullYear()}-${twoDigits(local.getMonth() + 1)}-${twoDigits(local.getDate())}`
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0')
}

function momentOf(day: string | undefined, plusDays: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + plusDays).toISOString()
}
