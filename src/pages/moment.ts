import { type Html, html } from './page.ts'

/**
 * A moment in a sentence, `{}` being its place. Only the browser knows the reader's time zone: the script writes the moment
 * anew in it (pay.js, every `time` of a page); without script it stands in UTC, and says so.
 */
export function sentenceWithMoment(sentence: string, at: Date, locale: string): Html {
  const [before = '', after = ''] = sentence.split('{}')
  return html`${before}<time datetime="${at.toISOString()}">${moment(at, locale)}</time>${after}`
}

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
