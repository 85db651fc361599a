// The demo shop in a real browser, with a real gateway: people buy, are declined, pay from another app and are
// refunded. The panel shows the requests and responses.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openShop, type Shop } from '../../shop/server.ts'
import { readDemo } from '../../src/operator/demo/demo-file.ts'
import { eventually } from '../harness/eventually.ts'
import { checkLooks } from '../harness/page-checks.ts'
import {
  asPayer,
  type Environment,
  enterCode,
  fillCard,
  linkBack,
  openEnvironment,
  type Payer,
  payButton,
  type Screen,
  screens,
} from '../harness/payer.ts'

const PAID = 'Thank you, your order is paid'

let env: Environment
let shop: Shop
before(async () => {
  env = await openEnvironment()
  const merchant = await readDemo(env.dataDir)
  assert.ok(merchant)
  shop = await openShop({ merchant, port: 0, timeoutMs: 60_000 })
})
after(async () => {
  await shop.close()
  await env.close()
})

function asCustomer(act: (payer: Payer) => Promise<void>, screen: Screen = 'desktop'): Promise<void> {
  return asPayer(env, screen, act, { sites: [shop.url] })
}

/** Checks the looks of the page, and gives the window the size of a desktop again. */
async function look(page: Page, name: string): Promise<void> {
  await checkLooks(page, `shop-${name}`)
  await page.setViewportSize(screens.desktop.viewport)
}

async function fillCart(page: Page, ...names: readonly string[]): Promise<void> {
  await page.goto(shop.url)
  for (const name of names) {
    await page.getByRole('button', { name: `Add to cart ${name}` }).click()
    await page.getByText(`${name} is in your cart`).waitFor()
  }
}

/** Opens the checkout and unfolds one way to pay. */
async function choose(page: Page, way: string): Promise<void> {
  await page.goto(`${shop.url}/checkout`)
  await page
    .locator('details.way', { has: page.getByText(way, { exact: true }) })
    .locator('summary')
    .click()
}

async function isShown(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading }).waitFor()
}

/** The newest entry of the panel with this title. */
function entry(page: Page, title: string) {
  return page.locator('.exchange', { hasText: title }).first()
}

it('is bought from on the payment page, refunded in part and in full, and the panel shows it', () =>
  asCustomer(async ({ page }) => {
    await page.goto(shop.url)
    await look(page, 'products')
    await fillCart(page, 'Enamel mug', 'Walking map')
    await page.getByRole('link', { name: 'Go to the cart' }).click()
    await page.getByLabel('Pieces of Enamel mug').fill('2')
    await page.getByRole('button', { name: 'Change' }).first().click()
    await page.getByText('$40.00').waitFor()
    await look(page, 'cart')
    await page.getByRole('link', { name: 'Go to checkout' }).click()
    await look(page, 'checkout')
    await page.getByRole('button', { name: 'Continue to the payment page' }).click()
    await page.waitForURL(`${env.account.baseUrl}/pay/**`)
    await page.getByRole('radio', { name: 'Card' }).check()
    await fillCard(page, '4242424242424242')
    await payButton(page).click()
    await linkBack(page).click()
    await isShown(page, PAID)
    await entry(page, 'Notification: payment').waitFor()
    assert.match((await entry(page, '/cashier/checkStandPay').textContent()) ?? '', /USD40\.00<KEY>/)

    await page.getByLabel('Amount (USD)').fill('41.00')
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByText('At most $40.00').waitFor()
    await page.getByLabel('Amount (USD)').fill('12.00')
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByText('$12.00 was paid back').waitFor()
    await entry(page, 'Notification: refund').waitFor()
    await look(page, 'order-refunded-in-part')
    await page.getByRole('button', { name: 'Refund' }).click()
    await isShown(page, 'Your money is on its way back')
    await page.getByText('$28.00 was paid back').waitFor()
    await page.goto(`${shop.url}/orders`)
    await look(page, 'orders')
  }))

it('takes a card in its own form, with the code from the bank', () =>
  asCustomer(async ({ page }) => {
    await fillCart(page, 'Brass lantern')
    await choose(page, 'Card')
    await page.getByRole('button', { name: '4000 0000 0000 3220' }).click()
    await look(page, 'card-form')
    await page.getByRole('button', { name: 'Pay $58.00 by card' }).click()
    await enterCode(page, '123456')
    await linkBack(page).click()
    await isShown(page, PAID)
    const sent = (await entry(page, 'POST /payment').textContent()) ?? ''
    assert.match(sent, /400000••••••3220/)
    assert.doesNotMatch(sent, /4000000000003220/)
    assert.doesNotMatch(await page.content(), new RegExp(env.account.key))
  }))

it('says that a card was declined, and takes another one for the same cart', () =>
  asCustomer(async ({ page }) => {
    await fillCart(page, 'Canvas bag')
    await choose(page, 'Card')
    await page.getByRole('button', { name: 'Pay $42.00 by card' }).click()
    await page.getByText('Enter the digits of a card').waitFor()
    await page.getByRole('button', { name: '4000 0000 0000 0002' }).click()
    await page.getByRole('button', { name: 'Pay $42.00 by card' }).click()
    await isShown(page, 'The payment did not go through')
    await look(page, 'order-declined')
    await page.getByRole('button', { name: 'Try again' }).click()
    await choose(page, 'Card')
    await page.getByRole('button', { name: '4242 4242 4242 4242' }).click()
    await page.getByRole('button', { name: 'Pay $42.00 by card' }).click()
    await isShown(page, PAID)
  }))

it('shows a code to scan, and changes by itself when it is paid', () =>
  asCustomer(async ({ page, context }) => {
    await fillCart(page, 'Steel flask')
    await choose(page, 'Pix')
    await page.getByRole('button', { name: 'with Pix' }).click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await look(page, 'order-pix')
    await approve({ page, context })
    await isShown(page, PAID)
  }))

it('shows an account to transfer to, and waits for the rest of a partial transfer', () =>
  asCustomer(async ({ page, context }) => {
    await fillCart(page, 'Pocket compass')
    await choose(page, 'SEPA')
    await page.getByRole('button', { name: 'with SEPA' }).click()
    await page.locator('dt', { hasText: 'Reference' }).waitFor()
    await look(page, 'order-sepa')
    await approve({ page, context }, '10.00')
    await page.getByRole('button', { name: 'Ask the gateway now' }).click()
    await isShown(page, 'Waiting for your payment')
    await approve({ page, context })
    await isShown(page, PAID)
  }))

it('finds out about a payment whose answer the bank lost', () =>
  asCustomer(async ({ page }) => {
    await fillCart(page, 'Field notebook')
    await choose(page, 'Card')
    await page.getByRole('button', { name: '4000 0000 0000 0119' }).click()
    await page.getByRole('button', { name: 'Pay $9.50 by card' }).click()
    await isShown(page, PAID)
  }))

it('has the panel as a tab on a phone, and can close it on a desktop', () =>
  asCustomer(async ({ page }) => {
    await page.goto(shop.url)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('heading', { name: 'Between shop and gateway' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Things for a long walk' }).isVisible(), false)
    await look(page, 'requests')
    const panel = page.getByRole('complementary', { name: 'Requests' })
    await page.goto(shop.url)
    await page.getByRole('button', { name: 'Close the panel' }).click()
    assert.equal(await panel.isVisible(), false)
    await page.reload()
    assert.equal(await panel.isVisible(), false)
    await page.getByRole('link', { name: 'Requests' }).click()
    assert.ok(await eventually(() => panel.isVisible()))
  }, 'phone'))

/** Acts as the payer in another tab. With `amount`, the payer sends that amount instead of the whole one. */
async function approve({ page, context }: Pick<Payer, 'page' | 'context'>, amount?: string): Promise<void> {
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Play the payer' }).click()
  const app = await opening
  if (amount !== undefined) await app.getByLabel('Amount to send').fill(amount)
  await app.getByRole('button', { name: 'Approve payment' }).click()
  await app.getByRole('heading', { name: 'Done' }).waitFor()
  await app.close()
}
