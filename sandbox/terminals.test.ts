// The sandbox's Alipay and WeChat Pay refuse an order for another kind of terminal, and a phone page that was not
// opened from the merchant's domain, as the real Alipay and WeChat Pay do.
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Terminal } from '../src/rails/methods/terminal.ts'
import { signParams } from '../src/rails/protocols/alipay/signature.ts'
import { giveSandboxKeys } from '../test/builders/rsa-keys.ts'
import { connectTo, makeRequest } from '../test/contracts/sandbox-driver.ts'
import { openPage } from '../test/harness/browser.ts'
import { startSandbox } from './server.ts'
import { APP_PATH } from './wechat/app-page.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-terminals-'))
giveSandboxKeys(dataDir)
const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
after(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

const money = { amount: 1_250n, currency: 'CNY' }

describe('WeChat Pay', () => {
  const open = (terminal: Terminal, details: Record<string, string>) =>
    connectTo(sandbox, 'wechat').start(makeRequest({ method: 'wechat', money, terminal, details }, 'pays'))

  it('opens a phone’s page only from the domain that it leads back to', async () => {
    const outcome = await open('WAP', { ipAddress: '203.0.113.7' })
    assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'redirect')
    const { url } = outcome.action
    const ours = new URL(url).searchParams.get('redirect_url') ?? ''
    for (const referer of [undefined, 'https://shop.example/cart']) {
      const { status, html } = await openPage(url, undefined, referer)
      assert.deepEqual(
        { status, saysWhy: /not opened from the shop/.test(html) },
        { status: 403, saysWhy: true },
      )
    }
    const page = await openPage(url, undefined, new URL(ours).origin)
    assert.match(page.html, /Approve payment/)
  })

  it('requires the payer’s address for a phone, and the payer’s openid for a mini program', async () => {
    for (const [terminal, details] of [
      ['WAP', { ipAddress: '' }],
      ['MINI_APP', { userId: '' }],
    ] as const) {
      const outcome = await open(terminal, details)
      assert.ok(outcome.kind === 'failed')
      assert.equal(outcome.cause, 'refused')
    }
  })

  it('opens its app only with parameters that the merchant signed', async () => {
    const outcome = await open('APP', {})
    assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'app')
    const params = JSON.parse(outcome.action.sdkParams)
    const show = (changes: object) =>
      openPage(`${sandbox.url}${APP_PATH}?${new URLSearchParams({ ...params, ...changes })}`)
    assert.equal((await show({})).status, 200)
    for (const changes of [{ prepayid: 'wx1' }, { timestamp: '1' }, { partnerid: '1' }, { appid: 'wx1' }])
      assert.equal((await show(changes)).status, 404, JSON.stringify(changes))
  })
})

describe('Alipay', () => {
  const alipay = sandbox.settings().find(({ method }) => method === 'alipay')
  const key = createPrivateKey(String(alipay?.privateKey))

  /** Opens a signed order with these changes. Returns the number of redirections. */
  async function show(method: string, content: object): Promise<number> {
    const outcome = await connectTo(sandbox, 'alipay').start(makeRequest({ method: 'alipay', money }, 'pays'))
    assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'redirect')
    const url = new URL(outcome.action.url)
    const { sign: _sign, ...params } = Object.fromEntries(url.searchParams)
    const biz_content = JSON.stringify({ ...JSON.parse(params.biz_content ?? ''), ...content })
    url.search = String(new URLSearchParams(signParams({ ...params, method, biz_content }, key)))
    return (await openPage(url.href)).redirections.length
  }

  it('continues only for an order whose product matches the terminal', async () => {
    const quit = { quit_url: 'https://pay.example/back' }
    const cases = [
      ['alipay.trade.page.pay', { product_code: 'FAST_INSTANT_TRADE_PAY' }, true],
      ['alipay.trade.page.pay', { product_code: 'QUICK_WAP_WAY' }, false],
      ['alipay.trade.wap.pay', { product_code: 'QUICK_WAP_WAY', ...quit }, true],
      ['alipay.trade.wap.pay', { product_code: 'QUICK_WAP_WAY' }, false],
      ['alipay.trade.wap.pay', { product_code: 'FAST_INSTANT_TRADE_PAY', ...quit }, false],
      ['alipay.trade.app.pay', { product_code: 'QUICK_MSECURITY_PAY' }, true],
      ['alipay.trade.app.pay', { product_code: 'QUICK_WAP_WAY' }, false],
    ] as const
    for (const [method, content, leadsOn] of cases)
      assert.equal(await show(method, content), leadsOn ? 1 : 0, `${method} ${JSON.stringify(content)}`)
  })
})
