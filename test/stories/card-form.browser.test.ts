// The card form in a real browser: what it keeps after a decline, the card brands that it shows, and a
// payer who is offline.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/eventually.ts'
import {
  asPayer,
  assertPaid,
  checkout,
  type Environment,
  enterCode,
  fillBilling,
  fillCard,
  openEnvironment,
  PAID,
  payButton,
  withoutBilling,
} from '../harness/payer.ts'

const GOOD = '4242424242424242'
const DECLINED = '4000000000000002'
const CHALLENGED = '4000000000003220'

let env: Environment
before(async () => {
  env = await openEnvironment()
})
after(() => env.close())

/** The card form as it must be after a failed payment, by the names of its fields. */
const keptFields = {
  cardNo: '',
  cardExpiry: '',
  cardSecurityCode: '',
  billingFirstName: 'Test',
  billingLastName: 'Payer',
  billingEmail: 'payer@example.com',
  billingCountry: 'PE',
  billingZipCode: '15046',
}

/** Everything that the pages of the gateway have stored in this tab. */
const stored = (page: Page) => page.evaluate<string>('JSON.stringify(sessionStorage)')

async function assertKept(page: Page): Promise<void> {
  for (const [name, text] of Object.entries(keptFields))
    assert.equal(await page.locator(`#card-${name}`).inputValue(), text, name)
}

it('keeps all fields after a decline except those of the card, so that another card is enough', () =>
  asPayer(env, 'phone', async (payer) => {
    const { page } = payer
    const reply = await checkout(env, withoutBilling)
    await page.goto(String(reply.data.payUrl))
    await fillCard(page, DECLINED)
    await fillBilling(page)
    await payButton(page).click()
    await page.getByText('Your payment did not go through').waitFor()
    await assertKept(page)
    assert.match(await stored(page), /payer@example\.com/)
    await fillCard(page, GOOD)
    await payButton(page).click()
    await page.getByRole('heading', { name: PAID }).waitFor()
    assert.equal(await stored(page), '{}', 'nothing is kept after the payment')
    await assertPaid(payer, env, reply)
  }))

it('keeps them also if the bank asked for a code, and if the payer chose to pay another way', () =>
  asPayer(env, 'desktop', async ({ page }) => {
    await page.goto(String((await checkout(env, withoutBilling)).data.payUrl))
    await fillCard(page, CHALLENGED)
    await fillBilling(page)
    await payButton(page).click()
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.getByRole('button', { name: 'Pay another way' }).click()
    await assertKept(page)
    await fillCard(page, CHALLENGED)
    await payButton(page).click()
    await enterCode(page, '000000')
    await page.getByText('Your payment did not go through').waitFor()
    await assertKept(page)
  }))

/** Returns the brands whose marks are visible, by the classes of their pictures, or `other` for a mark with a name. */
async function brandsOn(page: Page): Promise<string[]> {
  const marks = await page.locator('.brands .mark').filter({ visible: true }).all()
  const classes = await Promise.all(marks.map((mark) => mark.getAttribute('class')))
  return classes.map((names) => (names ?? '').replace('mark', '').trim() || 'other')
}

it('shows the accepted card brands until a number is typed, then the brand of the number', () =>
  asPayer(env, 'phone', async ({ page }) => {
    await page.goto(String((await checkout(env)).data.payUrl))
    const all = ['visa', 'mastercard', 'amex', 'jcb', 'discover', 'diners', 'unionpay']
    assert.deepEqual(await brandsOn(page), all)
    await page.getByRole('img', { name: /^Accepted cards: Visa, Mastercard, American Express, / }).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    const label = await page.locator('label[for=card-cardNo]').boundingBox()
    const marks = await page.locator('.brands').boundingBox()
    assert.ok(label && marks && marks.y >= label.y + label.height, 'the marks are below the label')
    assert.ok(marks.x > 32 && marks.x + marks.width < 320 - 32, 'the marks are inside the field')
    await page.getByLabel('Card number').fill('5555')
    assert.deepEqual(await brandsOn(page), ['mastercard'])
    await page.getByLabel('Card number').fill('9')
    assert.deepEqual(await brandsOn(page), [])
    await page.getByLabel('Card number').fill('')
    assert.deepEqual(await brandsOn(page), all)
  }))

it('shows the brands without script, and hides them while a number is typed', () =>
  asPayer(
    env,
    'phone',
    async ({ page }) => {
      await page.goto(String((await checkout(env)).data.payUrl))
      assert.equal((await brandsOn(page)).length, 7)
      await page.getByLabel('Card number').fill('5555')
      assert.deepEqual(await brandsOn(page), [])
    },
    { javaScriptEnabled: false },
  ))

it('shows only the brands that the merchant accepts', () =>
  asPayer(env, 'desktop', async ({ page }) => {
    await env.operator.run('merchant', 'set', String(env.account.merNo), '--card-brands', 'visa,jcb,maestro')
    // The gateway notices the change after a while.
    const isChanged = async () => {
      await page.goto(String((await checkout(env)).data.payUrl))
      return (await brandsOn(page)).length === 3
    }
    assert.ok(await eventually(isChanged))
    assert.deepEqual(await brandsOn(page), ['visa', 'jcb', 'other'])
    await page.getByRole('img', { name: 'Accepted cards: Visa, JCB, and Maestro' }).waitFor()
    await page.getByLabel('Card number').fill('5555')
    assert.deepEqual(await brandsOn(page), [])
  }))

it('stays on the page with all that was typed if the browser is offline, and pays once by the retry', () =>
  asPayer(
    env,
    'phone',
    async (payer) => {
      const { page, context } = payer
      const reply = await checkout(env)
      const url = String(reply.data.payUrl)
      await page.goto(url)
      await fillCard(page, GOOD)
      let sent = 0
      page.on('request', (request) => {
        if (request.method() === 'POST') sent++
      })
      await context.setOffline(true)
      await payButton(page).click()
      const message = page.getByRole('alert').filter({ hasText: 'Nothing was sent.' })
      const retry = message.getByRole('button', { name: 'Try again' })
      await message.waitFor()
      await retry.click()
      await message.waitFor()
      assert.equal(await message.count(), 1)
      assert.deepEqual([page.url(), sent], [url, 0])
      assert.equal(await page.getByLabel('Card number').inputValue(), '4242 4242 4242 4242')
      await context.setOffline(false)
      await retry.dblclick()
      await assertPaid(payer, env, reply)
      assert.equal(sent, 1)
      const text = 'select state from attempts where trade_no = $1'
      const attempts = await env.database.db.query({ text, values: [reply.data.tradeNo] })
      assert.deepEqual(attempts, [{ state: 'succeeded' }])
    },
    { expected: /ERR_INTERNET_DISCONNECTED/ },
  ))

it('is submitted by the retry if the gateway answers, though the browser says that it is offline', () =>
  asPayer(env, 'phone', async (payer) => {
    const { page } = payer
    await page.addInitScript(`Object.defineProperty(navigator, 'onLine', { get: () => false })`)
    const reply = await checkout(env)
    await page.goto(String(reply.data.payUrl))
    await fillCard(page, GOOD)
    await payButton(page).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await assertPaid(payer, env, reply)
  }))

it('says in the language of the page that there is no connection, also for the button that cancels', () =>
  asPayer(env, 'phone', async ({ page, context }) => {
    const reply = await checkout(env, { language: 'de' })
    await page.goto(String(reply.data.payUrl))
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Abbrechen' }).click()
    await page.getByRole('alert').filter({ hasText: 'Es wurde nichts gesendet.' }).waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Noch einmal versuchen' }).click()
    await page.getByRole('heading', { name: 'abgebrochen' }).waitFor()
  }))
