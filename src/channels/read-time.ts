// The times that counterparties report. They are stored, and a year that no payment can have would be refused by the database
// each time that the report is repeated.
const FIRST_YEAR = 2000
const LAST_YEAR = 2199

/** Undefined when the text is no time, or not one of ours. */
export function readTime(text: unknown): Date | undefined {
  return typeof text === 'string' ? plausible(new Date(text)) : undefined
}

/** In milliseconds since 1970. */
export function readTimeMs(ms: unknown): Date | undefined {
  return typeof ms === 'number' ? plausible(new Date(ms)) : undefined
}

function plausible(at: Date): Date | undefined {
  const year = at.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR ? at : undefined
}
