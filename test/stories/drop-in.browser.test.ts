// drop-in.js on a shop's page at another origin: payments in the dialog, steps that need the whole window, closing, and what
// happens where no frame is allowed. The gateway is at 127.0.0.1 and the shop at localhost, which is the demo merchant's site.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { makeLink } from '../../src/money/payment-links/make-link.ts'
import { type GuideShop, openGuideShop } from '../counterparties/drop-in-guide-shop.ts'
import { type DropInShop, openDropInShop } from '../counterparties/drop-in-shop.ts'
import { query, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { checkLooks } from '../harness/page-checks.ts'
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

const frameIn = (page: Page) => page.frameLocator('iframe')
const dialogIn = (page: Page) => page.getByRole('dialog')
/** The page in the frame has said that it is there. Before that it takes no keys, and the frame is hidden. */
const ready = (page: Page) => page.locator('dialog.ready').waitFor()
/**
 * A real key, pressed in the frame. It may remove the frame before Chromium has reported that the key went down, and then the
 * report never comes: nobody waits for it.
 */
async function escapeFrom(page: Page, field: Locator): Promise<void> {
  await field.focus()
  page.keyboard.down('Escape').catch(() => {})
  await dialogIn(page).waitFor({ state: 'detached' })
  await page.keyboard.up('Escape')
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
    const link = await makeLink(env.database.db, aLink(), async () => {})
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

describe('a step that needs the whole window', () => {
  it('at the bank takes it, and the payer returns to the shop', async () => {
    const reply = await checkout(env)
    await visit('desktop', { payUrl: payUrlOf(reply) }, async (payer) => {
      await openHere(payer.page)
      const frame = frameIn(payer.page)
      await fillCard(frame, CHALLENGED)
      await payButton(frame).click()
      await enterCode(payer.page, '123456')
      await assertPaid(payer, env, reply)
    })
  })

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
  /** What browsers write about a refused frame, and about a message that nobody may receive. */
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

describe("the guide's samples", () => {
  let guide: GuideShop
  let orders = 0
  before(async () => {
    guide = await openGuideShop(env.account.baseUrl, async () => {
      orders++
      return payUrlOf(await checkout(env))
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
      await fillCard(frameIn(page), GOOD)
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
      const { linkId } = await makeLink(env.database.db, aLink(), async () => {})
      await page.goto(guide.linksTo({ linkId, payUrl: payUrlOf(await checkout(env)) }))
      const [toLink, toOrder] = await page.getByRole('link', { name: 'Pay' }).all()
      await toLink?.click()
      await ready(page)
      await escapeFrom(page, frameIn(page).getByRole('button', { name: 'Continue to payment' }))
      await toOrder?.click()
      await payButton(frameIn(page)).first().waitFor()
    }))
})

/** The fields of a message that the test does not know beforehand. */
function about(received: unknown): Record<string, unknown> {
  const [, result] = Array.isArray(received) ? received : []
  assert.ok(typeof result === 'object' && result !== null)
  return { ...result }
}

function aLink() {
  return {
    merNo: env.account.merNo,
    title: 'For the lamp museum',
    currency: 'USD',
    amount: 2400n,
    least: undefined,
    most: undefined,
    method: undefined,
    uses: 'many',
    expiresAt: undefined,
    language: '',
    reference: '',
    notifyUrl: '',
    createdBy: 'owner@shop.example',
    createdAt: new Date(),
  } as const
}
