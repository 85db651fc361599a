// The payment page in a real browser: its questions and errors, no double payments, and use without a mouse, without
// scripts and in other languages.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type Language, languages, translationOf } from '../../src/platform/pages/language.ts'
import { cardBody, query, type Reply } from '../harness/client.ts'
import { assertSound, PAID as BOOKED, orderSnapshot } from '../harness/database-checks.ts'
import {
  askForPage,
  asPayer,
  assertBack,
  assertPaid,
  checkout,
  type Environment,
  enterCode,
  fillBilling,
  fillCard,
  linkBack,
  openEnvironment,
  order,
  PAID,
  type Payer,
  payButton,
  type Screen,
  screens,
  withoutBilling,
} from '../harness/payer.ts'

const GOOD = '4242424242424242'
const BROKE = '4000000000009995'
const CHALLENGED = '4000000000003220'
const person = { userId: 'payer-7', email: 'payer@example.com' }
const AMEX = '378282246310005'

let env: Environment
before(async () => {
  env = await openEnvironment()
})
after(() => env.close())

for (const screen of Object.keys(screens) as Screen[]) {
  describe(`a payer on a ${screen}`, { concurrency: 3 }, () => {
    it('is declined, stays on the page, and pays with another card', () =>
      asPayer(env, screen, async (payer) => {
        const reply = await checkout(env)
        const { page } = payer
        await page.goto(payUrl(reply))
        await fillCard(page, BROKE)
        await payButton(page).click()
        await page.getByText('There is not enough money on the card').waitFor()
        assert.equal(await page.getByLabel('Card number').inputValue(), '')
        await fillCard(page, GOOD)
        await payButton(page).click()
        await assertPaid(payer, env, reply)
        assert.deepEqual(await orderSnapshot(env.database.db, reply.data.tradeNo), { ...BOOKED, attempts: 2 })
      }))

    it('is asked for billing details that the merchant did not send, with each problem at its field', () =>
      asPayer(env, screen, async (payer) => {
        const reply = await checkout(env, withoutBilling)
        const { page } = payer
        await page.goto(payUrl(reply))
        await fillCard(page, '4242424242424241')
        await page.getByText('Check the card number').waitFor()
        await payButton(page).click()
        await page.getByText('Fill this in').nth(4).waitFor()
        assert.equal(await page.getByText('Fill this in').count(), 5)
        await fillCard(page, GOOD)
        await fillBilling(page, screen === 'phone' ? 'HK' : 'PE')
        await payButton(page).click()
        await assertPaid(payer, env, reply)
      }))

    it('is asked for the four digits of American Express, in either order of the fields', () =>
      asPayer(env, screen, async (payer) => {
        const { page } = payer
        const reply = await checkout(env)
        await page.goto(payUrl(reply))
        const code = page.getByLabel('Security code')
        await fillCard(page, AMEX)
        await code.blur()
        await page.getByText('Enter the four digits on the front').waitFor()
        await code.fill('1234')
        await code.blur()
        assert.equal(await code.getAttribute('aria-invalid'), null)
        await page.getByLabel('Card number').fill(GOOD)
        await page.getByLabel('Card number').blur()
        await page.getByText('Enter the three digits on the back').waitFor()
        await page.getByLabel('Card number').fill(AMEX)
        await payButton(page).click()
        await assertPaid(payer, env, reply)
      }))

    it('confirms at the bank and returns', () =>
      asPayer(env, screen, async (payer) => {
        const reply = await checkout(env)
        await payer.page.goto(payUrl(reply))
        await fillCard(payer.page, CHALLENGED)
        await payButton(payer.page).click()
        await enterCode(payer.page, '123456')
        await assertPaid(payer, env, reply)
      }))

    it('goes to a wallet, returns without paying, and pays with another method', () =>
      asPayer(env, screen, async (payer) => {
        const reply = await checkout(env)
        const { page } = payer
        await page.goto(payUrl(reply))
        await page.getByRole('radio', { name: 'Alipay' }).check()
        await payButton(page).click()
        await page.getByRole('button', { name: 'Approve payment' }).waitFor()
        await page.goto(`${payUrl(reply)}?back`)
        await page.getByRole('button', { name: 'Pay another way' }).click()
        await page.getByRole('radio', { name: 'Card' }).check()
        await fillCard(page, GOOD)
        await payButton(page).click()
        await assertPaid(payer, env, reply)
      }))

    it('cancels, and returns to the shop with a cancelled order', () =>
      asPayer(env, screen, async ({ page }) => {
        const reply = await checkout(env)
        await page.goto(payUrl(reply))
        await page.getByRole('button', { name: 'Cancel and return to shop' }).click()
        await linkBack(page).click()
        await assertBack(page, env, reply, '1')
        assert.equal((await orderSnapshot(env.database.db, reply.data.tradeNo))?.state, 7)
      }))

    it('pays with the method that the merchant chose, and is asked for what it needs', () =>
      asPayer(env, screen, async (payer) => {
        const { page, context } = payer
        const reply = await order(env, '/cashier/checkStandPayment', {
          ...withoutBilling,
          paymentMode: '7',
          currencyCode: 'BRL',
          sourceAmount: '150.75',
        })
        await page.goto(payUrl(reply))
        await page.getByRole('heading', { name: 'Pay with Pix' }).waitFor()
        await page.getByLabel('Full name').fill('Maria Souza')
        await page.getByLabel('CPF or CNPJ').fill('529.982.247-24')
        await page.getByLabel('Email').fill('payer@example.com')
        await payButton(page).click()
        await page.getByText('Check the CPF or CNPJ').waitFor()
        assert.equal(await page.getByLabel('Full name').inputValue(), 'Maria Souza')
        await page.getByLabel('CPF or CNPJ').fill('529.982.247-25')
        await payButton(page).click()
        const app = await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')
        const bank = await context.newPage()
        await bank.goto(String(app))
        await bank.getByRole('button', { name: 'Approve payment' }).click()
        await assertPaid(payer, env, reply)
      }))
  })
}

describe('a payment that is sent more than once', { concurrency: 3 }, () => {
  it('by a double click is charged once', () =>
    asPayer(env, 'desktop', async (payer) => {
      const reply = await checkout(env)
      await payer.page.goto(payUrl(reply))
      await fillCard(payer.page, GOOD)
      await payButton(payer.page).dblclick()
      await assertPaid(payer, env, reply)
      await assertPaidOnce(reply)
    }))

  it('by reloading, or by going back and sending the form again, is charged once', () =>
    asPayer(env, 'desktop', async ({ page }) => {
      const reply = await checkout(env)
      await page.goto(payUrl(reply))
      await fillCard(page, GOOD)
      await payButton(page).click()
      const paid = page.getByRole('heading', { name: PAID })
      await paid.waitFor()
      await page.reload()
      await paid.waitFor()
      await page.goBack()
      // The page is not cached, so the browser loads the result, not the form.
      await paid.waitFor()
      await assertPaidOnce(reply)
    }))

  it('from two tabs is charged once, and the slower tab shows the current state', () =>
    asPayer(env, 'desktop', async ({ context }) => {
      const reply = await checkout(env)
      const tabs = await Promise.all([context.newPage(), context.newPage()])
      for (const tab of tabs) {
        await tab.goto(payUrl(reply))
        await fillCard(tab, GOOD)
      }
      await Promise.all(tabs.map((tab) => payButton(tab).click()))
      for (const tab of tabs) await tab.getByRole('heading', { name: PAID }).waitFor()
      await assertPaidOnce(reply)
    }))

  it('is noticed by another open tab', () =>
    asPayer(env, 'desktop', async ({ page, context }) => {
      const pix = {
        currencyCode: 'BRL',
        sourceAmount: '20.00',
        name: 'A',
        socialSecurityNumber: '52998224725',
      }
      const reply = await order(env, '/payment', { ...pix, ...person }, { paymentType: 'PIX' })
      const other = await context.newPage()
      for (const tab of [page, other]) await tab.goto(payUrl(reply))
      const app = await other.getByRole('link', { name: 'Open the app' }).getAttribute('href')
      await other.goto(String(app))
      await other.getByRole('button', { name: 'Approve payment' }).click()
      await page.getByRole('heading', { name: PAID }).waitFor()
      await assertPaidOnce(reply)
    }))
})

describe('the page', { concurrency: 3 }, () => {
  it('can be embedded by the shop, and takes the window to the payment', () =>
    asPayer(env, 'desktop', async ({ page }) => {
      const { account, shop } = env
      const body = cardBody(account, { returnUrl: shop.returnUrl, cardNo: '' })
      const html = await askForPage(env, body)
      await page.route(`${shop.origin}/checkout`, (route) =>
        route.fulfill({ contentType: 'text/html', body: html }),
      )
      await page.goto(`${shop.origin}/checkout`)
      await page.getByRole('heading', { name: 'How would you like to pay?' }).waitFor()
      assert.ok(page.url().startsWith(`${account.baseUrl}/pay/`))
    }))

  it('returns to the shop automatically, unless the payer chooses to stay', () =>
    asPayer(
      env,
      'desktop',
      async ({ page, context }) => {
        await context.clock.install()
        await context.clock.pauseAt(Date.now() + 60_000)
        const reply = await checkout(env)
        await page.goto(payUrl(reply))
        await fillCard(page, GOOD)
        await payButton(page).click()
        await page.getByText('Returning to the shop in 5 s').waitFor()
        const other = await context.newPage()
        await other.goto(payUrl(reply))
        await other.getByRole('button', { name: 'Stay on this page' }).click()
        await context.clock.runFor(6_000)
        await assertBack(page, env, reply, '0')
        assert.equal(await other.getByText(/Returning to the shop/).count(), 0)
        assert.equal(other.url(), payUrl(reply))
      },
      { autoReturn: true },
    ))

  it('can be used with the keyboard alone', () =>
    asPayer(env, 'desktop', async (payer) => {
      const reply = await checkout(env)
      const { keyboard } = payer.page
      await payer.page.goto(payUrl(reply))
      await tabTo(payer.page, 'Alipay|Card')
      await keyboard.press('Space')
      for (const [label, text] of [
        ['Card number', GOOD],
        ['Expires', '1230'],
        ['Security code', '123'],
      ] as const) {
        await tabTo(payer.page, label)
        await keyboard.type(text)
      }
      await tabTo(payer.page, '^Pay ')
      await keyboard.press('Enter')
      await payer.page.getByRole('heading', { name: PAID }).waitFor()
      await tabTo(payer.page, 'Return to shop')
      await keyboard.press('Enter')
      await assertBack(payer.page, env, reply, '0')
    }))

  it('works without scripts, by card', () =>
    withoutScripts(async (page) => {
      const reply = await checkout(env)
      await page.goto(payUrl(reply))
      await fillCard(page, GOOD)
      await payButton(page).click()
      await assertPaid({ page }, env, reply)
    }))

  it('works without scripts, with a challenge at the bank', () =>
    withoutScripts(async (page) => {
      const reply = await checkout(env)
      await page.goto(payUrl(reply))
      await fillCard(page, CHALLENGED)
      await payButton(page).click()
      await page.getByRole('button', { name: 'Continue to your bank' }).click()
      await enterCode(page, '123456')
      await page.getByRole('button', { name: 'Back to the payment' }).click()
      await assertPaid({ page }, env, reply)
    }))

  it('works without scripts while money is on its way: it reloads by itself', () =>
    withoutScripts(async (page) => {
      const reply = await order(
        env,
        '/payment',
        { currencyCode: 'MXN', sourceAmount: '99.00' },
        { paymentType: 'SPEI' },
      )
      await page.goto(payUrl(reply))
      const app = await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')
      await fetch(String(app), { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) })
      await assertPaid({ page }, env, reply)
    }))

  for (const language of languages)
    it(`is in ${language} if the order asks for it`, async () => {
      const reply = await checkout(env, { language: translationOf(language).tag })
      await assertSpeaks(reply, language, 'en-US')
    })

  for (const [zone, javaScriptEnabled] of [['Asia/Taipei', true] as const, ['UTC', false] as const])
    it(`shows the deadline in ${zone}, ${javaScriptEnabled ? 'the time zone of its payer' : 'without scripts'}`, () =>
      asPayer(
        env,
        'phone',
        async ({ page }) => {
          const euros = { ...person, currencyCode: 'EUR', sourceAmount: '45.90', language: 'zh-TW' }
          await page.goto(payUrl(await order(env, '/payment', euros, { paymentType: 'SEPA' })))
          const time = page.locator('.deadline time')
          const at = new Date(String(await time.getAttribute('datetime')))
          const parts = { day: 'numeric', month: 'numeric', hour: '2-digit', minute: '2-digit' } as const
          const written = new Intl.DateTimeFormat('zh-TW', { ...parts, timeZone: zone }).format(at)
          const text = String(await time.textContent())
          assert.deepEqual(text.match(/\d+/g)?.slice(0, 4), written.match(/\d+/g), text)
          assert.match(text, javaScriptEnabled ? /GMT\+8/ : /UTC/)
        },
        { timezoneId: 'Asia/Taipei', javaScriptEnabled },
      ))

  it("is in the browser's language if the order asks for none", async () => {
    const reply = await checkout(env)
    await assertSpeaks(reply, 'ar', 'ar-EG')
    await assertSpeaks(reply, 'de', 'de-AT')
  })
})

it('the ledger is sound afterwards', async () => {
  assert.equal(await env.gateway.stop(), 0)
  await assertSound(env.database.db)
})

function payUrl(reply: Reply): string {
  return String(reply.data.payUrl)
}

function assertSpeaks(reply: Reply, language: Language, locale: string): Promise<void> {
  const { tag, dir, words } = translationOf(language)
  const look = async ({ page }: Payer) => {
    await page.goto(payUrl(reply))
    const root = page.locator('html')
    assert.deepEqual(
      { lang: await root.getAttribute('lang'), dir: await root.getAttribute('dir') },
      { lang: tag, dir },
    )
    await page.getByRole('heading', { name: words.choose.title }).waitFor()
    const { x = 0 } = (await page.locator('.way .mark').first().boundingBox()) ?? {}
    assert.equal(x > 180, dir === 'rtl', 'marks are at the start of the line')
  }
  return asPayer(env, 'phone', look, { locale })
}

async function assertPaidOnce({ data }: Reply): Promise<void> {
  assert.equal((await query(env.account, data.merOrderNo)).data.state, 3)
  assert.deepEqual(await orderSnapshot(env.database.db, data.tradeNo), BOOKED)
}

/**
 * The name of the focused element. The name is empty for the body, because the body's text is that of the whole page.
 */
const nameOfFocus = `document.activeElement === document.body ? ''
  : (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()`
/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const pattern = new RegExp(name)
  for (let presses = 0; presses < 30; presses++) {
    if (pattern.test(await page.evaluate<string>(nameOfFocus))) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab never reaches ${name}`)
}

function withoutScripts(act: (page: Page) => Promise<void>): Promise<void> {
  return asPayer(env, 'phone', ({ page }) => act(page), { javaScriptEnabled: false })
}
