// What the pages of an order and of a payout have alike: the order on one side, the step to take on the other, and the words
// of one language.

import { chooseLanguage, type Tongue, tongueOf } from '../pages/language.ts'
import { type Html, html, type Live, renderPage, symbol } from '../pages/page.ts'
import type { Brand } from './view.ts'

/** Where a page stands and whom it speaks to. Addresses are seen from the page's own, so that they hold behind a proxy. */
export type Frame = {
  readonly sandbox: boolean
  /** `../assets` at /pay/TOKEN, `../../assets` one level below. */
  readonly assets: string
  /** What comes before `pay`, `switch`, `cancel`, `events`, `status` and `logo`: `TOKEN/` at /pay/TOKEN, `./` one level below. */
  readonly own: string
  /** The payer goes on to the wallet without pressing anything. */
  readonly leadsOn?: boolean
  /** The browser's header, as it came. */
  readonly acceptLanguage?: string | undefined
}

/** One thing to do or to know. */
export type Step = {
  readonly title: string
  readonly step: Html
  /** Changes without the payer's doing: the page listens, and without script looks again by itself. */
  readonly live?: boolean
}

type Around = {
  readonly brand: Brand
  /** Who is paid, and how much. */
  readonly bar: Html
  readonly items: Html
  /** What the page shows now, and where it hears of changes. */
  readonly live: Live
}

export function page(frame: Frame, tongue: Tongue, { title, step, live }: Step, around: Around): string {
  const { brand, bar, items } = around
  return renderPage({
    ...files(frame),
    tongue,
    title: `${title} – ${brand.name}`,
    accent: brand.accent && `${frame.assets}/accent/${brand.accent.slice(1)}.css`,
    order: bar,
    items,
    step,
    live: live === true ? around.live : undefined,
  })
}

/** A page without an order: there is none, or we cannot tell. */
export function lonePage(
  frame: Frame,
  tongue: Tongue,
  said: Readonly<Record<'title' | 'heading' | 'text', string>>,
) {
  const { title, heading, text } = said
  const step = html`${symbol('failed')}<h1>${heading}</h1><p>${text}</p>`
  return renderPage({ ...files(frame), tongue, title, step })
}

/** In the language that the order asks for, or else the browser. */
export function tongueFor(frame: Frame, language = ''): Tongue {
  return tongueOf(chooseLanguage(language, frame.acceptLanguage))
}

function files({ sandbox, assets }: Frame) {
  return { sandbox, assets }
}
