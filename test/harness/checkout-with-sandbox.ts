// The merchant interface and the payer's pages with real channel adapters and the sandbox's counterparties, in one
// process. The channels use the settings of the sandbox; a test may remove some of them, as they may be missing in
// live.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChannelEntry } from '../../sandbox/place.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { attemptLimits, linkLimits } from '../../src/interfaces/checkout/limits.ts'
import { openCheckout } from '../../src/interfaces/checkout/open-checkout.ts'
import { readEntered } from '../../src/interfaces/merchant-api/fields/read-entered.ts'
import {
  createCashierHandler,
  createPaymentHandler,
} from '../../src/interfaces/merchant-api/handlers/payment.ts'
import { createLinks } from '../../src/money/orders/page-link.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import type { Method } from '../../src/rails/methods/methods.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { aPlan, aShop, openPayments } from '../builders/payments.ts'
import { giveSandboxKeys, rsaPair } from '../builders/rsa-keys.ts'
import { connectChannel, toolsWith } from '../counterparties/connect-entry.ts'
import { cloneDatabase } from './harness.ts'
import { buildFrame, type JsonBody, signed } from './merchant-frame.ts'

const currencies = ['CNY', 'USD', 'PHP', 'MXN', 'PEN', 'VND']
const merchant = aShop({
  currencies: new Map(currencies.map((currency) => [currency, currency])),
  limits: { single: 10n ** 9n, daily: 10n ** 9n, monthly: 10n ** 9n },
  feePlans: new Map([['', aPlan()]]),
})

export type CheckoutWithSandbox = Awaited<ReturnType<typeof openCheckoutWithSandbox>>

export async function openCheckoutWithSandbox(
  methods: readonly Method[],
  change: (entry: ChannelEntry) => ChannelEntry = (entry) => entry,
) {
  const database = await cloneDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-pages-'))
  giveSandboxKeys(dataDir)
  const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
  const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
  const tools = toolsWith({ storeOf })
  const connect = (method: Method) => {
    const found = sandbox.settings().find((entry) => entry.method === method)
    assert.ok(found, `the sandbox has settings for ${method}`)
    return connectChannel(change({ ...found, name: method }), method, tools)
  }
  const setup = openPayments(database.db, methods.map(connect))
  const links = createLinks(setup.deps.vault, 'https://pay.example')
  const deps = { ...setup.deps, pageUrl: links.pageUrl }
  const cashier = createCashierHandler(deps)
  const { app } = await buildFrame({
    merchants: [merchant],
    handlers: {
      '/payment': createPaymentHandler(deps),
      '/cashier/checkStandPay': cashier,
      '/cashier/checkStandPayment': cashier,
    },
  })
  const checkout = openCheckout({
    ...deps,
    sandbox: false,
    links,
    receiptLinks: createLinks(setup.deps.vault, 'https://pay.example', 'receipt'),
    linkLimits: linkLimits('sandbox', setup.clock),
    platformKey: rsaPair('platform').privateKey,
    attemptLimits: attemptLimits('sandbox', setup.clock),
    readEntered,
    onError: (error) => assert.ifError(error),
    findMerchant: async () => merchant,
  })
  let count = 0

  async function post(url: string, paymentType: string, changes: JsonBody) {
    const body = {
      merNo: merchant.merNo,
      merOrderNo: `ORDER-${++count}`,
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

  return {
    sandbox,
    checkout,
    post,
    /** Creates an order on our page; returns the token of the page. */
    async hosted(changes: JsonBody): Promise<string> {
      const { data } = await post('/cashier/checkStandPay', '', changes)
      return decodeURIComponent(String(data.payUrl).split('/pay/')[1] ?? '')
    },
    async rowsIn(table: 'orders' | 'attempts'): Promise<number> {
      const text = `select count(*) as rows from ${table}`
      const [row] = await database.db.query<{ rows: string }>({ text, values: [] })
      return Number(row?.rows)
    },
    async close() {
      checkout.close()
      await app.close()
      await sandbox.close()
      await database.drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
