// The payer on the page of a sandbox bank or wallet. The payer approves, declines, pays less, pays more, pays twice, or
// leaves.
import type { Page } from '../../test/harness/browser.ts'
import { pickByWeight } from '../pick-by-weight.ts'
import { partOf } from './amounts.ts'
import { type Next, type Payer, send, visit } from './browse.ts'

type Deed = (payer: Payer, page: Page) => Next

const approve: Deed = (payer, page) => send(payer, page, { decision: 'approve', ...amountOn(page) })
const decline: Deed = (payer, page) => send(payer, page, { decision: 'decline' })
const leave: Deed = async () => undefined

/** The payer double-clicks, which sends the same transfer twice at once. */
const approveTwiceAtOnce: Deed = async (payer, page) => {
  const [first] = await Promise.all([approve(payer, page), approve(payer, page)])
  return first
}

/** The payer opens the page again and makes another transfer. */
const payTwice: Deed = async (payer, page) => {
  await approve(payer, page)
  const again = await visit(payer, page.url)
  return again?.html.includes('value="approve"') ? approve(payer, again) : again
}

const approveAndDecline: Deed = async (payer, page) => {
  const [first] = await Promise.all([approve(payer, page), decline(payer, page)])
  return first
}

const payMore: Deed = (payer, page) => send(payer, page, { decision: 'approve', ...amountOn(page, 3n, 2n) })

/** The payer pays half, and opens the page again. The page then asks for the missing amount. */
const payInParts: Deed = async (payer, page) => {
  await payHalf(payer, page)
  const again = await visit(payer, page.url)
  return again?.html.includes('value="approve"') ? approve(payer, again) : again
}

const payHalf: Deed = (payer, page) => send(payer, page, { decision: 'approve', ...amountOn(page, 1n, 2n) })

const deeds: readonly { readonly weight: number; readonly act: Deed }[] = [
  { weight: 60, act: approve },
  { weight: 12, act: decline },
  { weight: 6, act: leave },
  { weight: 6, act: approveTwiceAtOnce },
  { weight: 3, act: payTwice },
  { weight: 3, act: approveAndDecline },
  { weight: 4, act: payMore },
  { weight: 4, act: payInParts },
  { weight: 2, act: payHalf },
]

export async function decideAtBank(payer: Payer, page: Page): Next {
  return pickByWeight(deeds, payer.actor.random)?.act(payer, page)
}

/** Returns the amount field with a part of the proposed amount. A wallet's page has no such field. */
function amountOn({ html }: Page, times = 1n, by = 1n): Readonly<Record<string, string>> {
  const [, proposed] = /name="amount"[^>]* value="([\d.]+)"/s.exec(html) ?? []
  if (proposed === undefined) return {}
  return { amount: times === by ? proposed : partOf(proposed, times, by) }
}
