// A payer with a browser, who opens the payment's pages and submits their forms, and may go back or cancel at every
// step.
import type { Page } from '../../test/harness/browser.ts'
import type { Actor } from '../operation.ts'
import { attemptOn, type Next, PATIENCE_MS, type Payer, send, visit } from './browse.ts'
import { decideAtBank } from './payer-at-bank.ts'
import { chooseMethod } from './payer-on-our-page.ts'

const MAX_PAGES = 10

export async function payOnPages(actor: Actor, about: string, payUrl: string): Promise<void> {
  const payer = payerOf(actor, about, payUrl)
  let page = await visit(payer, payUrl)
  for (let pages = 1; page !== undefined && pages < MAX_PAGES; pages++) page = await actOn(payer, page)
}

function payerOf(actor: Actor, about: string, payUrl: string): Payer {
  return { actor, about, payUrl, until: Date.now() + PATIENCE_MS }
}

/** Cancels a payment and then still pays at the bank, which accepts a transfer. */
export async function payAfterCancelling(actor: Actor, about: string, payUrl: string): Promise<void> {
  const payer = payerOf(actor, about, payUrl)
  const page = await visit(payer, payUrl)
  const bank = page && bankOn(payer, page)
  const cancel = page && actionsOn(page).find((action) => action.endsWith('cancel'))
  if (page === undefined || bank === undefined || cancel === undefined) return
  await visit(payer, new URL(cancel, page.url).href, { attempt: attemptOn(page) })
  const atBank = await toBank(payer, page, bank)
  if (atBank?.html.includes('value="approve"')) await decideAtBank(payer, atBank)
}

async function actOn(payer: Payer, page: Page): Next {
  const { random, world } = payer.actor
  const isAtBank = page.url.startsWith(world.channels.url)
  if (isAtBank && page.html.includes('value="approve"')) return decideAtBank(payer, page)
  if (page.html.includes('name="code"')) return enterCode(payer, page)
  if (random.chance(0.04)) return undefined
  if (random.chance(0.06)) return visit(payer, payer.payUrl)
  return isAtBank ? goOn(payer, page) : actOnOurPage(payer, page)
}

/** Submits a form that a script would submit at once: on the way to the bank's challenge, and on the way back. */
async function goOn(payer: Payer, page: Page): Next {
  return page.html.includes('data-auto-submit') ? send(payer, page) : undefined
}

async function actOnOurPage(payer: Payer, page: Page): Next {
  const { random } = payer.actor
  const bank = bankOn(payer, page)
  if (random.chance(0.12)) return turnBack(payer, page, bank)
  if (page.html.includes('name="method"')) return chooseMethod(payer, page)
  return bank === undefined ? goOn(payer, page) : toBank(payer, page, bank)
}

/** Presses "another method" or "cancel". Half of the payers still go to the bank and pay late. */
async function turnBack(payer: Payer, page: Page, bank: string | undefined): Next {
  const { random } = payer.actor
  const action = random.pick(actionsOn(page))
  if (action === undefined) return undefined
  const next = await visit(payer, new URL(action, page.url).href, { attempt: attemptOn(page) })
  return bank !== undefined && random.chance(0.5) ? toBank(payer, page, bank) : next
}

/** Returns the addresses of the buttons "another method" and "cancel" on a page. */
function actionsOn({ html }: Page): string[] {
  return [...html.matchAll(/action="([^"]*(?:switch|cancel))"/g)].map(([, action = '']) => action)
}

function bankOn({ actor }: Payer, page: Page): string | undefined {
  return linksOn(page).find((href) => href.startsWith(actor.world.channels.url))
}

/** Opens the bank's page with our origin in the Referer header, which some wallets require. */
function toBank(payer: Payer, page: Page, bank: string): Next {
  return visit(payer, bank, undefined, `${new URL(page.url).origin}/`)
}

function linksOn({ html }: Page): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&#38;', '&'))
}

const RIGHT_CODE = '123456'

async function enterCode(payer: Payer, page: Page): Next {
  const { random } = payer.actor
  if (random.chance(0.08)) return undefined
  const code = random.chance(0.85) ? RIGHT_CODE : '654321'
  if (!random.chance(0.1)) return send(payer, page, { code })
  const [first] = await Promise.all([send(payer, page, { code }), send(payer, page, { code })])
  return first
}
