// Renders the plain text and the HTML of a mail from the same lines. People typed the values, so values are cut and
// lose their control characters. No value can begin a new header or line.
import { html } from '../pages/page.ts'
import type { MailLanguage, Template, Values } from './mail.ts'
import { mailWords } from './words.ts'

export type RenderedMail = {
  readonly subject: string
  readonly lines: readonly string[]
  readonly text: string
  readonly html: string
}

const VALUE_LENGTH = 300

export function renderMail(
  template: Template,
  language: MailLanguage,
  values: Values,
  link?: string,
): RenderedMail {
  const words = mailWords[language][template](cleanValues(values))
  const address = link === undefined ? [] : ['', link]
  return {
    subject: words.subject,
    lines: words.lines,
    text: `${[...words.lines, ...address, '', 'Tollgate'].join('\n')}\n`,
    html: html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${words.subject}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;color:#1f2937;max-width:36em;margin:2em auto;padding:0 1em">
${words.lines.map((line) => html`<p>${line}</p>`)}
${link && html`<p><a href="${link}" style="color:#0f766e;font-weight:600">${words.link ?? link}</a></p>`}
<p style="color:#6b7280">Tollgate</p>
</body></html>
`.html,
  }
}

function cleanValues(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, clean(value)]))
}

function clean(value: string): string {
  const plain = value.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return plain.length > VALUE_LENGTH ? `${plain.slice(0, VALUE_LENGTH)}…` : plain
}
