// The demo shop with the gateway's drop-in: the payment page in a window over the order.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openShop, type Shop } from '../../shop/server.ts'
import { readDemo } from '../../src/operator/demo/demo-file.ts'
import { checkLooks } from '../harness/page-checks.ts'
import {
  asPayer,
  type Environment,
  enterCode,
  fillCard,
  linkBack,
  openEnvironment,
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
  ['takes the whole window for the bank', '4000000000003220'],
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
        if (card === '4242424242424242') await linkBack(frame).click()
        else {
          await enterCode(page, '123456')
          await linkBack(page).click()
        }
        await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      },
      { sites: [shop.url] },
    ))
