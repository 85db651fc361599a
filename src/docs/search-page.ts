// The results of a search, as a page that works without script.
import { type Html, html } from '../pages/page.ts'
import type { Hit } from './search.ts'

const BEFORE = 60
const EXCERPT = 200

/** `root`: the relative path to the gateway's root. */
export function resultsOf(query: string, hits: readonly Hit[], root: string): Html {
  if (query.trim() === '') return html`<p>Enter a word: the name of a field, an error code, a method.</p>`
  if (hits.length === 0)
    return html`<p>Nothing was found for <strong>${query}</strong>. Try fewer or shorter words, or choose a page from the contents.</p>`
  return html`<p class="soft">${hits.length === 1 ? 'One result' : `${hits.length} results`} for “${query}”</p>
<ol class="results">${hits.map((hit) => resultItem(hit, root))}</ol>`
}

function resultItem(hit: Hit, root: string): Html {
  return html`<li><a href="${root}${addressOf(hit)}">${nameOf(hit)}</a><p>${excerptOf(hit)}</p></li>
`
}

/** Behind the gateway's root. */
export function addressOf({ path, anchor }: Hit): string {
  return `docs/${path}${anchor === '' ? '' : `#${anchor}`}`
}

export function nameOf({ title, heading }: Hit): string {
  return heading === '' ? title : `${title}: ${heading}`
}

/** The text around the first word that matched, with these words marked. */
function excerptOf({ text, terms }: Hit): Html {
  // Terms contain only letters and digits.
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${terms.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  const at = Math.max(0, text.search(pattern) - BEFORE)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const excerpt = text.slice(start, start + EXCERPT)
  const end = start + EXCERPT < text.length ? ' …' : ''
  const marked = excerpt
    .split(pattern)
    .map((part, place) => (place % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))
  return html`${start > 0 && '… '}${marked}${end}`
}
