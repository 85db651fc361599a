// The times that counterparties report. They are stored, and a year that no payment can have would be refused by the database
// each time that the report is repeated.
const FIRST_YEAR = 2000
const LAST_YEAR = 2199

/** ISO 8601: the day, the time and the zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Undefined when the text is not ISO 8601, or no time of ours. Without a zone it is UTC: `Date` would take the zone of this
 * machine, and two nodes would read two times.
 */
export function readTime(text: unknown): Date | undefined {
  const [, day, time = '00:00', zone = 'Z'] = (typeof text === 'string' && ISO.exec(text)) || []
  return day === undefined ? undefined : plausible(new Date(`${day}T${time}${zone}`))
}

/** In milliseconds since 1970. */
export function readTimeMs(ms: unknown): Date | undefined {
  return typeof ms === 'number' ? plausible(new Date(ms)) : undefined
}

function plausible(at: Date): Date | undefined {
  const year = at.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR ? at : undefined
}
