// A shop that lost the first response sends the payment again. The shop gets the trade number if every field is the
// same.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, call, cardBody, query, signed } from '../harness/client.ts'
import { type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { operatorAt } from '../harness/operator.ts'

let installation: Installation
let account: Account
let body: Record<string, unknown>
let tradeNo: unknown
const database = useDatabase({
  async before({ url }) {
    installation = await openInstallation({ DATABASE_URL: url })
    account = (await installation.start()).account
    body = cardBody(account, { email: 'payer@shop.example' })
    const first = await call(account, '/payment', body)
    assert.equal(first.code, '00000')
    tradeNo = first.data.tradeNo
  },
  after: () => installation.remove(),
})

const operate = (...args: string[]) =>
  operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir }).run(...args)

const TOO_SOON_MS = 1_000

test('the same payment again is refused, and its data holds the first trade number and nothing else', async () => {
  const soon = await call(account, '/payment', body)
  assert.ok(['10003', '10009'].includes(soon.code))
  assert.deepEqual(soon.data, { tradeNo })
  await sleep(TOO_SOON_MS)
  const later = await call(account, '/payment', body)
  assert.deepEqual({ code: later.code, data: later.data }, { code: '10009', data: { tradeNo } })
  assert.equal((await query(account, body.merOrderNo)).data.state, 3)
})

test('any other field makes it another request, which learns nothing', async () => {
  for (const change of [
    { email: 'other@shop.example' },
    { sourceAmount: '12.35' },
    { cardNo: '5555555555554444' },
    { cardExpireYear: '2031' },
    { billingAddress2: 'Door 3' },
    { productInfoList: [] },
    { notifyUrl: 'https://shop.example/other' },
  ]) {
    const { code, data } = await call(account, '/payment', { ...body, ...change })
    assert.deepEqual({ code, data }, { code: '10009', data: {} }, JSON.stringify(change))
  }
  const elsewhere = await call(account, '/cashier/checkStandPay', body)
  assert.deepEqual({ code: elsewhere.code, data: elsewhere.data }, { code: '10009', data: {} })
})

test('an order for our page is recognised, too', async () => {
  const { cardNo, cardExpireMonth, cardExpireYear, cardSecurityCode, ...order } = cardBody(account)
  const first = await call(account, '/cashier/checkStandPay', order)
  const again = await call(account, '/cashier/checkStandPay', order)
  assert.deepEqual(again.data, { tradeNo: first.data.tradeNo })
})

test('ten copies at once make one order, and all others learn its number', async () => {
  const same = cardBody(account)
  const replies = await Promise.all(Array.from({ length: 10 }, () => call(account, '/payment', same)))
  const accepted = replies.filter(({ code }) => code === '00000')
  assert.equal(accepted.length, 1)
  for (const { code, data } of replies)
    if (code !== '00000') assert.deepEqual(data, { tradeNo: accepted[0]?.data.tradeNo })
})

test('a merchant with signed responses gets the number signed', async () => {
  const { merNo, key } = await operate('merchant', 'create', '--name', 'Signed', '--site', 'signed.example')
  const other = { ...account, merNo: Number(merNo), key: String(key), site: 'signed.example' }
  await operate('merchant', 'set', String(merNo), '--sign-answers', 'on')
  const order = cardBody(other)
  const first = await call(other, '/payment', order)
  const again = await call(other, '/payment', order)
  assert.deepEqual(again.data, { tradeNo: first.data.tradeNo })
  const text = `event=answer&tradeNo=${first.data.tradeNo}${key}`
  assert.equal(again.sign, createHash('md5').update(text).digest('hex').toUpperCase())
})

test('a card that is closed to the merchant meanwhile does not hide the first order', async () => {
  await operate('merchant', 'set', String(account.merNo), '--methods', 'gcash')
  const { code, data } = await call(account, '/payment', body)
  await operate('merchant', 'set', String(account.merNo), '--methods', 'all')
  assert.deepEqual({ code, data }, { code: '10009', data: { tradeNo } })
})

test('the response does not show whether a whole card number is the right one', async () => {
  const sameShownDigits = { ...body, cardNo: '4242420000004242', cardSecurityCode: '999' }
  const { code, data } = await call(account, '/payment', sameShownDigits)
  assert.deepEqual({ code, data }, { code: '10009', data: { tradeNo } })
})

test("the response does not show whether a payer's tax number is the right one", async () => {
  const { cardNo, cardExpireMonth, cardExpireYear, cardSecurityCode, ...order } = cardBody(account)
  const own = { currencyCode: 'BRL', userId: 'U-1', email: 'payer@shop.example', name: 'Ana Reis' }
  const pix = { ...order, ...own, socialSecurityNumber: '52998224725' }
  const headers = { paymentType: 'PIX' }
  const first = await call(account, '/payment', pix, headers)
  assert.equal(first.code, '00000', JSON.stringify(first))
  const guess = { ...pix, socialSecurityNumber: '11144477735' }
  assert.deepEqual((await call(account, '/payment', guess, headers)).data, { tradeNo: first.data.tradeNo })
})

test('nothing of the card can be read in the stored mark', async () => {
  const [row] = await database.db.query<{ request_mac: string }>({
    text: 'select request_mac from order_details where trade_no = $1',
    values: [tradeNo],
  })
  assert.match(row?.request_mac ?? '', /^[\w-]{43}$/)
  const signedBody = signed(account, '/payment', body)
  assert.ok(!JSON.stringify(signedBody).includes(row?.request_mac ?? ''))
})
