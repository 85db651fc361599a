// Highlights code on the server with CSS classes. Therefore the pages need no script for this.
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { escapeHtml, type Html, html } from '../../platform/pages/page.ts'

type Highlighter = {
  registerLanguage(name: string, language: unknown): void
  getLanguage(name: string): object | undefined
  highlight(code: string, options: { readonly language: string }): { readonly value: string }
}

// The package is loaded with require, because importing its types would add browser types, which contradict Node's
// types.
const require = createRequire(import.meta.url)
const hljs: Highlighter = require('highlight.js/lib/core')
const languages = ['bash', 'go', 'java', 'json', 'php', 'python', 'typescript']

/**
 * Loads one grammar per turn of the event loop, because compiling a grammar is slow. Payments then never wait for all
 * grammars.
 */
export async function loadLanguages(): Promise<void> {
  for (const name of languages) {
    await nextTurn()
    hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))
    hljs.highlight('', { language: name })
  }
}

/** Highlights code. If the language is unknown, the text is only escaped. */
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
