import type { Tongue } from '../../pages/language.ts'
import { moment } from '../../pages/moment.ts'
import { type Html, html } from '../../pages/page.ts'

/** Until when to pay. The script counts down, or says the moment in the payer's own time; at the end it says so calmly. */
export function deadline(expiresAt: Date | undefined, { words, locale }: Tongue): Html | undefined {
  if (expiresAt === undefined) return undefined
  const { left, until, over } = words.time
  return html`<p class="deadline" data-until="${expiresAt.toISOString()}" data-left="${left('{}')}" data-by="${until('{}')}" data-over="${over}">${until(moment(expiresAt, locale))}</p>`
}
