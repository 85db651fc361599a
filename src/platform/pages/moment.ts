import { type Html, html } from './page.ts'

/**
 * Replaces `{}` in a sentence by a time. Only the browser knows the reader's time zone, so the script (pay.js) rewrites
 * every `time` element of a page. Without script the time is in UTC, and the text says so.
 */
export function sentenceWithMoment(
  sentence: string,
  at: Date,
  locale: string,
  /** A time in the far past or future needs its year. */
  year: 'with year' | 'without year' = 'without year',
): Html {
  const [before = '', after = ''] = sentence.split('{}')
  return html`${before}${year === 'with year' ? datedMoment(at, locale) : timeOf(at, moment(at, locale))}${after}`
}

function timeOf(at: Date, text: string): Html {
  return html`<time datetime="${at.toISOString()}">${text}</time>`
}

/** Returns a time with its year, for texts that readers keep. */
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
