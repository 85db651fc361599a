// State diagrams in documents are written as mermaid, which GitHub draws. Here they become a table, which needs no script.
import { type Html, html } from '../pages/page.ts'

export function diagramTable(source: string): Html {
  const edges = [...source.matchAll(/^\s*(\S+) --> (\S+)\s*$/gm)].map(([, from = '', to = '']) => ({
    from,
    to,
  }))
  const states = [...new Set(edges.map(({ from }) => from))]
  const rows = states.map((state) => {
    const next = edges.filter(({ from }) => from === state).map(({ to }) => stateName(to))
    return html`<tr><td>${stateName(state, 'The start')}</td><td>${joined(next)}</td></tr>
`
  })
  return html`<div class="wide" tabindex="0" role="group" aria-label="Transitions"><table><thead><tr><th>From</th><th>To</th></tr></thead>
<tbody>${rows}</tbody></table></div>
`
}

/** mermaid writes the start and the end in the same way. */
function stateName(name: string, open = 'the end'): Html {
  return name === '[*]' ? html`${open}` : html`<code>${name}</code>`
}

function joined(parts: readonly Html[]): Html {
  return { html: parts.map((part) => part.html).join(', ') }
}
