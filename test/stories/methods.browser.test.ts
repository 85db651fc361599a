// Every payment method except cards in a real browser, on a desktop and on a phone: from the merchant's request to the
// return to the shop with a signed result and a paid order. No test reloads a page: pages update automatically.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { query, type Reply } from '../harness/client.ts'
import { assertSound } from '../harness/database-checks.ts'
import {
  asPayer,
  assertBack,
  assertPaid,
  checkout,
  type Environment,
  enterCode,
  linkBack,
  openEnvironment,
  order,
  type Payer,
  payButton,
  type Screen,
  screens,
} from '../harness/payer.ts'

type Way = {
  readonly name: string
  readonly paymentType: string
  readonly fields: Readonly<Record<string, unknown>>
  /**
   * The way to pay. With `wallet`, the payer leaves the page and returns. With `app`, the payer sends money from an app
   * while the page stays open.
   */
  readonly by: 'wallet' | 'app'
  /** The texts that the page must show to a payer whose app is on another device. */
  readonly shows?: readonly (string | RegExp)[]
}

const payer = { userId: 'payer-7', email: 'payer@example.com' }
const yuan = { ...payer, currencyCode: 'CNY', sourceAmount: '88.00' }
const dong = { ...payer, currencyCode: 'VND', sourceAmount: '250000.00', productName: 'Lamp' }

const ways: readonly Way[] = [
  { name: 'Alipay', paymentType: 'ALIPAY', fields: { ...yuan, terminal: 'WEB' }, by: 'wallet' },
  { name: 'WeChat Pay by scanning', paymentType: 'WECHAT', fields: { ...yuan, terminal: 'WEB' }, by: 'app' },
  {
    name: 'WeChat Pay in a phone',
    paymentType: 'WECHAT',
    fields: { ...yuan, terminal: 'WAP' },
    by: 'wallet',
  },
  { name: 'UnionPay', paymentType: 'UNIONPAY_H5', fields: yuan, by: 'wallet' },
  {
    name: 'Apple Pay',
    paymentType: 'APPLE_PAY',
    fields: { browser: { userAgent: 'Mozilla/5.0', visitorId: 'v-1' } },
    by: 'wallet',
  },
  { name: 'Google Pay', paymentType: 'GOOGLE_PAY', fields: payer, by: 'wallet' },
  { name: 'Cash App', paymentType: 'CASH_APP', fields: payer, by: 'wallet' },
  {
    name: 'GCash',
    paymentType: 'GCASH',
    fields: { ...payer, currencyCode: 'PHP', sourceAmount: '999.50', osType: 'ANDROID', terminal: 'WAP' },
    by: 'app',
    shows: ['₱999.50'],
  },
  {
    name: 'Pix',
    paymentType: 'PIX',
    fields: {
      ...payer,
      currencyCode: 'BRL',
      sourceAmount: '150.75',
      name: 'Maria Souza',
      socialSecurityNumber: '529.982.247-25',
    },
    by: 'app',
    shows: ['R$150.75', 'Copy the code'],
  },
  {
    name: 'SPEI',
    paymentType: 'SPEI',
    fields: { currencyCode: 'MXN', sourceAmount: '1234.00' },
    by: 'app',
    shows: ['CLABE', 'Reference'],
  },
  {
    name: 'PerTransfer',
    paymentType: 'PER_TRANSFER',
    fields: {
      currencyCode: 'PEN',
      sourceAmount: '80.00',
      customerIdentificationType: '00',
      customerIdentification: '45678912',
    },
    by: 'app',
    shows: ['CCI'],
  },
  {
    name: 'SEPA',
    paymentType: 'SEPA',
    fields: { ...payer, currencyCode: 'EUR', sourceAmount: '45.90' },
    by: 'app',
    shows: ['IBAN', 'BIC', 'Reference'],
  },
  {
    name: 'a VietQR code',
    paymentType: 'VN_BANK',
    fields: { ...dong, paymentMethodStr: 'qrcode', vaBankId: 970436 },
    by: 'app',
    shows: ['₫250,000'],
  },
  {
    name: 'a Vietnamese virtual account',
    paymentType: 'VN_BANK',
    fields: { ...dong, paymentMethodStr: 'va', vaBankId: 970436 },
    by: 'app',
    shows: ['Account number'],
  },
  {
    name: 'USDC on Polygon',
    paymentType: 'CRYPTO',
    fields: { ...payer, coin: 'USDC', network: 'POLYGON', sourceAmount: '25.00' },
    by: 'app',
    shows: [/Send only USDC/, 'Address'],
  },
]

let env: Environment
before(async () => {
  env = await openEnvironment()
})
after(() => env.close())

for (const screen of Object.keys(screens) as Screen[]) {
  describe(`a payer on a ${screen}`, { concurrency: 3 }, () => {
    for (const way of ways)
      it(`pays with ${way.name}`, () =>
        asPayer(env, screen, async (payer) => {
          const reply = await place(way)
          await payer.page.goto(String(reply.data.payUrl))
          if (way.by === 'wallet') await approve(payer)
          else await payWithApp(payer, way)
          await assertPaid(payer, env, reply)
        }))

    it('pays by card with the code from the bank', () =>
      asPayer(env, screen, async (payer) => {
        const reply = await order(env, '/payment', { cardNo: '4000000000003220' })
        await payer.page.goto(String(reply.data.payUrl))
        await enterCode(payer.page, '123456')
        await assertPaid(payer, env, reply)
      }))

    it('is not charged with a wrong code, and the page says so', () =>
      asPayer(env, screen, async ({ page }) => {
        const reply = await order(env, '/payment', { cardNo: '4000000000003220' })
        await page.goto(String(reply.data.payUrl))
        await enterCode(page, '654321')
        await page.getByRole('heading', { name: 'Your payment did not go through' }).waitFor()
        await page.getByText('Your bank could not confirm that it was you').waitFor()
        await linkBack(page).click()
        await assertBack(page, env, reply, '1')
        await assertState(reply, 2)
      }))

    it('declines in the wallet, and is not charged', () =>
      asPayer(env, screen, async ({ page }) => {
        const reply = await order(env, '/payment', yuan, { paymentType: 'ALIPAY' })
        await page.goto(String(reply.data.payUrl))
        await page.getByRole('button', { name: 'Decline payment' }).click()
        await page.getByRole('heading', { name: 'Your payment did not go through' }).waitFor()
        await linkBack(page).click()
        await assertBack(page, env, reply, '1')
        await assertState(reply, 2)
      }))
  })
}

for (const javaScriptEnabled of [true, false]) {
  const name = javaScriptEnabled ? '' : ', also without scripts'
  it(`continues from our page on a phone to WeChat, which sees only our origin${name}`, () =>
    asPayer(
      env,
      'phone',
      async (payer) => {
        const { page } = payer
        const reply = await checkout(env, yuan)
        await page.goto(String(reply.data.payUrl))
        await page.getByRole('radio', { name: 'WeChat Pay' }).check()
        const wallet = page.waitForRequest(`${env.sandboxUrl}/wechat/h5/**`)
        await payButton(page).click()
        if (!javaScriptEnabled) await page.getByRole('link', { name: 'Continue to WeChat Pay' }).click()
        assert.equal(await (await wallet).headerValue('referer'), `${env.account.baseUrl}/`)
        await approve(payer)
        await assertPaid(payer, env, reply)
      },
      { javaScriptEnabled },
    ))
}

it('continues from our page on a phone to Alipay’s page for phones', () =>
  asPayer(env, 'phone', async (payer) => {
    const { page } = payer
    const reply = await checkout(env, yuan)
    await page.goto(String(reply.data.payUrl))
    await page.getByRole('radio', { name: 'Alipay' }).check()
    const wallet = page.waitForRequest(`${env.sandboxUrl}/alipay/gateway.do?**`)
    await payButton(page).click()
    const { searchParams } = new URL((await wallet).url())
    assert.equal(searchParams.get('method'), 'alipay.trade.wap.pay')
    await approve(payer)
    await assertPaid(payer, env, reply)
  }))

it('shows what is missing after a partial payment, and that it is paid when the rest arrives', () =>
  asPayer(env, 'desktop', async (payer) => {
    const { page, context } = payer
    const reply = await order(
      env,
      '/payment',
      { currencyCode: 'MXN', sourceAmount: '1234.00' },
      { paymentType: 'SPEI' },
    )
    await page.goto(String(reply.data.payUrl))
    const bank = await context.newPage()
    for (const amount of ['1000.50', '233.50']) {
      await bank.goto(await appAddress(payer))
      await bank.getByLabel('Amount to send').fill(amount)
      await bank.getByRole('button', { name: 'Approve payment' }).click()
      await bank.getByText('is on its way').waitFor()
      if (amount === '1000.50') await page.getByText('MX$233.50 is still missing').waitFor()
    }
    await assertPaid(payer, env, reply)
  }))

it('notices the payment by polling, if event streams are blocked', () =>
  asPayer(env, 'desktop', async (payer) => {
    let asked = 0
    await payer.page.route('**/events', (route) => route.fulfill({ status: 204 }))
    payer.page.on('request', (request) => {
      if (request.url().endsWith('/status')) asked++
    })
    const reply = await order(env, '/payment', yuan, { paymentType: 'WECHAT' })
    await payer.page.goto(String(reply.data.payUrl))
    await payWithApp(payer, { name: '', paymentType: '', fields: {}, by: 'app' })
    await assertPaid(payer, env, reply)
    assert.ok(asked > 0, 'the page did not poll')
  }))

it('the ledger is sound afterwards', async () => {
  assert.equal(await env.gateway.stop(), 0)
  await assertSound(env.database.db)
})

function place({ fields, paymentType }: Way): Promise<Reply> {
  return order(env, '/payment', fields, { paymentType })
}

async function approve({ page }: Pick<Payer, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Approve payment' }).click()
}

/**
 * Pays with the app. On a phone the page opens the app, which returns to the page. On a desktop the payer uses a phone,
 * and the page waits.
 */
async function payWithApp(payer: Payer, { shows = [] }: Way): Promise<void> {
  const { page, context, screen } = payer
  for (const text of shows) await page.getByText(text).first().waitFor()
  if (screen === 'phone') {
    await page.getByRole('link', { name: 'Open the app' }).tap()
    await approve({ page })
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    // An app that only scans does not know the shop, so the payer goes back.
    const back = page.getByRole('link', { name: 'Back to the shop' })
    if (await back.isVisible()) await back.tap()
    else while (!page.url().startsWith(env.account.baseUrl)) await page.goBack()
    return
  }
  const app = await context.newPage()
  await app.goto(await appAddress(payer))
  await approve({ page: app })
  await app.getByRole('heading', { name: 'Done' }).waitFor()
  await app.close()
}

async function appAddress({ page }: Payer): Promise<string> {
  const href = await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')
  assert.ok(href, 'the page leads to the app')
  return href
}

async function assertState({ data }: Reply, state: number): Promise<void> {
  assert.equal((await query(env.account, data.merOrderNo)).data.state, state)
}
