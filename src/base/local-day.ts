// Days as people in a time zone count them.

const formatters = new Map<string, Intl.DateTimeFormat>()

/** YYYY-MM-DD of the moment, in the time zone. */
export function localDay(at: Date, timezone: string): string {
  let formatter = formatters.get(timezone)
  if (formatter === undefined) {
    // Canada's English writes dates in this order; making a formatter is slow, so each is kept.
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formatters.set(timezone, formatter)
  }
  return formatter.format(at)
}
