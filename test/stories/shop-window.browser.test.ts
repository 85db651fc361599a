// Shops with the drop-in: the demo shop, which shows the payment page in a dialog over the order, and the samples of
// the guide.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openShop, type Shop } from '../../shop/server.ts'
import { makeLink } from '../../src/money/payment-links/make-link.ts'
import { readDemo } from '../../src/operator/demo/demo-file.ts'
import { type GuideShop, openGuideShop } from '../counterparties/drop-in-guide-shop.ts'
import { aLink, escapeFrom, frameIn, ready } from '../harness/drop-in-dialog.ts'
import { checkLooks } from '../harness/page-checks.ts'
import {
  asPayer,
  checkout,
  type Environment,
  enterCode,
  fillCard,
  linkBack,
  openEnvironment,
  type Payer,
  payButton,
} from '../harness/payer.ts'

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

for (const [how, card] of [
  ['stays over the shop', '4242424242424242'],
  ['stays over the shop with a page of the bank', '4000000000003220'],
] as const)
  it(`the window ${how}, and the order is paid`, () =>
    asPayer(
      env,
      'desktop',
      async ({ page }) => {
        await page.goto(shop.url)
        await page.getByRole('button', { name: 'Add to cart Enamel mug' }).click()
        await page.goto(`${shop.url}/checkout`)
        await page.getByText('In a window over the shop').click()
        await page.getByRole('button', { name: 'Pay in a window' }).click()
        const frame = page.frameLocator('iframe')
        await frame.getByRole('radio', { name: 'Card' }).check()
        await fillCard(frame, card)
        assert.ok(page.url().startsWith(`${shop.url}/orders/`))
        if (card === '4242424242424242') await checkLooks(page, 'shop-window')
        await payButton(frame).click()
        if (card !== '4242424242424242') await enterCode(frame.frameLocator('iframe'), '123456')
        await linkBack(frame).click()
        await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      },
      { sites: [shop.url] },
    ))

describe("the guide's samples", () => {
  let guide: GuideShop
  let orders = 0
  before(async () => {
    guide = await openGuideShop(env.account.baseUrl, async () => {
      orders++
      return String((await checkout(env)).data.payUrl)
    })
  })
  after(() => guide.close())
  const inGuide = (act: (payer: Payer) => Promise<void>) =>
    asPayer(env, 'desktop', act, { sites: [guide.origin] })

  it('the button makes one order, opens it, and leads to the order page', () =>
    inGuide(async ({ page }) => {
      await page.goto(guide.origin)
      const button = page.getByRole('button', { name: 'Pay' })
      await button.dblclick()
      await fillCard(frameIn(page), '4242424242424242')
      assert.equal(await page.evaluate("document.querySelector('#pay').disabled"), true)
      assert.equal(orders, 1)
      await payButton(frameIn(page)).click()
      await page.waitForURL(guide.orderPage)
    }))

  it('the button can be pressed again after the dialog was closed', () =>
    inGuide(async ({ page }) => {
      await page.goto(guide.origin)
      await page.getByRole('button', { name: 'Pay' }).click()
      await ready(page)
      await escapeFrom(page, frameIn(page).getByLabel('Card number'))
      assert.equal(await page.evaluate("document.querySelector('#pay').disabled"), false)
    }))

  it('the links open a payment link and an order', () =>
    inGuide(async ({ page }) => {
      const { linkId } = await makeLink(env.database.db, aLink(env.account.merNo), async () => {})
      await page.goto(guide.linksTo({ linkId, payUrl: String((await checkout(env)).data.payUrl) }))
      const [toLink, toOrder] = await page.getByRole('link', { name: 'Pay' }).all()
      await toLink?.click()
      await ready(page)
      await escapeFrom(page, frameIn(page).getByRole('button', { name: 'Continue to payment' }))
      await toOrder?.click()
      await payButton(frameIn(page)).first().waitFor()
    }))
})
