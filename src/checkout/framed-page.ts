// What the pages of an order and of a payout have alike: the order on one side, the step to take on the other.
import { type Html, renderPage } from '../pages/page.ts'

/** Where the page's files lie, seen from its own address, and whether money moves. */
export type Frame = { readonly sandbox: boolean; readonly assets: string }

/** One thing to do or to know, and how soon the page looks again. */
export type Step = { readonly title: string; readonly step: Html; readonly refreshS?: number }

type More = { readonly order?: Html; readonly refreshS?: number | undefined }

export function page({ sandbox, assets }: Frame, title: string, step: Html, more: More = {}): string {
  return renderPage({ title, sandbox, style: `${assets}/pay.css`, script: `${assets}/pay.js`, step, ...more })
}
