import type { Tongue } from '../../pages/language.ts'
import { type Html, html, symbol } from '../../pages/page.ts'
import type { Step } from '../framed-page.ts'

/** The payer is done; the bank, the wallet or we are not. */
export function processing({ words }: Tongue): Step {
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

/** What a page waits for while the payer acts elsewhere. */
export function waiting({ words }: Tongue): Html {
  return html`<p class="waiting" role="status">${words.waiting.forPayment}</p>`
}
