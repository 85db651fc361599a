// Reads the times that counterparties report. A time outside the years 2000 to 2199 counts as malformed, because the
// database could refuse it, and would refuse it again at every retry of the report.
const FIRST_YEAR = 2000
const LAST_YEAR = 2199

/** ISO 8601: the day, and optionally the time and the zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Reads the time in a text; undefined if the text is not ISO 8601 or the year is out of range. A text without a zone is
 * read as UTC: `Date` would use the zone of this machine, so two nodes could read different times.
 */
export function readTime(text: unknown): Date | undefined {
  const [, day, time = '00:00', zone = 'Z'] = (typeof text === 'string' && ISO.exec(text)) || []
  return day === undefined ? undefined : plausible(new Date(`${day}T${time}${zone}`))
}

/** Reads a time in milliseconds since 1970; undefined if the year is out of range. */
export function readTimeMs(ms: unknown): Date | undefined {
  return typeof ms === 'number' ? plausible(new Date(ms)) : undefined
}

function plausible(at: Date): Date | undefined {
  const year = at.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR ? at : undefined
}
