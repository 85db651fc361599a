// The details that a payer enters in another app, each with a button that copies it.
import type { Translation } from '../../pages/language.ts'
import { type Html, html } from '../../pages/page.ts'

export type Fact = {
  readonly label: string
  readonly value: string
  /** A more readable form; the button still copies `value`. */
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

/** Visible only if the script runs. `whole`: the button shows the label itself. */
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

/** Groups the digits as usual for such accounts. The gaps are not text, so a manual selection copies the plain number. */
export function grouped(account: string, kind: string): Html {
  const groups: Html[] = []
  let at = 0
  for (const width of widths[kind] ?? []) {
    if (at < account.length) groups.push(html`<span>${account.slice(at, at + width)}</span><wbr>`)
    at += width
  }
  return html`<span class="grouped" dir="ltr">${groups}${at < account.length && html`<span>${account.slice(at)}</span>`}</span>`
}
