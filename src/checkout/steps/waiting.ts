import type { Translation } from '../../pages/language.ts'
import { type Html, html, symbol } from '../../pages/page.ts'
import type { Step } from '../page-layout.ts'

/** The payer has finished; the bank, the wallet or the gateway has not. */
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

/** Shown while the payer acts elsewhere. */
export function waiting({ words }: Translation): Html {
  return html`<p class="waiting" role="status">${words.waiting.forPayment}</p>`
}
