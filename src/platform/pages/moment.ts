import { type Html, html } from './page.ts'

/** Replaces `{}` by a time in UTC. The script pay.js rewrites `time` elements in the browser's time zone. */
export function sentenceWithMoment(
  sentence: string,
  at: Date,
  locale: string,
  year: 'with year' | 'without year' = 'without year',
): Html {
  const [before = '', after = ''] = sentence.split('{}')
  const time = html`<time datetime="${at.toISOString()}">${moment(at, locale)}</time>`
  return html`${before}${year === 'with year' ? datedMoment(at, locale) : time}${after}`
}

/** Returns a time with its year, for texts that readers keep and for times in the far past or future. */
export function datedMoment(at: Date, locale: string): Html {
  const text = moment(at, locale, { year: 'numeric' })
  return html`<time datetime="${at.toISOString()}" data-year>${text}</time>`
}

export function moment(at: Date, locale: string, more: { readonly year?: 'numeric' } = {}): string {
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
