import type { Translation } from '../../pages/language.ts'
import { sentenceWithMoment } from '../../pages/moment.ts'
import { type Html, html } from '../../pages/page.ts'

/** The payment deadline. The script shows it in the payer's time zone, counts down the last hours, and says when it has passed. */
export function deadline(expiresAt: Date | undefined, { words, locale }: Translation): Html | undefined {
  if (expiresAt === undefined) return undefined
  const { left, until, over } = words.time
  return html`<p class="deadline" data-until="${expiresAt.toISOString()}" data-left="${left('{}')}" data-over="${over}">${sentenceWithMoment(until('{}'), expiresAt, locale)}</p>`
}
