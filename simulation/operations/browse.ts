// A payer's browser. A page that does not arrive before the payer gives up counts as lost.
import { openPage, type Page, submit } from '../../test/harness/browser.ts'
import type { Actor } from '../operation.ts'

export type Payer = {
  readonly actor: Actor
  /** The order number. */
  readonly about: string
  /** The address of the page to which the shop sends the payer. */
  readonly payUrl: string
  /** The time at which the payer gives up. */
  readonly until: number
}

export const PATIENCE_MS = 12_000

type Fields = Readonly<Record<string, string>>

/** The next page, or undefined if the visit ends here. */
export type Next = Promise<Page | undefined>

/** Returns undefined if the page was not loaded. */
export async function visit(payer: Payer, url: string, form?: Fields, referer?: string): Next {
  return load(payer, form === undefined ? 'payer opens' : 'payer sends', url, (signal) =>
    openPage(url, form, referer, signal),
  )
}

/** Submits the first form of the page. */
export async function send(payer: Payer, page: Page, entered: Fields = {}): Next {
  return load(payer, 'payer submits', page.url, (signal) => submit(page, entered, signal))
}

async function load(
  { actor, about, until }: Payer,
  what: string,
  url: string,
  open: (signal: AbortSignal) => Promise<Page>,
): Next {
  const { history } = actor.world
  const leftMs = until - Date.now()
  if (leftMs <= 0) return undefined
  history.add(what, about, url)
  try {
    const page = await open(AbortSignal.timeout(leftMs))
    history.add('payer sees', about, { url: page.url, status: page.status, title: titleOf(page) })
    return page
  } catch (error) {
    history.add('payer sees nothing', about, error instanceof Error ? error.message : error)
    return undefined
  }
}

function titleOf({ html }: Page): string {
  return /<title>([^<]*)/.exec(html)?.[1] ?? ''
}

export function attemptOn({ html }: Page): string {
  return /name="attempt" value="(\d+)"/.exec(html)?.[1] ?? '0'
}
