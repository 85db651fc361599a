// The looks of every payer and beneficiary page in a real browser: axe finds no serious problem in light or dark mode,
// nothing is wider than the narrowest screen, and little is loaded. Saves a picture of each page in test/screenshots/.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { call, newNumber, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { checkLooks } from '../harness/page-checks.ts'
import {
  askForPage,
  asPayer,
  checkout,
  type Environment,
  enterCode,
  fillCard,
  linkBack,
  openEnvironment,
  order,
  PAID,
  payButton,
  withoutBilling,
} from '../harness/payer.ts'

const CHALLENGED = '4000000000003220'
const MOST_BYTES = 60_000
const payer = { userId: 'payer-7', email: 'payer@example.com' }
const dong = {
  ...payer,
  currencyCode: 'VND',
  sourceAmount: '250000.00',
  productName: 'Lamp',
  vaBankId: 970436,
}
const tax = { name: 'Maria Souza', socialSecurityNumber: '52998224725' }

type Fields = Readonly<Record<string, unknown>>

let env: Environment
before(async () => {
  // With this setting a block takes a minute, so that there is time to see a transfer without enough confirmations.
  env = await openEnvironment({ TOLLGATE_MINUTE_MS: '3600000' })
})
after(() => env.close())

/** The payer's action, by method. */
const waits: readonly [name: string, paymentType: string, fields: Fields][] = [
  ['pix', 'PIX', { ...payer, ...tax, currencyCode: 'BRL', sourceAmount: '150.75' }],
  [
    'gcash',
    'GCASH',
    { ...payer, currencyCode: 'PHP', sourceAmount: '999.50', osType: 'IOS', terminal: 'WEB' },
  ],
  ['wechat', 'WECHAT', { ...payer, currencyCode: 'CNY', sourceAmount: '88.00', terminal: 'WEB' }],
  ['in-app', 'WECHAT', { ...payer, currencyCode: 'CNY', sourceAmount: '88.00', terminal: 'APP' }],
  ['viet-qr', 'VN_BANK', { ...dong, paymentMethodStr: 'qrcode' }],
  ['viet-account', 'VN_BANK', { ...dong, paymentMethodStr: 'va' }],
  ['spei', 'SPEI', { currencyCode: 'MXN', sourceAmount: '1234.00' }],
  [
    'per-transfer',
    'PER_TRANSFER',
    {
      currencyCode: 'PEN',
      sourceAmount: '80.00',
      customerIdentificationType: '00',
      customerIdentification: '45678912',
    },
  ],
  ['sepa', 'SEPA', { ...payer, currencyCode: 'EUR', sourceAmount: '45.90' }],
  ['crypto', 'CRYPTO', { ...payer, coin: 'USDC', network: 'POLYGON', sourceAmount: '25.00' }],
]

/** Wallets that the payer goes to. Another test checks UnionPay's page. */
const wallets: readonly [name: string, paymentType: string, fields: Fields][] = [
  ['alipay', 'ALIPAY', { ...payer, currencyCode: 'CNY', sourceAmount: '88.00', terminal: 'WAP' }],
  ['apple-pay', 'APPLE_PAY', { browser: { userAgent: 'Mozilla/5.0', visitorId: 'v-1' } }],
  ['google-pay', 'GOOGLE_PAY', payer],
  ['cash-app', 'CASH_APP', payer],
]

describe('the page to choose a method', { concurrency: 2 }, () => {
  it('looks right', () => seen('choose', () => checkout(env)))

  it('looks right with all possible questions', () =>
    seen('choose-asks', () => checkout(env, { ...withoutBilling, ...manyProducts() })))

  it('looks right from right to left', () =>
    seen('choose-arabic', () => checkout(env, { language: 'ar', ...withoutBilling })))

  it('looks right in Taiwan', () =>
    seen('choose-taiwan', () => checkout(env, { language: 'zh-TW', ...withoutBilling })))

  it('looks right with a single method', () =>
    seen('one-way', () =>
      order(env, '/cashier/checkStandPayment', {
        ...withoutBilling,
        paymentMode: '19',
        currencyCode: 'PEN',
        sourceAmount: '80.00',
      }),
    ))

  it('looks right with problems', () =>
    seen(
      'choose-problems',
      () => checkout(env),
      async (page) => {
        await fillCard(page, '4242424242424241')
        await payButton(page).click()
        await page.getByText('Check the card number').waitFor()
      },
    ))

  it('looks right after a decline', () =>
    seen(
      'choose-declined',
      () => checkout(env),
      async (page) => {
        await fillCard(page, '4000000000000002')
        await payButton(page).click()
        await page.getByText('Your payment did not go through').waitFor()
      },
    ))
})

describe('the page with something to do', { concurrency: 2 }, () => {
  for (const [name, paymentType, fields] of waits)
    it(`looks right for ${name}`, () => seen(name, () => order(env, '/payment', fields, { paymentType })))

  for (const [name, paymentType, fields] of wallets)
    it(`looks right at ${name}`, () =>
      seen(
        name,
        () => order(env, '/payment', fields, { paymentType }),
        (page) => page.getByRole('button', { name: 'Approve payment' }).waitFor(),
      ))

  it('looks right when part of the money has arrived', () =>
    seen(
      'part-paid',
      () =>
        order(
          env,
          '/payment',
          { currencyCode: 'MXN', sourceAmount: '1234.00', language: 'es' },
          { paymentType: 'SPEI' },
        ),
      async (page) => {
        await send(page, '1000.00')
        await page.locator('.note').waitFor()
      },
    ))

  it('looks right while a transfer is confirmed', () =>
    seen(
      'crypto-confirming',
      () =>
        order(
          env,
          '/payment',
          { ...payer, coin: 'USDT', network: 'ERC20', sourceAmount: '25.00' },
          { paymentType: 'CRYPTO' },
        ),
      async (page) => {
        await send(page)
        await page.getByText('of 3 confirmations').waitFor()
      },
    ))

  it('looks right at the bank, and while the bank is slow to respond', () =>
    asPayer(env, 'desktop', async ({ page }) => {
      const reply = await order(env, '/payment', { cardNo: CHALLENGED })
      const bank = `${env.sandboxUrl}/acs`
      // After a response without content, the browser stays on the page.
      await page.route(bank, (route) => route.fulfill({ status: 204 }))
      await page.goto(payUrl(reply), { waitUntil: 'commit' })
      await page.getByRole('button', { name: 'Continue to your bank' }).waitFor()
      await checkLooks(page, 'challenge')
      await page.unroute(bank)
      await page.goto(payUrl(reply))
      await page.getByLabel('Code').waitFor()
      await checkLooks(page, 'bank-code')
    }))

  it('looks right on the way to a wallet, and at the wallet', () =>
    asPayer(env, 'desktop', async ({ page }) => {
      const reply = await checkout(env)
      await page.goto(payUrl(reply))
      await page.getByRole('radio', { name: 'UnionPay' }).check()
      await payButton(page).click()
      await page.getByRole('button', { name: 'Approve payment' }).waitFor()
      await checkLooks(page, 'wallet')
      await page.goto(`${payUrl(reply)}?back`)
      await checkLooks(page, 'redirect')
    }))

  it('looks right at a bank that sends money', () =>
    seen(
      'bank-transfer',
      () => order(env, '/payment', { currencyCode: 'MXN', sourceAmount: '99.00' }, { paymentType: 'SPEI' }),
      async (page) => {
        await page.getByRole('link', { name: 'Open the app' }).click()
        await page.getByRole('button', { name: 'Approve payment' }).waitFor()
      },
    ))
})

describe('the result page', { concurrency: 2 }, () => {
  it('looks right when the order is paid', () =>
    seen(
      'paid',
      () => checkout(env),
      async (page) => {
        await fillCard(page, '4242424242424242')
        await payButton(page).click()
        await page.getByRole('heading', { name: PAID }).waitFor()
      },
    ))

  it('looks right when the payment failed', () =>
    seen(
      'failed',
      () => order(env, '/payment', { cardNo: CHALLENGED }),
      async (page) => {
        await enterCode(page, '654321')
        await linkBack(page).waitFor()
      },
    ))

  it('looks right when the order is cancelled', () =>
    seen(
      'cancelled',
      () => checkout(env),
      async (page) => {
        await page.getByRole('button', { name: 'Cancel and return to shop' }).click()
        await linkBack(page).waitFor()
      },
    ))

  it('looks right when the order has expired', () =>
    asPayer(env, 'desktop', async ({ page }) => {
      const reply = await checkout(env)
      const text = "update hosted_orders set expires_at = expires_at - interval '1 hour' where trade_no = $1"
      await env.database.db.query({ text, values: [reply.data.tradeNo] })
      await page.goto(payUrl(reply))
      await page.getByRole('heading', { name: 'This payment has expired' }).waitFor()
      await checkLooks(page, 'expired')
    }))

  it('looks right while the payment is in review', () =>
    seen(
      'waiting',
      () =>
        order(
          env,
          '/payment',
          { ...payer, currencyCode: 'EUR', sourceAmount: '12000.00' },
          { paymentType: 'SEPA' },
        ),
      async (page) => {
        await send(page)
        await page.getByRole('heading', { name: 'We are waiting for confirmation' }).waitFor()
      },
    ))

  it('looks right without an order, or when it was refused', async () => {
    const payer = await env.openBrowser()
    await payer.page.goto(`${env.account.baseUrl}/pay/nonsense`)
    await checkLooks(payer.page, 'missing')
    await payer.page.setContent(await askForPage(env, { merNo: env.account.merNo, merOrderNo: '' }))
    await checkLooks(payer.page, 'refused')
    await payer.context.close()
  })
})

describe("the beneficiary's page", { concurrency: 2 }, () => {
  it('checks the account when the field is left, and shows the progress until the money is sent', () =>
    seen(
      'payout-sent',
      () => payout({ currencyCode: 'MXN' }),
      async (page) => {
        await checkLooks(page, 'payout')
        await page.getByRole('radio', { name: 'Card' }).check()
        await page.getByLabel('Card number').fill('4242424242424241')
        await page.getByLabel('Card number').blur()
        await page.locator('#card-account[aria-invalid]').waitFor()
        await page.getByRole('radio', { name: 'Bank account in Mexico' }).check()
        await page.getByLabel('CLABE').fill('032180000118359710')
        await page.getByLabel('CLABE').blur()
        await page.getByText('Check the account').waitFor()
        await checkLooks(page, 'payout-problem')
        await page.getByLabel('CLABE').fill('032180000118359719')
        await page.getByLabel('CLABE').blur()
        await page.getByText('Check the account').waitFor({ state: 'detached' })
        await page.getByRole('button', { name: /^Receive / }).click()
        await page.getByRole('heading', { name: 'Your money was sent' }).waitFor()
      },
    ))
})

describe('loading a page', () => {
  it(`takes at most ${MOST_BYTES / 1000} kB, styles and scripts included`, () =>
    asPayer(env, 'phone', async ({ page }) => {
      const weights: Promise<number>[] = []
      page.on('response', (response) => weights.push(weightOf(response)))
      const reply = await checkout(env, withoutBilling)
      await page.goto(payUrl(reply), { waitUntil: 'networkidle' })
      assert.equal(weights.length, 4, 'the page, its style and its two scripts')
      const sum = (await Promise.all(weights)).reduce((one, other) => one + other, 0)
      assert.ok(sum < MOST_BYTES, `${sum} bytes`)
    }))
})

it("looks right in a merchant's colour, however light, and with its logo", () =>
  asPayer(env, 'desktop', async ({ page }) => {
    await page.setViewportSize({ width: 80, height: 80 })
    await page.setContent(
      '<body style="margin:0;background:#ffd400;font:700 56px/80px serif;text-align:center">A',
    )
    const logo = join(mkdtempSync(join(tmpdir(), 'tollgate-logo-')), 'logo.png')
    await page.screenshot({ path: logo })
    const { merNo } = env.account
    await env.operator.run('merchant', 'set', String(merNo), '--accent', '#ffd400', '--logo', logo)
    rmSync(dirname(logo), { recursive: true })
    // The gateway notices the change after a while.
    const isBranded = async () => {
      await page.goto(payUrl(await checkout(env)))
      return (await page.locator('img.logo').count()) > 0
    }
    assert.ok(await eventually(isBranded))
    await checkLooks(page, 'branded')
  }))

async function weightOf(response: Response): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await response.request().sizes()
  return responseBodySize + responseHeadersSize
}

/** Opens the order's page, prepares the state to check, and checks it. */
function seen(
  name: string,
  place: () => Promise<Reply>,
  goOn: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  return asPayer(env, 'desktop', async ({ page }) => {
    await page.goto(payUrl(await place()))
    await goOn(page)
    await checkLooks(page, name)
  })
}

function payUrl(reply: Reply): string {
  return String(reply.data.payUrl)
}

async function send(page: Page, amount?: string): Promise<void> {
  const app = await page.getByRole('link', { name: /Open the app|Abrir/ }).getAttribute('href')
  const bank = await page.context().newPage()
  await bank.goto(String(app))
  if (amount !== undefined) await bank.getByLabel('Amount to send').fill(amount)
  await bank.getByRole('button', { name: 'Approve payment' }).click()
  await bank.getByRole('heading', { name: 'Done' }).waitFor()
  await bank.close()
}

function manyProducts(): Fields {
  const names = [
    'Alpaca scarf',
    'A lamp with a name that is long enough to need a second line on a phone',
    'Cup',
  ]
  const productInfoList = names.map((productName, at) => ({
    sku: `A-${at}`,
    productName,
    price: '4.00',
    quantity: String(at + 1),
  }))
  return { productInfoList, sourceAmount: '24.00' }
}

async function payout(fields: Fields): Promise<Reply> {
  const { account, shop } = env
  const reply = await call(account, '/payout', {
    merNo: account.merNo,
    merOrderNo: newNumber(),
    sourceAmount: '12.34',
    withdrawType: '2',
    returnUrl: shop.returnUrl,
    email: 'payee@example.com',
    benFirstName: 'Test',
    benLastName: 'Payee',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
    ...fields,
  })
  assert.equal(reply.code, '00000', reply.message)
  return reply
}
