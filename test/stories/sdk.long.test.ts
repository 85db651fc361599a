// The SDK against a real gateway in sandbox: every endpoint, method, kind of payout and notification, with MD5 and with
// RSA. Every response and notification is compared with the tables from which the SDK's types are made.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Notification, Order, Settings } from '../../sdk/src/entry.ts'
import { TollgateError } from '../../sdk/src/errors.ts'
import { type Listener, listen } from '../../sdk/src/testing.ts'
import { Tollgate } from '../../sdk/src/tollgate.ts'
import { endpoints, isEndpoint } from '../../src/interfaces/merchant-api/endpoints.ts'
import type { Field, Table } from '../../src/interfaces/merchant-api/fields/field.ts'
import {
  answers,
  answersOf,
  notificationFields,
} from '../../src/interfaces/merchant-api/fields/sent-fields.ts'
import { CCI, CLABE, IBAN } from '../builders/payouts.ts'
import { rsaPair } from '../builders/rsa-keys.ts'
import { newNumber } from '../harness/client.ts'
import { type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

let installation: Installation
let operator: Operator
/** The demo merchant, who signs with MD5. */
let shop: Tollgate
/** A merchant who signs with RSA, and whose SEPA payments are reviewed. */
let reviewed: Tollgate
let shopListener: Listener
let reviewedListener: Listener

/** The paths that were called. */
const called = new Set<string>()

const database = useDatabase({
  async before() {
    installation = await openInstallation({ DATABASE_URL: database.url })
    const { account } = await installation.start()
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    const demo = JSON.parse(readFileSync(join(installation.dataDir, 'demo.json'), 'utf8'))
    const { baseUrl } = account
    shopListener = await listen({ key: account.key, webhookSecret: demo.webhookSecret })
    shop = client({ baseUrl, merNo: account.merNo, key: account.key, site: account.site })

    const { privateKey, publicKey } = rsaPair('merchant')
    const pem = join(installation.dataDir, 'merchant.pem')
    writeFileSync(pem, publicKey.export({ type: 'spki', format: 'pem' }))
    const made = await operator.run(
      ...['merchant', 'create', '--name', 'Shop', '--site', 'shop.example'],
      ...['--review-above', '1.00', '--notify-review', 'on'],
    )
    await operator.run('merchant', 'set-rsa', String(made.merNo), '--file', pem)
    await operator.run('merchant', 'set', String(made.merNo), '--require-rsa', 'on')
    const platformKey = await (await fetch(`${baseUrl}/keys/platform.pem`)).text()
    reviewedListener = await listen({ platformKey, webhookSecret: String(made.webhookSecret) })
    const own = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    reviewed = client({ baseUrl, merNo: Number(made.merNo), privateKey: own, site: 'shop.example' })
  },
  async after() {
    await Promise.all([shopListener.close(), reviewedListener.close()])
    await installation.remove()
  },
})

/** Makes a client that checks each answer as it arrives. */
function client(settings: Settings): Tollgate {
  const checking: typeof fetch = async (address, init) => {
    const response = await fetch(address, init)
    const { pathname } = new URL(String(address))
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const { data } = isJson ? JSON.parse(await response.clone().text()) : {}
    called.add(pathname)
    if (data !== undefined) conforms(answers[answerOf(pathname, init?.body)], data, pathname)
    return response
  }
  return new Tollgate({ ...settings, fetch: checking })
}

const queries = { sales: 'salesQuery', refund: 'refundQuery', chargeback: 'chargebackQuery' } as const

function answerOf(path: string, body: unknown): keyof typeof answers {
  const [first, ...others] = isEndpoint(path) ? answersOf[path] : []
  if (first !== undefined && others.length === 0) return first
  const { queryType }: { queryType: keyof typeof queries } = JSON.parse(String(body))
  return queries[queryType]
}

/** Checks that no field is missing or unknown, and that each has its type and an allowed value. */
function conforms(table: Table, data: Readonly<Record<string, unknown>>, where: string): void {
  const names = table.map(({ name }) => name)
  assert.deepEqual(
    Object.keys(data).filter((name) => !names.includes(name)),
    [],
    `${where}: fields that no table lists`,
  )
  for (const field of table) conformsTo(field, data[field.name], `${where}: ${field.name}`)
}

function conformsTo({ required, type, oneOf, of }: Field, value: unknown, where: string): void {
  if (value === undefined) {
    assert.ok(!required, `${where} is missing`)
    return
  }
  if (type === 'list') {
    assert.ok(Array.isArray(value), where)
    for (const element of value) conforms(of?.fields ?? [], element, where)
    return
  }
  assert.equal(typeof value, type === 'integer' ? 'number' : 'string', where)
  if (oneOf !== undefined) assert.ok(oneOf.includes(String(value)), `${where} is ${value}`)
}

const billing = {
  billingFirstName: 'Test',
  billingLastName: 'Payer',
  billingAddress1: 'Av. Arequipa 1000',
  billingCity: 'Lima',
  billingState: 'Lima',
  billingCountry: 'PE',
  billingZipCode: '15046',
  billingPhone: '+5115550100',
  billingEmail: 'payer@shop.example',
}
const shipping = {
  shippingFirstName: 'Test',
  shippingLastName: 'Payer',
  shippingAddress1: 'Av. Arequipa 1000',
  shippingCity: 'Lima',
  shippingState: 'Lima',
  shippingCountry: 'PE',
  shippingZipCode: '15046',
  shippingPhone: '+5115550100',
  shippingEmail: 'payer@shop.example',
}
const productInfoList = [{ sku: 'A-1', productName: 'Scarf', price: '12.34', quantity: '1' }]
const userAgent = 'Mozilla/5.0'
const payer = { userId: 'u1', email: 'payer@shop.example' }

/** The fields that all orders share. Notifications go to this merchant's listener. */
function order(currencyCode: string, of: Tollgate = shop, sourceAmount = '12.34') {
  const { url } = of === shop ? shopListener : reviewedListener
  return {
    merOrderNo: newNumber(),
    currencyCode,
    sourceAmount,
    returnUrl: 'https://shop.example/back?a=1&b=2',
    notifyUrl: url,
    protestNotifyUrl: url,
    ipAddress: '203.0.113.7',
  }
}

function card(cardNo: string, of: Tollgate = shop) {
  const expiry = { cardExpireMonth: '12', cardExpireYear: '2030', cardSecurityCode: '123' }
  return { ...order('USD', of), cardNo, ...expiry, ...billing, ...shipping, userAgent, productInfoList }
}

async function notified(
  listener: Listener,
  { tradeNo }: Order,
  event: Notification['event'],
  status: string,
) {
  const matches = (one: Notification) =>
    one.data.tradeNo === tradeNo && one.event === event && one.status === status
  const notification = await listener.next(matches, 60_000)
  conforms(notificationFields[event], notification.data, `the notification of a ${event}`)
  assert.match(notification.id ?? '', /./)
}

const CARD = '4242424242424242'

describe('each merchant', () => {
  for (const name of ['MD5', 'RSA'] as const) {
    const the = () => (name === 'MD5' ? shop : reviewed)
    const listener = () => (name === 'MD5' ? shopListener : reviewedListener)

    it(`with ${name} takes card payments, refunds them, and is notified`, async () => {
      const paid = await the().pay('card', card(CARD, the()))
      assert.equal(paid.status, 'succeeded')
      await notified(listener(), paid, 'payment', 'succeeded')
      const { merOrderNo, tradeNo = '' } = paid
      assert.equal((await the().order({ merOrderNo }).resolve()).tradeNo, tradeNo)
      const numbers = { merOrderNo, tradeNo, merRefundNo: newNumber() }
      const refund = { ...numbers, amount: '2.34', remark: 'half & half', notifyUrl: listener().url }
      const refunded = await the().refund(refund)
      assert.equal((await the().refund(refund)).refundNo, refunded.refundNo, 'one number is one refund')
      assert.equal((await refunded.resolve({ waitMs: 60_000 })).status, 'succeeded')
      assert.equal((await the().queryRefund(numbers)).refundNo, refunded.refundNo)
      await notified(listener(), paid, 'refund', 'succeeded')
    })
  }
})

describe('a merchant', () => {
  it('takes payments by every method', async () => {
    const china = { ...payer, osType: 'IOS', terminal: 'WAP' } as const
    const browser = {
      screenHeight: '800',
      screenWidth: '600',
      timeZoneOffset: '0',
      userAgent,
      visitorId: 'v',
    }
    const bank = { productName: 'Scarf', paymentMethodStr: 'qrcode', vaBankId: 970_436 } as const
    const identity = { customerIdentificationType: '00', customerIdentification: '45678912' } as const
    const waiting = await Promise.all([
      shop.pay('alipay', { ...order('CNY'), ...china }),
      shop.pay('wechat', { ...order('CNY'), ...china }),
      shop.pay('unionpay', { ...order('CNY'), ...payer }),
      shop.pay('apple_pay', { ...order('USD'), ...payer, productInfoList, browser }),
      shop.pay('google_pay', { ...order('USD'), ...payer }),
      shop.pay('cash_app', { ...order('USD'), ...payer }),
      shop.pay('gcash', { ...order('PHP'), ...china }),
      shop.pay('pix', { ...order('BRL'), ...payer, name: 'Test Payer', socialSecurityNumber: '52998224725' }),
      shop.pay('spei', { ...order('MXN'), ...payer }),
      shop.pay('per_transfer', { ...order('PEN'), ...payer, ...identity }),
      shop.pay('sepa', { ...order('EUR'), ...payer, userAgent }),
      shop.pay('vn_bank', { ...order('VND', shop, '120000.00'), ...payer, ...bank }),
      shop.pay('crypto', { ...order('USD'), ...payer, coin: 'USDT', network: 'ERC20' }),
      shop.checkout({ ...order('EUR'), productInfoList, language: 'en' }),
      shop.checkoutBy('pix', { ...order('BRL'), userAgent, productInfoList }),
    ])
    for (const { status, payUrl = '' } of waiting) {
      assert.equal(status, 'pending')
      assert.equal((await fetch(payUrl)).status, 200)
    }
    const html = await shop.checkoutPage({ ...order('EUR'), productInfoList })
    assert.match(html, /http-equiv="refresh"/)
  })

  it('pays out in every way', async () => {
    const payee = { benFirstName: 'Test', benLastName: 'Payee' }
    const home = { addressLine: 'Av. Arequipa 1000', city: 'Lima', countryCode: 'PE' }
    const identity = { customerIdentificationType: '00', customerIdentification: '45678912' } as const
    const paidOut = await Promise.all([
      shop.payOut('card', { ...order('USD'), ...payee, cardNo: CARD, mobile: '+5115550100' }),
      shop.payOut('bank_account', {
        ...{ ...order('EUR'), ...payee, ...home },
        ...{ cardNo: IBAN, beneficiaryType: 'individual' },
      }),
      shop.payOut('pix', { ...order('BRL'), ...payee, cardNo: '12ABC34501DE35' }),
      shop.payOut('per_transfer', { ...order('PEN'), ...payee, cardNo: CCI, accountType: '01', ...identity }),
      shop.payOut('spei', { ...order('MXN'), ...payee, cardNo: CLABE }),
    ])
    const [first] = paidOut
    for (const payout of paidOut) assert.notEqual(payout.status, 'failed')
    assert.equal((await first?.resolve({ waitMs: 60_000 }))?.status, 'succeeded')
    await notified(shopListener, first, 'payout', 'succeeded')
    const page = await shop.payOut('checkout', { ...order('BRL'), ...payee, email: 'payee@shop.example' })
    assert.equal((await fetch(page.payUrl ?? '')).status, 200)
  })

  it('reads its orders, totals, balances and disputes', async () => {
    const paid = await Promise.all([1, 2, 3].map(() => shop.pay('card', card(CARD))))
    const listed: string[] = []
    const tradeNos = paid.map(({ tradeNo = '' }) => tradeNo)
    for await (const one of shop.orders({ tradeNos, pageSize: 2 })) listed.push(one.tradeNo)
    assert.deepEqual(listed.toSorted(), tradeNos.toSorted())
    const { sourceAmountList } = await shop.totals({
      merOrderNoList: paid.map(({ merOrderNo }) => merOrderNo),
    })
    assert.deepEqual(sourceAmountList, [{ sourceAmount: '37.02', sourceCurrency: 'USD' }])
    assert.equal((await shop.balance({ currency: 'USD' })).currency, 'USD')
    assert.ok((await shop.balance()).balances?.some(({ currency }) => currency === 'EUR'))
    const [disputed] = paid
    assert.ok(disputed)
    await operator.run('chargeback', 'open', '--trade-no', String(disputed.tradeNo))
    assert.equal((await shop.queryChargeback(disputed)).state, 1)
    await notified(shopListener, disputed, 'chargeback', 'opened')
  })

  it('answers a review', async () => {
    const payment = await reviewed.pay('sepa', { ...order('EUR', reviewed, '250.00'), ...payer, userAgent })
    const [row] = await database.db.query<{ url: string }>({
      text: `select action->>'appUrl' as url from attempts where trade_no = $1`,
      values: [payment.tradeNo],
    })
    const approval = new URLSearchParams({ decision: 'approve', amount: '250.00' })
    assert.equal((await fetch(row?.url ?? '', { method: 'POST', body: approval })).status, 200)
    await notified(reviewedListener, payment, 'review', 'information-asked')
    const { fileId } = await reviewed.uploadFile({ type: '.pdf' }, new Blob(['%PDF-1.7 a statement']))
    const { state } = await reviewed.submitReview({
      tradeNo: payment.tradeNo ?? '',
      info: { payerName: 'Example Payer' },
      files: [{ type: 'payerIdentityDocument', fileId }],
    })
    assert.equal(state, 25)
    await operator.run('review', 'approve', String(payment.tradeNo))
    await notified(reviewedListener, payment, 'payment', 'succeeded')
  })
})

describe('a payment that does not succeed', () => {
  it('is an outcome if it was declined, and an error if it was refused', async () => {
    const declined = await shop.pay('card', card('4000000000009995'))
    assert.equal(declined.status, 'failed')
    assert.match(declined.message, /insufficient funds/i)
    await notified(shopListener, declined, 'payment', 'failed')
    const wrong = card('4242424242424241')
    const error = await shop.pay('card', wrong).catch((reason: unknown) => reason)
    assert.ok(error instanceof TollgateError)
    assert.deepEqual({ next: error.next, code: error.code }, { next: 'fix-request', code: '99997' })
    assert.match(error.message, /cardNo/)
    assert.equal((await error.order?.resolve({ waitMs: 0 }))?.status, 'not-found')
  })

  it('whose outcome nobody knows yet is resolved', async () => {
    const lost = await shop.pay('card', card('4000000000000119'))
    assert.equal(lost.status, 'pending')
    assert.equal((await lost.resolve({ waitMs: 60_000 })).status, 'succeeded')
  })

  it('because the caller gave up is found by its number, and not made twice', async () => {
    const fields = card(CARD)
    const error = await shop
      .pay('card', fields, { signal: AbortSignal.timeout(1) })
      .catch((reason: unknown) => reason)
    const given = error instanceof TollgateError ? error.order : shop.order(fields)
    const found = await given?.resolve({ waitMs: 5_000 })
    assert.ok(['succeeded', 'not-found'].includes(found?.status ?? ''))
    const again = await shop.pay('card', fields).catch((reason: unknown) => reason)
    if (found?.status === 'not-found') return
    assert.ok(again instanceof TollgateError)
    assert.equal(again.next, 'ask-by-number')
    assert.equal((await again.order?.resolve())?.tradeNo, found?.tradeNo)
  })
})

it('nothing of the interface was left out', () => {
  assert.deepEqual([...called].sort(), Object.keys(endpoints).sort())
  assert.deepEqual([...shopListener.refused, ...reviewedListener.refused], [])
})
