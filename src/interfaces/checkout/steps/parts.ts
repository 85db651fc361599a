// Parts that several steps share.

import type { Money } from '../../../platform/base/money.ts'
import { moneyOf } from '../../../platform/pages/amount.ts'
import type { Translation } from '../../../platform/pages/language.ts'
import { sentenceWithMoment } from '../../../platform/pages/moment.ts'
import { type Html, html, symbol, webLink } from '../../../platform/pages/page.ts'
import type { Words } from '../../../platform/pages/translations/en.ts'
import type { PayerAction } from '../../../rails/contract/channel.ts'
import { wordsOf } from '../../../rails/methods/methods.ts'
import type { PageContext, Step } from '../page-layout.ts'
import type { CheckoutView } from '../view.ts'

export type StepParts = {
  readonly context: PageContext
  readonly view: CheckoutView
  readonly translation: Translation
}

export type ActionOf<Kind> = Extract<PayerAction, { readonly kind: Kind }>

export type Fact = {
  readonly label: string
  readonly value: string
  /** `value` in a form that is easier to read. The button still copies `value`. */
  readonly shown?: Html
  readonly copies?: boolean
}

export function facts(list: readonly (Fact | undefined)[], translation: Translation): Html {
  const given = list.filter((fact) => fact !== undefined)
  return html`<dl class="facts">${given.map((fact) => row(fact, translation))}</dl>`
}

function row({ label, value, shown, copies = true }: Fact, translation: Translation): Html {
  return html`<div><dt>${label}</dt><dd><bdi>${shown ?? value}</bdi></dd>${copies && html`<dd class="do">${copyButton(value, label, translation)}</dd>`}</div>`
}

/**
 * Returns a button that copies the value. The button is visible only if the script runs. A `whole` button shows the
 * label as its text.
 */
export function copyButton(
  value: string,
  label: string,
  { words }: Translation,
  size: 'small' | 'whole' = 'small',
): Html {
  const { button, done, named } = words.copy
  const isSmall = size === 'small'
  return html`<button type="button" class="${isSmall ? 'copy' : 'button quiet copy'}" data-copy="${value}" data-done="${done}"${
    isSmall && html` aria-label="${named(label)}"`
  } aria-live="polite">${isSmall ? button : label}</button>`
}

const widths: Readonly<Record<string, readonly number[]>> = {
  clabe: [3, 3, 11, 1],
  cci: [3, 3, 12, 2],
  iban: Array.from({ length: 9 }, () => 4),
}

/**
 * Writes the account number in groups of digits. The gaps are no characters, so a manual selection copies the plain
 * number.
 */
export function grouped(account: string, kind: string): Html {
  const groups: Html[] = []
  let at = 0
  for (const width of widths[kind] ?? []) {
    if (at < account.length) groups.push(html`<span>${account.slice(at, at + width)}</span><wbr>`)
    at += width
  }
  return html`<span class="grouped" dir="ltr">${groups}${at < account.length && html`<span>${account.slice(at)}</span>`}</span>`
}

/**
 * Shows the payment deadline. The script converts it to the payer's own time, counts down the last hours, and says when
 * the time is over.
 */
export function deadline(expiresAt: Date | undefined, { words, locale }: Translation): Html | undefined {
  if (expiresAt === undefined) return undefined
  const { left, until, over } = words.time
  return html`<p class="deadline" data-until="${expiresAt.toISOString()}" data-left="${left('{}')}" data-over="${over}">${sentenceWithMoment(until('{}'), expiresAt, locale)}</p>`
}

export function alert(tone: 'bad' | 'wait', title: string, text?: string | undefined): Html {
  return html`<div class="note ${tone}-note" role="alert">${symbol(tone === 'bad' ? 'failed' : 'notice')}
<div><p class="strong">${title}</p>${text && html`<p>${text}</p>`}</div></div>`
}

/** A note with useful information. A screen reader does not interrupt the payer to read it. */
export function note(title: string, text: string): Html {
  return html`<div class="note wait-note">${symbol('notice')}
<div><p class="strong">${title}</p><p>${text}</p></div></div>`
}

export function partPaid({ view, translation: { words, locale } }: StepParts): Html | undefined {
  if (view.received === undefined) return undefined
  const { heading, text } = words.part
  return note(heading, text(moneyOf(view.received, locale), moneyOf(stillDue(view), locale)))
}

export function stillDue({ money, received }: CheckoutView): Money {
  return { amount: money.amount - (received?.amount ?? 0n), currency: money.currency }
}

/** The step after the payer's part is done, while the bank, the wallet or the gateway still works. */
export function processing({ words }: Translation): Step {
  const { title, heading, text, leave } = words.waiting
  return {
    title,
    live: true,
    step: html`${symbol('waiting')}
<div role="status"><h1>${heading}</h1>
<p>${text}</p></div>
<p class="soft">${leave}</p>`,
  }
}

export function waiting({ words }: Translation): Html {
  return html`<p class="waiting" role="status">${words.waiting.forPayment}</p>`
}

// Channels give reasons in English. Common reasons are translated. All other reasons are shown unchanged.

const known: readonly (readonly [pattern: RegExp, reason: keyof Words['reasons']])[] = [
  [/insufficient|not enough|funds/i, 'insufficientFunds'],
  [/expired card|card (has )?expired/i, 'expiredCard'],
  [/security code|\bcvc\b|\bcvv\b/i, 'securityCode'],
  [/authenticat|verif|3-?d ?s|challenge|wrong code/i, 'notConfirmed'],
  [/expired|ran out|too late|in time/i, 'expired'],
  [/cancel/i, 'cancelled'],
  [/could not be reached|refused to open|not available|unavailable/i, 'unavailable'],
  [/declined|refused|rejected/i, 'declined'],
]

export function reasonOf(message: string, words: Words): string {
  const found = known.find(([pattern]) => pattern.test(message))
  if (found !== undefined) return words.reasons[found[1]]
  return message === '' ? words.reasons.declined : sentence(message)
}

export function sentence(text: string): string {
  if (text === '') return ''
  return /[.!?。]$/.test(text) ? text : `${text}.`
}

export function leaveButtons(parts: StepParts): Html {
  const { context, view, translation } = parts
  return html`<div class="more">
${view.maySwitch && smallForm(`${context.basePath}switch`, view, translation.words.ways.another)}
${cancelForm(parts)}
</div>`
}

export function cancelForm({ context, view, translation: { words } }: StepParts): Html | undefined {
  const label = view.returnUrl === '' ? words.links.cancel : words.ways.cancel
  return view.mayCancel ? smallForm(`${context.basePath}cancel`, view, label) : undefined
}

/**
 * Returns a form with one button. The form contains the number of attempts, so that an old page cannot cancel a later
 * attempt.
 */
function smallForm(action: string, { attempts }: CheckoutView, label: string): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="attempt" value="${attempts}"><button class="link">${label}</button></form>`
}

/**
 * Returns the button that leads to the shop. After `afterS` seconds the page goes to the shop by itself, unless the
 * payer chooses to stay.
 */
export function returnButton(returnUrl: string, { words }: Translation, afterS: number): Html | undefined {
  const link = webLink(returnUrl)
  if (link === undefined) return undefined
  return html`<a class="button" href="${link}" rel="noreferrer" data-auto-return="${afterS}">${words.ways.back}</a>
<p class="timer"><span data-timer="${words.ways.backIn('{}')}"></span> <button type="button" class="link" data-stay hidden>${words.ways.stay}</button></p>`
}

export function methodName({ view: { method }, translation: { words } }: StepParts): string {
  return method === undefined ? '' : wordsOf(method, words).name
}
