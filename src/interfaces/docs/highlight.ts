// Highlights code on the server by CSS classes, so that pages need no script for it.
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { escapeHtml, type Html, html } from '../../platform/pages/page.ts'

type Highlighter = {
  registerLanguage(name: string, language: unknown): void
  getLanguage(name: string): object | undefined
  highlight(code: string, options: { readonly language: string }): { readonly value: string }
}

// The package is loaded by require, because its types include browser types, which contradict Node's types.
const require = createRequire(import.meta.url)
const hljs: Highlighter = require('highlight.js/lib/core')
const languages = ['bash', 'go', 'java', 'json', 'php', 'python', 'typescript']

/** Compiles one slow grammar per turn of the event loop, so that payments need not wait for all of them. */
export async function loadLanguages(): Promise<void> {
  for (const name of languages) {
    await nextTurn()
    hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))
    hljs.highlight('', { language: name })
  }
}

/** Highlights code. Text of an unknown language is only escaped. */
function highlight(code: string, language: string): Html {
  if (hljs.getLanguage(language) === undefined) return { html: escapeHtml(code) }
  return { html: hljs.highlight(code, { language }).value }
}

/** A block of highlighted code. `before` is plain text above the code. */
export function codeBlock(code: string, language: string, before = ''): Html {
  const text = code.replace(/\n+$/, '')
  return html`<div class="listing"><pre tabindex="0"><code>${before}${highlight(text, language)}</code></pre></div>
`
}

export function jsonBlock(value: unknown, before = ''): Html {
  return codeBlock(JSON.stringify(value, undefined, 2), 'json', before)
}
