// The common layout of payment and payout pages: the order on one side, the current step on the other.

import { chooseLanguage, type Translation, translationOf } from '../pages/language.ts'
import { type FrameFacts, type Html, html, type Live, renderPage, symbol } from '../pages/page.ts'
import type { Brand } from './view.ts'

/** Where the page is served and for whom. Addresses are relative, so that they work behind a proxy that adds a path. */
export type PageContext = {
  readonly sandbox: boolean
  /** `../assets` at /pay/TOKEN, `../../assets` one level below. */
  readonly assets: string
  /** The prefix of `pay`, `switch`, `cancel`, `events`, `status` and `logo`: `TOKEN/` at /pay/TOKEN, `./` one level below. */
  readonly basePath: string
  /** The script continues to the wallet without a click. */
  readonly autoContinue?: boolean
  /** A shop shows the page in a frame. */
  readonly isFramed?: boolean
  /** The browser's Accept-Language header. */
  readonly acceptLanguage?: string | undefined
}

/** One step: something to do or to read. */
export type Step = {
  readonly title: string
  readonly step: Html
  /** The page may change without the payer: it listens for updates, or reloads by itself without script. */
  readonly live?: boolean
}

type OrderColumn = {
  readonly brand: Brand
  /** The payee and the amount. */
  readonly bar: Html
  readonly items: Html
  /** The version that the page shows, and where to listen for changes. */
  readonly live: Live
  /** What the shop may know of the page, if it is in a frame. */
  readonly facts?: Omit<FrameFacts, 'close'>
}

export function page(
  context: PageContext,
  translation: Translation,
  { title, step, live }: Step,
  column: OrderColumn,
): string {
  const { brand, bar, items } = column
  return renderPage({
    ...files(context),
    translation,
    title: `${title} – ${brand.name}`,
    accent: brand.accent && `${context.assets}/accent/${brand.accent.slice(1)}.css`,
    order: bar,
    items,
    step,
    live: live === true ? column.live : undefined,
    framed: context.isFramed ? { ...column.facts, close: translation.words.ways.close } : undefined,
  })
}

/** A page with only a message, because there is no order to show. */
export function messagePage(
  context: PageContext,
  translation: Translation,
  texts: Readonly<Record<'title' | 'heading' | 'text', string>>,
) {
  const { title, heading, text } = texts
  const step = html`${symbol('failed')}<h1>${heading}</h1><p>${text}</p>`
  return renderPage({ ...files(context), translation, title, step })
}

/** The order's language, or else the browser's. */
export function translationFor(context: PageContext, language = ''): Translation {
  return translationOf(chooseLanguage(language, context.acceptLanguage))
}

function files({ sandbox, assets }: PageContext) {
  return { sandbox, assets }
}
