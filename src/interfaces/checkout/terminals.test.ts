// Terminals determine how a wallet is opened. On our pages the payer's browser sets the terminal. On /payment the
// merchant sets it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { GATEWAY_PATH } from '../../../sandbox/alipay/routes.ts'
import { APP_PATH } from '../../../sandbox/wechat/app-page.ts'
import { openPage, submit } from '../../../test/harness/browser.ts'
import {
  type CheckoutWithSandbox,
  openCheckoutWithSandbox,
} from '../../../test/harness/checkout-with-sandbox.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const yuan = { currencyCode: 'CNY' }

let setup: CheckoutWithSandbox
before(async () => {
  setup = await openCheckoutWithSandbox(['card', 'wechat', 'alipay', 'gcash'])
})
after(() => setup.close())

/** Submits the payer's form, and returns the action that the payer must take next. */
async function press(method: string, userAgent: string, changes: Record<string, string> = yuan) {
  const token = await setup.hosted(changes)
  const form = { method, attempt: '0', email: 'payer@example.com' }
  const paid = await setup.checkout.pay(token, form, { address: '192.0.2.1', userAgent, accept: '*/*' })
  assert.equal(paid?.kind, 'started')
  const action = (await setup.checkout.open(token, userAgent))?.action
  assert.ok(action)
  return action
}

function alipayMethodIn(url: string): string | null {
  return new URL(url).searchParams.get('method')
}

describe('on our page', () => {
  it('a phone opens Alipay’s page for phones, a desktop the one for desktops', async () => {
    const phone = await press('alipay', PHONE)
    assert.ok(phone.kind === 'redirect')
    assert.equal(alipayMethodIn(phone.url), 'alipay.trade.wap.pay')
    const desktop = await press('alipay', DESKTOP)
    assert.ok(desktop.kind === 'redirect')
    assert.equal(alipayMethodIn(desktop.url), 'alipay.trade.page.pay')
  })

  it('a phone opens WeChat’s page, a desktop and WeChat’s own browser show a code', async () => {
    const phone = await press('wechat', PHONE)
    assert.ok(phone.kind === 'redirect')
    assert.equal(phone.referrer, 'origin')
    for (const other of [DESKTOP, `${PHONE} MicroMessenger/8.0.50`])
      assert.equal((await press('wechat', other)).kind, 'qr')
  })

  it('WeChat’s own browser counts as a phone for all other methods', async () => {
    const action = await press('alipay', `${PHONE} MicroMessenger/8.0.50`)
    assert.ok(action.kind === 'redirect')
    assert.equal(alipayMethodIn(action.url), 'alipay.trade.wap.pay')
  })

  it('the payer’s browser decides, whatever terminal the merchant sent', async () => {
    const phone = await press('wechat', PHONE, { ...yuan, terminal: 'WEB', osType: 'IOS' })
    assert.equal(phone.kind, 'redirect')
    for (const terminal of ['APP', 'MINI_APP'])
      assert.equal((await press('wechat', DESKTOP, { ...yuan, terminal })).kind, 'qr')
  })

  it('GCash gets the terminal of the browser too', async () => {
    const action = await press('gcash', PHONE, { currencyCode: 'PHP' })
    assert.ok(action.kind === 'qr')
    const charge = setup.sandbox.bank('gcash')?.findById(action.appUrl?.split('/').at(-1) ?? '')
    assert.equal(charge?.extra.terminal, 'WAP')
  })
})

describe('a /payment', () => {
  const pay = (paymentType: string, changes: Record<string, string>) =>
    setup.post('/payment', paymentType, { ...yuan, userAgent: '', ...changes })

  it('uses the terminal in the request, else the payer’s browser, else the operating system', async () => {
    const shown = async (changes: Record<string, string>) =>
      (await pay('WECHAT', changes)).data.qrCode === undefined ? 'page' : 'code'
    assert.equal(await shown({ terminal: 'WEB', userAgent: PHONE }), 'code')
    assert.equal(await shown({ terminal: 'WAP', userAgent: DESKTOP }), 'page')
    assert.equal(await shown({ userAgent: PHONE }), 'page')
    assert.equal(await shown({ osType: 'ANDROID' }), 'page')
    assert.equal(await shown({}), 'code')
  })

  it('in an app returns the parameters for the wallet’s SDK, and the app can pay with them', async () => {
    const wechat = await pay('WECHAT', { terminal: 'APP' })
    const alipay = await pay('ALIPAY', { terminal: 'APP' })
    const mini = await pay('WECHAT', { terminal: 'MINI_APP', userId: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' })
    const { url } = setup.sandbox
    const opened = [
      [wechat, `${url}${APP_PATH}?${new URLSearchParams(JSON.parse(wechat.data.sdkParams))}`],
      [mini, `${url}${APP_PATH}?${new URLSearchParams(JSON.parse(mini.data.sdkParams))}`],
      [alipay, `${url}${GATEWAY_PATH}?${alipay.data.sdkParams}`],
    ] as const
    for (const [{ data }, address] of opened) {
      assert.equal(data.payCode, 2)
      const paid = await submit(await openPage(address), { decision: 'approve' })
      assert.match(paid.html, /is on its way/)
      const token = decodeURIComponent(data.payUrl.split('/pay/')[1])
      await setup.checkout.complete(token, {})
      assert.equal((await setup.checkout.open(token))?.status, 'succeeded')
    }
  })

  it('for a terminal that the channel does not serve is refused, and nothing is stored', async () => {
    const before = await setup.rowsIn('orders')
    const refused = await pay('ALIPAY', { terminal: 'MINI_APP' })
    assert.equal(refused.code, '10011')
    assert.match(refused.message, /no channel serves terminal MINI_APP: send WEB or WAP or APP$/)
    const nobody = await pay('WECHAT', { terminal: 'MINI_APP' })
    assert.equal(nobody.code, '99997')
    assert.match(nobody.message, /userId must be the payer's openid/)
    assert.equal(await setup.rowsIn('orders'), before)
  })
})
