import { type Html, html } from './page.ts'

/**
 * Replaces `{}` in a sentence by a time. Only the browser knows the reader's time zone, so the script (pay.js) rewrites every
 * `time` element in it. Without script the time is in UTC, and says so.
 */
export function sentenceWithMoment(
  sentence: string,
  at: Date,
  locale: string,
  /** The time may be far off. */
  year: 'with year' | 'without year' = 'without year',
): Html {
  const [before = '', after = ''] = sentence.split('{}')
  return html`${before}${year === 'with year' ? datedMoment(at, locale) : timeOf(at, moment(at, locale))}${after}`
}

function timeOf(at: Date, text: string): Html {
  return html`<time datetime="${at.toISOString()}">${text}</time>`
}

/** A day with its year, for what is kept. */
export function datedMoment(at: Date, locale: string): Html {
  const text = moment(at, locale, { year: 'numeric' })
  return html`<time datetime="${at.toISOString()}" data-year>${text}</time>`
}

export function moment(
  at: Date,
  locale: string,
  more: Pick<Intl.DateTimeFormatOptions, 'year'> = {},
): string {
  return new Intl.DateTimeFormat(locale, {
    ...more,
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at)
}
