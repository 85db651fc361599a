// The panel with the shop's requests to the gateway and the gateway's notifications.
import { type Html, html } from '../../src/platform/pages/page.ts'
import type { Exchange, Part } from '../exchanges.ts'

export function panel(exchanges: readonly Exchange[]): Html {
  return html`<aside id="panel" aria-label="Requests">
<div class="panel-head"><h2>Between shop and gateway</h2><button type="button" class="close" aria-label="Close the panel">Close</button></div>
<p class="soft">Every request, answer and notification as it happens, newest first. Card numbers are masked.</p>
<div id="exchanges">${exchangeList(exchanges)}</div>
</aside>`
}

function exchangeList(exchanges: readonly Exchange[]): Html {
  return html`${exchanges.map((exchange, at) => exchangeEntry(exchange, at === 0))}${exchanges.length === 0 && html`<p class="empty">Nothing yet. Put something into the cart and check out.</p>`}`
}

/** One request or notification. If `isOpen`, the details are shown. */
export function exchangeEntry(exchange: Exchange, isOpen: boolean): Html {
  const { id, kind, title, number, state, result, at, parts } = exchange
  return html`<details class="exchange ${state}" id="exchange-${id}"${isOpen && html` open`}>
<summary><span class="what"><span class="way">${kind === 'request' ? 'sent' : 'received'}</span> ${title}</span>
<span class="result">${result}</span>
<span class="soft">${clock(at)}${number !== '' && html` · ${number}`}</span></summary>
${parts.map(partText)}
</details>`
}

function partText({ name, text }: Part): Html {
  return html`<h3>${name}</h3><pre>${text}</pre>`
}

export function clock(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${at.toISOString().slice(11, 19)}</time>`
}
