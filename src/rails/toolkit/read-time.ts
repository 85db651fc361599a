// Reads the times that counterparties report. A time outside the years 2000 to 2199 counts as malformed: the database
// could refuse it, and every retry of the report would then fail in the same way.
const FIRST_YEAR = 2000
const LAST_YEAR = 2199

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Reads ISO 8601. A text without a zone is read as UTC: `Date` would use the zone of this machine, so two nodes could
 * read different times.
 */
export function readTime(text: unknown): Date | undefined {
  const [, day, time = '00:00', zone = 'Z'] = (typeof text === 'string' && ISO.exec(text)) || []
  return day === undefined ? undefined : plausible(new Date(`${day}T${time}${zone}`))
}

export function readTimeMs(ms: unknown): Date | undefined {
  return typeof ms === 'number' ? plausible(new Date(ms)) : undefined
}

function plausible(at: Date): Date | undefined {
  const year = at.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR ? at : undefined
}
