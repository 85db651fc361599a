// drop-in.js on a shop's page at another origin: payments in the dialog, steps that need the whole window, closing, and
// the case that no frame is allowed. The gateway is at 127.0.0.1. The shop is at localhost, which is the demo
// merchant's site.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { makeLink } from '../../src/money/payment-links/make-link.ts'
import { type DropInShop, openDropInShop } from '../counterparties/drop-in-shop.ts'
import { query, type Reply } from '../harness/client.ts'
import { aLink, dialogIn, escapeFrom, frameIn, ready } from '../harness/drop-in-dialog.ts'
import { eventually } from '../harness/eventually.ts'
import { checkLooks, runAxe } from '../harness/page-checks.ts'
import {
  asPayer,
  assertPaid,
  checkout,
  type Environment,
  enterCode,
  fillCard,
  linkBack,
  openEnvironment,
  order,
  PAID,
  type Payer,
  payButton,
  type Screen,
  type Visit,
  withoutBilling,
} from '../harness/payer.ts'

const GOOD = '4242424242424242'
const CHALLENGED = '4000000000003220'
const CHALLENGED_UNFRAMED = '4000000000003253'

let env: Environment
let shop: DropInShop
before(async () => {
  env = await openEnvironment()
  shop = await openDropInShop(env.account.baseUrl)
})
after(async () => {
  await shop.close()
  await env.close()
})

const payUrlOf = ({ data }: Reply) => String(data.payUrl)

/** Visits the shop's page; `host` is one of the names under which it is reached. */
function visit(
  screen: Screen,
  pays: Parameters<DropInShop['pageFor']>[0],
  act: (payer: Payer) => Promise<void>,
  { host = 'localhost', ...more }: Visit & { readonly host?: string } = {},
): Promise<void> {
  const sites = [`http://${host}:${shop.port}`]
  return asPayer(
    env,
    screen,
    async (payer) => {
      await payer.page.goto(shop.pageFor(pays, host))
      await act(payer)
    },
    { ...more, sites },
  )
}

const openHere = (page: Page) => page.getByRole('button', { name: 'Pay here' }).click()

/** The results that the shop received, in order. */
async function toldIn(page: Page): Promise<unknown[]> {
  const lines = (await page.locator('output').innerText()).split('\n').filter((line) => line !== '')
  return lines.map((line) => [line.split(' ', 1)[0], JSON.parse(line.replace(/^\w+ /, ''))])
}

/** The element of the dialog that has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>("document.querySelector('tollgate-drop-in')?.shadowRoot.activeElement?.tagName")

describe('a payment in the dialog', () => {
  it('by card ends with a result for the shop, which its server confirms', async () => {
    const reply = await checkout(env)
    const { merOrderNo: orderNo, tradeNo } = reply.data
    await visit('desktop', { payUrl: payUrlOf(reply) }, async ({ page }) => {
      await openHere(page)
      const frame = frameIn(page)
      await fillCard(frame, GOOD)
      assert.equal(await page.evaluate('getComputedStyle(document.documentElement).overflow'), 'hidden')
      await checkLooks(page, 'drop-in')
      await payButton(frame).click()
      await frame.getByRole('heading', { name: PAID }).waitFor()
      await checkLooks(page, 'drop-in-paid')
      await linkBack(frame).click()
      await dialogIn(page).waitFor({ state: 'detached' })
      const [result, close] = await toldIn(page)
      assert.deepEqual(result, [
        'result',
        { ...about(result), orderNo, tradeNo, state: 'succeeded', isFinal: true },
      ])
      assert.deepEqual(close, ['close', about(result)])
      assert.notEqual(await page.evaluate('getComputedStyle(document.documentElement).overflow'), 'hidden')
      assert.equal(await page.evaluate('document.activeElement.id'), 'open', 'the focus is back')
    })
    assert.equal((await query(env.account, reply.data.merOrderNo)).data.state, 3)
  })

  it('returns to the shop with the signed result if the shop has no callback', async () => {
    const reply = await checkout(env)
    await visit('phone', { payUrl: payUrlOf(reply) }, async (payer) => {
      const { page } = payer
      await page.getByRole('link', { name: 'Pay by link' }).click()
      const frame = frameIn(page)
      await fillCard(frame, GOOD)
      const box = await dialogIn(page).boundingBox()
      assert.deepEqual(box, { x: 0, y: 0, width: 360, height: 740 }, 'it fills a phone')
      await checkLooks(page, 'drop-in-on-phone')
      await payButton(frame).click()
      await frame.getByRole('heading', { name: PAID }).waitFor()
      await dialogIn(page).getByRole('button', { name: 'Close' }).click()
      await page.waitForURL(`${env.shop.origin}/**`)
      assert.match(page.url(), /payCode=0/)
    })
  })

  it('by Pix shows a code, and the result when the payer has paid in the app', async () => {
    const reply = await order(env, '/cashier/checkStandPayment', {
      ...withoutBilling,
      paymentMode: '7',
      currencyCode: 'BRL',
      sourceAmount: '150.75',
    })
    await visit('desktop', { payUrl: payUrlOf(reply) }, async ({ page, context }) => {
      await openHere(page)
      const frame = frameIn(page)
      await frame.getByLabel('Full name').fill('Maria Souza')
      await frame.getByLabel('CPF or CNPJ').fill('529.982.247-25')
      await frame.getByLabel('Email').fill('payer@example.com')
      await payButton(frame).click()
      const app = await frame.getByRole('link', { name: 'Open the app' }).getAttribute('href')
      await checkLooks(page, 'drop-in-pix')
      const bank = await context.newPage()
      await bank.goto(String(app))
      await bank.getByRole('button', { name: 'Approve payment' }).click()
      await frame.getByRole('heading', { name: PAID }).waitFor()
    })
  })

  it('of a payment link begins at the button and ends without leaving the shop', async () => {
    const link = await makeLink(env.database.db, aLink(env.account.merNo), async () => {})
    const url = `${env.account.baseUrl}/link/${link.linkId}`
    await visit('desktop', { link: url }, async ({ page }) => {
      await page.getByRole('button', { name: 'Give' }).click()
      const frame = frameIn(page)
      await frame.getByRole('button', { name: 'Continue to payment' }).click()
      await fillCard(frame, GOOD)
      await frame.getByLabel('First name').fill('Ada')
      await frame.getByLabel('Last name').fill('Payer')
      await frame.getByLabel('Email').fill('payer@example.com')
      await frame.getByLabel('Country').selectOption('DE')
      await frame.getByLabel('Postal code').fill('10115')
      await payButton(frame).first().click()
      await frame.getByRole('heading', { name: PAID }).waitFor()
      await checkLooks(page, 'drop-in-link-paid')
      await dialogIn(page).getByRole('button', { name: 'Close' }).click()
      await dialogIn(page).waitFor({ state: 'detached' })
      assert.equal(page.url(), shop.pageFor({ link: url }))
    })
  })
})

describe('the page of the bank', () => {
  const bankIn = (page: Page) => frameIn(page).frameLocator('iframe')
  const goOn = (page: Page) => frameIn(page).getByRole('button', { name: 'Continue to your bank' })
  const stillOpen = (page: Page) => frameIn(page).getByRole('alert').filter({ hasText: 'still open' })
  const codeIn = (page: Page) => bankIn(page).getByLabel('Code')

  async function payBy(page: Page, card: string): Promise<void> {
    const frame = frameIn(page)
    await fillCard(frame, card)
    await payButton(frame).click()
  }

  /** The payment page in the dialog, without the frame of the bank inside it. */
  function payFrame(page: Page): Frame {
    const [, frame] = page.frames()
    assert.ok(frame)
    return frame
  }

  it('opens in the dialog, and the shop gets the result without a navigation', async () => {
    const reply = await checkout(env)
    await visit('desktop', { payUrl: payUrlOf(reply) }, async ({ page }) => {
      const visited: string[] = []
      page.on('framenavigated', (frame) => {
        if (frame === page.mainFrame()) visited.push(frame.url())
      })
      await openHere(page)
      await payBy(page, CHALLENGED)
      await codeIn(page).waitFor()
      await checkLooks(page, 'drop-in-bank')
      const frame = payFrame(page)
      await runAxe(frame, 'the dialog with the page of the bank')
      const dialog = frameIn(page).getByRole('dialog', { name: 'Confirm your payment' })
      const inside = await frame.evaluate('[innerWidth, innerHeight]')
      assert.deepEqual(
        await dialog.evaluate((one) => [one.clientWidth, one.clientHeight]),
        inside,
        'the dialog covers the payment page',
      )
      assert.ok(await eventually(async () => (await frame.evaluate(focusedTag)) === 'IFRAME'))
      await frame.evaluate("document.querySelector('form[target=bank] button').focus()")
      assert.equal(await frame.evaluate(focusedTag), 'IFRAME', 'the payment page below is inert')
      await enterCode(bankIn(page), '123456')
      await frameIn(page).getByRole('heading', { name: PAID }).waitFor()
      await linkBack(frameIn(page)).click()
      const [result] = await toldIn(page)
      assert.deepEqual(result, ['result', { ...about(result), state: 'succeeded', isFinal: true }])
      assert.deepEqual(visited, [])
    })
    assert.equal((await query(env.account, reply.data.merOrderNo)).data.state, 3)
  })

  it('leads back to the form in the dialog after a decline', async () => {
    const reply = await checkout(env)
    await visit('phone', { payUrl: payUrlOf(reply) }, async ({ page }) => {
      await openHere(page)
      await payBy(page, CHALLENGED)
      await codeIn(page).waitFor()
      assert.deepEqual(await dialogIn(page).boundingBox(), { x: 0, y: 0, width: 360, height: 740 })
      await enterCode(bankIn(page), '000000')
      await frameIn(page).getByText('Your payment did not go through').waitFor()
      await payBy(page, GOOD)
      await frameIn(page).getByRole('heading', { name: PAID }).waitFor()
    })
  })

  it('closes by the button, by Escape and by its own link, and opens again', async () => {
    const reply = await checkout(env)
    await visit('desktop', { payUrl: payUrlOf(reply) }, async ({ page }) => {
      await openHere(page)
      await payBy(page, CHALLENGED)
      await codeIn(page).waitFor()
      await dialogIn(page).getByRole('button', { name: 'Back to the payment' }).click()
      await stillOpen(page).waitFor()
      await checkLooks(page, 'drop-in-bank-closed')
      assert.equal(
        await payFrame(page).evaluate('document.activeElement.textContent'),
        'Continue to your bank',
      )
      await goOn(page).click()
      await codeIn(page).waitFor()
      assert.equal(await stillOpen(page).count(), 0)
      await dialogIn(page).getByRole('button', { name: 'Back to the payment' }).focus()
      await page.keyboard.press('Escape')
      await stillOpen(page).waitFor()
      await goOn(page).click()
      await codeIn(page).waitFor()
      await frameIn(page).getByRole('link', { name: 'Open it in this window' }).focus()
      await page.keyboard.press('Escape')
      await stillOpen(page).waitFor()
      await goOn(page).click()
      await bankIn(page).getByRole('link', { name: 'Back to the shop' }).click()
      await stillOpen(page).waitFor()
      assert.equal(await dialogIn(page).count(), 1)
      await goOn(page).click()
      await enterCode(bankIn(page), '123456')
      await frameIn(page).getByRole('heading', { name: PAID }).waitFor()
    })
  })

  it('waits for a connection, and goes when the payment ends elsewhere', async () => {
    const reply = await checkout(env)
    await visit('desktop', { payUrl: payUrlOf(reply) }, async ({ page, context }) => {
      await openHere(page)
      await payBy(page, CHALLENGED)
      await codeIn(page).waitFor()
      await dialogIn(page).getByRole('button', { name: 'Back to the payment' }).click()
      await context.setOffline(true)
      await goOn(page).click()
      await frameIn(page).getByText('There was no connection').waitFor()
      await context.setOffline(false)
      await frameIn(page).getByRole('button', { name: 'Try again' }).click()
      await codeIn(page).waitFor()
      const other = await context.newPage()
      await other.goto(`${payUrlOf(reply)}?back`)
      await other.getByRole('button', { name: 'Cancel and return to shop' }).click()
      await frameIn(page).getByRole('heading', { name: 'This payment was cancelled' }).waitFor()
    })
  })

  it('opens in the window if the bank refuses frames, and the payer returns to the shop', async () => {
    const reply = await checkout(env)
    const act = async (payer: Payer) => {
      const { page } = payer
      await openHere(page)
      await payBy(page, CHALLENGED_UNFRAMED)
      await frameIn(page).getByRole('link', { name: 'Open it in this window' }).click()
      await enterCode(page, '123456')
      await assertPaid(payer, env, reply)
    }
    await visit('phone', { payUrl: payUrlOf(reply) }, act, { expected: /frame-ancestors|X-Frame-Options/ })
  })

  it('opens in the window if it does not load, or leads where its frame may not go', async () => {
    const reply = await checkout(env)
    await visit(
      'desktop',
      { payUrl: payUrlOf(reply) },
      async ({ page, context }) => {
        await context.clock.install()
        await page.reload()
        await openHere(page)
        // The bank never answers.
        await context.route('**/acs', () => {})
        await payBy(page, CHALLENGED)
        await frameIn(page).getByRole('dialog').waitFor()
        await page.clock.fastForward(21_000)
        await page.waitForURL(`${payUrlOf(reply)}?go`, { waitUntil: 'commit' })
        await context.unroute('**/acs')
        await page.getByLabel('Code').waitFor()
        await page.goto(shop.pageFor({ payUrl: payUrlOf(reply) }))
        await openHere(page)
        await codeIn(page).waitFor()
        await page.frames()[2]?.evaluate("location.assign('bank-app://confirm')")
        await page.waitForURL(`${env.sandboxUrl}/acs`)
      },
      { expected: /frame-src/ },
    )
  })
})

const focusedTag = 'document.activeElement.tagName'

describe('a step that needs the whole window', () => {
  it('at a wallet takes it, and a payer who goes back to the shop finds no dialog', async () => {
    const reply = await checkout(env)
    await visit('desktop', { payUrl: payUrlOf(reply) }, async (payer) => {
      const { page } = payer
      await openHere(page)
      const frame = frameIn(page)
      await frame.getByRole('radio', { name: 'Alipay' }).check()
      await payButton(frame).click()
      await page.getByRole('button', { name: 'Approve payment' }).waitFor()
      await page.goto(shop.pageFor({ payUrl: payUrlOf(reply) }))
      assert.equal(await dialogIn(page).count(), 0)
      await openHere(page)
      await frame.getByRole('link', { name: 'Continue to Alipay' }).click()
      await page.getByRole('button', { name: 'Approve payment' }).click()
      await assertPaid(payer, env, reply)
    })
  })
})

describe('the dialog', () => {
  it('has the focus, closes by Escape and by its button, and the order lives on', async () => {
    const reply = await checkout(env)
    const { merOrderNo: orderNo, tradeNo } = reply.data
    await visit('desktop', { payUrl: payUrlOf(reply) }, async ({ page }) => {
      await openHere(page)
      const frame = frameIn(page)
      await ready(page)
      assert.ok(await eventually(async () => (await focused(page)) === 'IFRAME'))
      await page.evaluate("document.querySelector('#open').focus()")
      assert.equal(await focused(page), 'IFRAME', 'the page below is inert')
      await page.evaluate('Tollgate.open(document.body.dataset.payUrl)')
      assert.equal(await dialogIn(page).count(), 1, 'opening it twice shows it once')
      await escapeFrom(page, frame.getByLabel('Card number'))
      await openHere(page)
      await ready(page)
      await dialogIn(page).getByRole('button', { name: 'Close' }).focus()
      await page.keyboard.press('Escape')
      await dialogIn(page).waitFor({ state: 'detached' })
      const open = ['close', { orderNo, tradeNo, state: 'choosing', isFinal: false }]
      assert.ok(await eventually(async () => (await toldIn(page)).length > 1))
      assert.deepEqual(await toldIn(page), [open, open])
    })
    assert.equal((await query(env.account, orderNo)).data.state, 1)
  })

  it('shows what another tab has paid', async () => {
    const reply = await checkout(env)
    await visit('desktop', { payUrl: payUrlOf(reply) }, async ({ page, context }) => {
      await openHere(page)
      const frame = frameIn(page)
      await fillCard(frame, GOOD)
      const other = await context.newPage()
      await other.goto(payUrlOf(reply))
      await fillCard(other, GOOD)
      await payButton(other).click()
      await other.getByRole('heading', { name: PAID }).waitFor()
      await payButton(frame).click()
      await frame.getByRole('heading', { name: PAID }).waitFor()
      await page.locator('output', { hasText: 'result' }).waitFor()
      assert.equal((await toldIn(page)).length, 1)
    })
  })
})

describe('without a frame', () => {
  /** The messages that browsers write about a refused frame, and about a message that no window may receive. */
  const expected = /frame-ancestors|target origin|status of 404|Tollgate: /

  it('the payment opens in the window: on a site of nobody, or of another merchant', async () => {
    const reply = await checkout(env)
    const other = await env.operator.run('merchant', 'create', '--name', 'Other', '--site', '127.0.0.1')
    const act = async ({ page }: Payer) => {
      const warned = page.waitForEvent('console', {
        predicate: (message) => /approved website/.test(message.text()),
      })
      await openHere(page)
      await warned
      await page.waitForURL(payUrlOf(reply))
      await payButton(page).first().waitFor()
    }
    await visit('desktop', { payUrl: payUrlOf(reply) }, act, { host: '127.0.0.1', expected })
    const theirs = {
      ...env,
      account: { ...env.account, merNo: Number(other.merNo), key: String(other.key), site: '127.0.0.1' },
    }
    const own = await checkout(theirs)
    await visit(
      'desktop',
      { payUrl: payUrlOf(own) },
      async ({ page }) => {
        await openHere(page)
        await payButton(frameIn(page)).first().waitFor()
      },
      { host: '127.0.0.1' },
    )
  })

  it('a page that does not exist opens in the window, too, and says what to do', async () => {
    const payUrl = `${env.account.baseUrl}/pay/wrong`
    await visit(
      'desktop',
      { payUrl },
      async ({ page }) => {
        await openHere(page)
        await page.waitForURL(payUrl)
        await page.getByRole('heading', { name: 'This payment page does not exist' }).waitFor()
      },
      { expected },
    )
  })

  it('an address of another site is refused, with a message for its developer', async () => {
    const pays = [`http://evil.example/pay/x`, `${env.account.baseUrl}/backoffice`, 'javascript:alert(1)', '']
    for (const payUrl of pays)
      await visit(
        'desktop',
        { payUrl },
        async ({ page }) => {
          const said = page.waitForEvent('console', { predicate: (message) => message.type() === 'error' })
          await openHere(page)
          assert.match((await said).text(), /is not a payment page of http:\/\/127\.0\.0\.1/)
          assert.equal(await dialogIn(page).count(), 0)
        },
        { expected },
      )
  })
})

/** Returns the fields of a received message, for comparisons in which the test knows only some of the fields. */
function about(received: unknown): Record<string, unknown> {
  const [, result] = Array.isArray(received) ? received : []
  assert.ok(typeof result === 'object' && result !== null)
  return { ...result }
}
