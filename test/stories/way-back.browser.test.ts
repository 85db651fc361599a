// Payers who leave a bank or wallet of the sandbox without a decision, in a real browser.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import {
  asPayer,
  assertPaid,
  checkout,
  type Environment,
  enterCode,
  fillCard,
  openEnvironment,
  order,
  PAID,
  payButton,
} from '../harness/payer.ts'

let env: Environment
before(async () => {
  env = await openEnvironment()
})
after(() => env.close())

const backLink = (page: Page) => page.getByRole('link', { name: 'Back to the shop' })
const toClose = (page: Page) => page.getByText('Close this page to go back to the shop.')
const backButton = (page: Page) => page.getByRole('button', { name: 'Back to the shop' })

it('leads from a wallet to the payment page, where another method can be chosen', () =>
  asPayer(env, 'phone', async (payer) => {
    const { page } = payer
    const reply = await checkout(env)
    await page.goto(String(reply.data.payUrl))
    await page.getByRole('radio', { name: 'UnionPay' }).check()
    await payButton(page).click()
    await backLink(page).click()
    await page.getByRole('heading', { name: 'Continue with UnionPay' }).waitFor()
    await page.getByRole('button', { name: 'Pay another way' }).click()
    await fillCard(page, '4242424242424242')
    await payButton(page).click()
    await assertPaid(payer, env, reply)
  }))

it('leads from the code page of the bank to the payment page, which does not send the payer there again', () =>
  asPayer(env, 'phone', async (payer) => {
    const { page } = payer
    const reply = await checkout(env)
    await page.goto(String(reply.data.payUrl))
    await fillCard(page, '4000000000003220')
    await payButton(page).click()
    await backLink(page).click()
    const goOn = page.getByRole('button', { name: 'Continue to your bank' })
    await goOn.waitFor()
    await page.getByRole('button', { name: 'Pay another way' }).waitFor()
    await goOn.click()
    await enterCode(page, '123456')
    await assertPaid(payer, env, reply)
  }))

it('leads from a banking app that does not know the address, before and after the payment', () =>
  asPayer(env, 'phone', async ({ page, context }) => {
    const pix = {
      userId: 'payer-7',
      email: 'payer@example.com',
      name: 'Maria Souza',
      socialSecurityNumber: '52998224725',
      currencyCode: 'BRL',
      sourceAmount: '150.75',
    }
    const reply = await order(env, '/payment', pix, { paymentType: 'PIX' })
    const url = String(reply.data.payUrl)
    await page.goto(url)
    const app = page.getByRole('link', { name: 'Open the app' })
    const opened = context.waitForEvent('page')
    await app.click({ modifiers: ['ControlOrMeta'] })
    const alone = await opened
    await toClose(alone).waitFor()
    assert.equal(await backButton(alone).count(), 0)
    await app.click()
    await backButton(page).click()
    await page.waitForURL(url)
    await app.click()
    await page.getByRole('button', { name: 'Approve payment' }).waitFor()
    await alone.getByRole('button', { name: 'Approve payment' }).click()
    await alone.getByRole('heading', { name: 'Done' }).waitFor()
    await toClose(alone).waitFor()
    assert.equal(await backButton(alone).count(), 0)
    await page.getByRole('button', { name: 'Approve payment' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    assert.equal(await toClose(page).isVisible(), false)
    await backButton(page).click()
    await page.waitForURL(url)
    await page.getByRole('heading', { name: PAID }).waitFor()
  }))
