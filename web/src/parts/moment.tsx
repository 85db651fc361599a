// A point in time in the person's locale and time zone. The tooltip shows the time in UTC.
import { useLanguage } from '../words/use-words.tsx'

type Shown = 'date' | 'time' | 'seconds'

const formats: Readonly<Record<Shown, Intl.DateTimeFormatOptions>> = {
  date: { dateStyle: 'medium' },
  time: { dateStyle: 'medium', timeStyle: 'short' },
  seconds: { dateStyle: 'medium', timeStyle: 'medium' },
}

export function Moment({ at, show = 'time' }: { readonly at: string; readonly show?: Shown }) {
  const { locale } = useLanguage()
  return (
    <time className="moment" dateTime={at} title={`${at.replace('T', ' ').slice(0, 19)} UTC`}>
      {formatMoment(at, locale, show)}
    </time>
  )
}

export function formatMoment(at: string, locale: string, show: Shown = 'time'): string {
  return new Intl.DateTimeFormat(locale, formats[show]).format(new Date(at))
}

/**
 * Formats a day such as `2026-01-31` or a month such as `2026-01`. Days and months have no time zone, so they are the
 * same everywhere. Any other text is returned unchanged, for example a text that somebody typed in the address.
 */
export function formatDay(day: string, locale: string): string {
  const at = /^\d{4}-\d{2}(-\d{2})?$/.test(day) ? new Date(day) : new Date(Number.NaN)
  if (Number.isNaN(at.getTime())) return day
  const format = day.length === 7 ? ({ month: 'short', year: 'numeric' } as const) : formats.date
  return new Intl.DateTimeFormat(locale, { ...format, timeZone: 'UTC' }).format(at)
}

/** Formats a range of two days, both included. If a day is missing, the range is open at that end. */
export function formatDays(from: string | undefined, to: string | undefined, locale: string): string {
  const [first, last] = [from, to].map((day) => (day === undefined ? '…' : formatDay(day, locale)))
  return from === to && first !== undefined ? first : `${first} – ${last}`
}
