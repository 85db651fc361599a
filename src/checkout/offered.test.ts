// What cannot be paid is neither offered nor begun. Real adapters, set up as in live: wallets without a sheet of their own,
// WeChat Pay and Alipay with an account for yuan alone.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { buildFrame, type JsonBody, signed } from '../../test/merchant-frame.ts'
import { aPlan, aShop, openPayBench, type PayBench } from '../../test/pay-bench.ts'
import { systemClock } from '../base/clock.ts'
import { connectors } from '../channels/connectors.ts'
import type { Method } from '../channels/method.ts'
import { createCashierHandler } from '../merchant-api/handle-cashier.ts'
import { createPaymentHandler } from '../merchant-api/handle-payment.ts'
import { readEntered } from '../merchant-api/read-entered.ts'
import { type Sandbox, startSandbox } from '../sandbox/server.ts'
import { createLinks } from './link.ts'
import { openCheckout } from './open-checkout.ts'
import type { CheckoutDeps } from './routes.ts'
import { tryLimits } from './try-limits.ts'

const liveMethods: readonly Method[] = ['card', 'wechat', 'alipay', 'apple_pay', 'google_pay']
const merchant = aShop({
  currencies: new Map(['CNY', 'USD'].map((currency) => [currency, currency])),
  limits: { single: 10n ** 9n, daily: 10n ** 9n, monthly: 10n ** 9n },
  feePlans: new Map([['', aPlan()]]),
})

let database: TestDatabase
let dataDir: string
let sandbox: Sandbox
let bench: PayBench
let app: FastifyInstance
let checkout: CheckoutDeps
let count = 0

before(async () => {
  database = await cloneDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-offered-'))
  sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
  bench = openPayBench(database.db, liveMethods.map(connectAsInLive))
  const links = createLinks(bench.deps.vault, 'https://pay.example')
  const deps = { ...bench.deps, pageUrl: links.pageUrl }
  const cashier = createCashierHandler(deps)
  const handlers = {
    '/payment': createPaymentHandler(deps),
    '/cashier/checkStandPay': cashier,
    '/cashier/checkStandPayment': cashier,
  }
  app = (await buildFrame({ merchants: [merchant], handlers })).app
  checkout = openCheckout({
    ...deps,
    sandbox: false,
    links,
    platformKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    tries: tryLimits('sandbox', bench.clock),
    readEntered,
    onFault: (error) => assert.ifError(error),
    findMerchant: async () => merchant,
  })
})
after(async () => {
  checkout.close()
  await app.close()
  await sandbox.close()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

/** Without what only the sandbox has: a sheet, and more currencies than real accounts have. */
function connectAsInLive(method: Method) {
  const told = sandbox.settings().find((entry) => entry.method === method)
  assert.ok(told)
  const { walletUrl: _sheet, currencies: _currencies, ...settings } = told
  const tools = { clock: systemClock, timeoutMs: 10_000, useToken: async () => true }
  return connectors[method]({ ...settings, name: method, method }, tools)
}

async function post(url: string, paymentType: string, changes: JsonBody) {
  const body = {
    merNo: merchant.merNo,
    merOrderNo: `OFFERED-${++count}`,
    currencyCode: 'USD',
    sourceAmount: '10.00',
    returnUrl: 'https://shop.example/back',
    ipAddress: '192.0.2.10',
    userAgent: 'Mozilla/5.0',
    productInfoList: [{ sku: 'S-1', productName: 'Lamp', price: '10.00', quantity: '1' }],
    ...changes,
  }
  const headers = {
    'content-type': 'application/json',
    referer: 'https://shop.example/cart',
    paymenttype: paymentType,
  }
  return (await app.inject({ method: 'POST', url, payload: JSON.stringify(signed(body)), headers })).json()
}

async function rowsIn(table: 'orders' | 'attempts'): Promise<number> {
  const [row] = await database.db.query<{ rows: string }>({
    text: `select count(*) as rows from ${table}`,
    values: [],
  })
  return Number(row?.rows)
}

const browser = { screenHeight: '1', screenWidth: '1', timeZoneOffset: '0', userAgent: 'x', visitorId: 'x' }

describe('what no channel can serve', () => {
  const cases = [
    ['/payment', 'APPLE_PAY', { browser }, '10011', /send the token/],
    ['/payment', 'GOOGLE_PAY', {}, '10011', /send the token/],
    ['/payment', 'WECHAT', {}, '10019', /takes USD; send CNY/],
    ['/payment', 'ALIPAY', {}, '10019', /takes USD; send CNY/],
    ['/cashier/checkStandPayment', '', { paymentMode: 'APPLE_PAY' }, '10011', /send the token/],
    ['/cashier/checkStandPayment', '', { paymentMode: 'WECHAT' }, '10019', /takes USD; send CNY/],
  ] as const
  for (const [path, type, changes, code, message] of cases)
    it(`is refused by ${path} before anything is stored: ${JSON.stringify({ type, ...changes }).slice(0, 60)}`, async () => {
      const before = await rowsIn('orders')
      const answer = await post(path, type, changes)
      assert.deepEqual([answer.code, message.test(answer.message)], [code, true], answer.message)
      assert.equal(await rowsIn('orders'), before)
    })

  it('is taken with what it lacked: a token, or another currency', async () => {
    const token = await post('/payment', 'APPLE_PAY', { browser, applePayToken: '{}' })
    assert.equal(token.code, '00000')
    assert.equal(token.data.payCode, 1)
    const yuan = await post('/payment', 'WECHAT', { currencyCode: 'CNY' })
    assert.equal(yuan.data.payCode, 2)
  })
})

describe('our page', () => {
  async function open(currencyCode: string) {
    const { data } = await post('/cashier/checkStandPay', '', { currencyCode })
    return decodeURIComponent(String(data.payUrl).split('/pay/')[1] ?? '')
  }
  const offeredTo = async (token: string) => (await checkout.open(token))?.choices.map(({ method }) => method)

  it('offers no wallet whose sheet cannot open, and no method that takes another currency', async () => {
    assert.deepEqual(await offeredTo(await open('USD')), ['card'])
    assert.deepEqual(await offeredTo(await open('CNY')), ['card', 'alipay', 'wechat'])
  })

  it('begins no attempt when a form asks for one all the same', async () => {
    const token = await open('USD')
    const before = await rowsIn('attempts')
    const payer = { address: '192.0.2.1', userAgent: 'Mozilla/5.0', accept: 'text/html' }
    for (const method of ['apple_pay', 'google_pay', 'wechat']) {
      const paid = await checkout.pay(token, { method, attempt: '0' }, payer)
      assert.equal(paid?.kind, 'wrong')
    }
    assert.equal(await rowsIn('attempts'), before)
  })
})
