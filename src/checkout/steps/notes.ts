import { type Html, html, symbol } from '../../pages/page.ts'

/** Something went wrong or must not be overlooked. */
export function alert(tone: 'bad' | 'wait', title: string, text?: string | undefined): Html {
  return html`<div class="note ${tone}-note" role="alert">${symbol(tone === 'bad' ? 'failed' : 'notice')}
<div><p class="strong">${title}</p>${text && html`<p>${text}</p>`}</div></div>`
}

/** Good to know; screen readers do not interrupt for it. */
export function note(title: string, text: string, more?: Html | undefined): Html {
  return html`<div class="note wait-note">${symbol('notice')}
<div><p class="strong">${title}</p><p>${text}</p>${more}</div></div>`
}
