// Payers with real browsers, a gateway process with its sandbox, and a shop. In every test, pages may send requests
// only to the gateway, the sandbox, the shop and the sites that the visit names, and must log no unexpected errors to
// the console.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { assertReturn, openShop, type Shop } from '../counterparties/shop.ts'
import { launchChromium, PAGE_PATIENCE_MS } from './chromium.ts'
import { type Account, call, cardBody, query, type Reply, signed } from './client.ts'
import { type GatewayProcess, openInstallation } from './gateway-process.ts'
import { cloneDatabase, type TestDatabase } from './harness.ts'
import { type Operator, operatorAt } from './operator.ts'

export const screens = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    userAgent:
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  },
} as const satisfies Record<string, BrowserContextOptions>

export type Screen = keyof typeof screens

export type Payer = {
  readonly page: Page
  readonly context: BrowserContext
  readonly screen: Screen
  /** Closes the browser window; fails if a page called another host or logged an error. */
  leave(): Promise<void>
}

/**
 * The options of a visit. By default a payer chooses to stay on the result page: on a slow machine its automatic return
 * would race the test.
 */
export type Visit = BrowserContextOptions & {
  readonly autoReturn?: boolean
  /** The other sites that the payer visits. */
  readonly sites?: readonly string[]
  /** The console errors that the test expects. */
  readonly expected?: RegExp
}

export type Environment = {
  readonly dataDir: string
  readonly database: TestDatabase
  readonly gateway: GatewayProcess
  readonly account: Account
  readonly shop: Shop
  readonly sandboxUrl: string
  readonly operator: Operator
  openBrowser(screen?: Screen, visit?: Visit): Promise<Payer>
  close(): Promise<void>
}

export async function openEnvironment(settings: Readonly<Record<string, string>> = {}): Promise<Environment> {
  const database = await cloneDatabase()
  // Banks and wallets are called over HTTP and always respond.
  const patient = { TOLLGATE_CHANNEL_TIMEOUT_MS: '60000' }
  const installation = await openInstallation({ DATABASE_URL: database.url, ...patient, ...settings })
  const [gateway, browser, shop] = await Promise.all([installation.start(), launchChromium(), openShop()])
  const { account } = gateway
  const port = readFileSync(join(installation.dataDir, 'sandbox', 'port'), 'utf8').trim()
  const sandboxUrl = `http://127.0.0.1:${port}`
  const known = [account.baseUrl, sandboxUrl, shop.origin]
  return {
    dataDir: installation.dataDir,
    database,
    gateway,
    account,
    shop,
    sandboxUrl,
    operator: operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir }),
    openBrowser: (screen = 'desktop', visit = {}) => openBrowser(browser, screen, visit, known),
    async close() {
      await browser.close()
      await shop.close()
      await installation.remove()
      await database.drop()
    },
  }
}

async function openBrowser(
  browser: Browser,
  screen: Screen,
  { autoReturn = false, sites = [], expected = /^$/, ...options }: Visit,
  known: readonly string[],
): Promise<Payer> {
  const context = await browser.newContext({ locale: 'en-US', ...screens[screen], ...options })
  context.setDefaultTimeout(PAGE_PATIENCE_MS)
  if (!autoReturn) await context.addInitScript(stayAtTheEnd)
  const problems: string[] = []
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && ![...known, ...sites].includes(origin))
      problems.push(`a request to ${request.url()}`)
  })
  context.on('console', (message) => {
    // The browser logs a form with errors (422), a wallet that has nothing to pay any more (410), and a bank's page
    // that asks for the focus in a frame.
    const isKnown =
      /status of (422|410)|Blocked autofocusing on a <input>/.test(message.text()) ||
      expected.test(message.text())
    if (message.type() === 'error' && !isKnown) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  const page = await context.newPage()
  return {
    page,
    context,
    screen,
    async leave() {
      await context.close()
      assert.deepEqual(problems, [])
    },
  }
}

/** A script for every page: it chooses to stay on the result page, after the scripts of the page have run. */
const stayAtTheEnd = `addEventListener('DOMContentLoaded', () => document.querySelector('[data-stay]')?.click())`

/** Runs the test as a payer, and closes the payer's window at the end. */
export async function asPayer(
  env: Environment,
  screen: Screen,
  act: (payer: Payer) => Promise<void>,
  visit?: Visit,
): Promise<void> {
  const payer = await env.openBrowser(screen, visit)
  try {
    await act(payer)
  } catch (error) {
    await payer.leave().catch((problem) => console.error(problem))
    throw error
  }
  await payer.leave()
}

type Fields = Readonly<Record<string, unknown>>

let orders = 1040

/** Creates an order of this shop with one product: the full body of a card payment with these changes. */
export async function order(
  { account, shop }: Environment,
  path: string,
  changes: Fields,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { sourceAmount: price = '24.00' } = changes
  const ours = {
    merOrderNo: `order-${++orders}`,
    returnUrl: shop.returnUrl,
    sourceAmount: price,
    productInfoList: [{ sku: 'A-1', productName: 'Alpaca scarf', price, quantity: '1' }],
  }
  const reply = await call(account, path, cardBody(account, { ...ours, ...changes }), headers)
  assert.equal(reply.code, '00000', reply.message)
  assert.equal(typeof reply.data.payUrl, 'string', 'the response has a payUrl')
  return reply
}

const billingFields = Object.keys(cardBody({ baseUrl: '', merNo: 0, key: '', site: '' })).filter((name) =>
  name.startsWith('billing'),
)

/** Returns the page of `/cashier/checkStand`, which the shop's server forwards. */
export async function askForPage({ account }: Environment, body: Record<string, unknown>): Promise<string> {
  const path = '/cashier/checkStand'
  const response = await fetch(account.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: `https://${account.site}/cart` },
    body: JSON.stringify(signed(account, path, body)),
  })
  assert.equal(response.status, 200)
  return response.text()
}

/** The changes that make the page ask for the billing details. */
export const withoutBilling: Fields = Object.fromEntries(billingFields.map((name) => [name, '']))

/** Creates an order that the payer pays on our page. */
export function checkout(env: Environment, changes: Fields = {}): Promise<Reply> {
  const withoutCard = { cardNo: '', cardExpireMonth: '', cardExpireYear: '', cardSecurityCode: '' }
  return order(env, '/cashier/checkStandPay', { ...withoutCard, ...changes })
}

export const PAID = 'Your payment went through'

/** Checks that the page shows success and returns with the signed result, and that a query confirms it. */
export async function assertPaid(
  { page }: Pick<Payer, 'page'>,
  env: Environment,
  reply: Reply,
): Promise<void> {
  await page.getByRole('heading', { name: PAID }).waitFor()
  await linkBack(page).click()
  await assertBack(page, env, reply, '0')
  assert.equal((await query(env.account, reply.data.merOrderNo)).data.state, 3)
}

export function linkBack(page: Pick<Page, 'getByRole'>) {
  return page.getByRole('link', { name: 'Return to shop' })
}

export async function assertBack(page: Page, { account, shop }: Environment, reply: Reply, payCode: string) {
  await page.waitForURL(`${shop.origin}/**`)
  const { tradeNo, merOrderNo } = reply.data
  await assertReturn(page.url(), account, { tradeNo, merOrderNo, payCode })
}

/** Fills in a card, on a page or in a frame of a page. */
export async function fillCard(page: Pick<Page, 'getByLabel'>, cardNo: string): Promise<void> {
  await page.getByLabel('Card number').fill(cardNo)
  await page.getByLabel('Expires').fill('12/30')
  await page.getByLabel('Security code').fill('123')
}

/** Fills in the billing details. Hong Kong has no postal codes, so the page does not ask for one. */
export async function fillBilling(page: Page, country: 'PE' | 'HK' = 'PE'): Promise<void> {
  const fields = {
    'First name': 'Test',
    'Last name': 'Payer',
    Email: 'payer@example.com',
    'Postal code': country === 'HK' ? '' : '15046',
  }
  // Other methods may ask for an e-mail, too.
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).filter({ visible: true }).fill(text)
  await page.getByLabel('Country').selectOption(country)
  assert.equal(await page.getByLabel('Postal code').isHidden(), country === 'HK')
}

export function payButton(page: Pick<Page, 'getByRole'>) {
  return page.getByRole('button', { name: /^Pay / })
}

/** Answers the bank's challenge, on a page or in a frame of a page. */
export async function enterCode(page: Pick<Page, 'getByLabel' | 'getByRole'>, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: /^Confirm / }).click()
}
