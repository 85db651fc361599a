// A moment in the person's locale and time zone. The tooltip shows it in UTC.
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

/** A day such as `2026-01-31` has no time zone: it is the same day everywhere. */
export function formatDay(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { ...formats.date, timeZone: 'UTC' }).format(new Date(day))
}
