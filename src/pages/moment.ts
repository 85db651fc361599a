/** A moment in words. Where the reader is, only the browser knows: it says the moment anew in its own time. */
export function moment(at: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at)
}
