// Adyen through a real gateway: a merchant pays and refunds by HTTP, a payer passes 3-D Secure, and webhooks arrive at
// the channel's callback address.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { type AdyenCounterparty, mountAdyen } from '../../sandbox/adyen/mount.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import { payoutReference } from '../../src/money/payouts/payout.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { assertMoneySound } from '../builders/paid-orders.ts'
import { openPage, submit } from '../harness/browser.ts'
import { type Account, call, cardBody, pay, query, queryBody, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { assertNoLeaks } from '../harness/leaks.ts'
import { runTollgate } from '../harness/operator.ts'

const [PENDING, FAILED, PAID] = [1, 2, 3]
const card = {
  cardNo: '4111111111111111',
  cardExpireMonth: '03',
  cardExpireYear: '2030',
  cardSecurityCode: '737',
}

let installation: Installation
let gateway: GatewayProcess
let app: FastifyInstance
let adyen: AdyenCounterparty
let account: Account
const folder = mkdtempSync(join(tmpdir(), 'tollgate-adyen-'))
const file = join(folder, 'channels.json')

const database = useDatabase({
  async before() {
    app = fastify({ forceCloseConnections: true })
    let url = ''
    const place = { app, folder, url: () => url, secret: 'a secret for tests', clock: systemClock }
    adyen = mountAdyen({ ...place, minuteMs: 60_000 })
    await app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${portOf(app.server.address())}`
    writeFileSync(file, JSON.stringify(adyen.settings()), { mode: 0o600 })
    installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_CHANNELS: file })
    gateway = await installation.start()
    account = gateway.account
    adyen.webhooks.address = `${account.baseUrl}/callbacks/adyen`
    for (const method of ['card', 'payout_card'])
      await tollgate('merchant', 'route', String(account.merNo), '--method', method, '--channel', 'adyen')
  },
  async after() {
    await adyen.close()
    await installation.remove()
    await app.close()
    rmSync(folder, { recursive: true })
  },
})

function portOf(address: AddressInfo | string | null): number {
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

async function tollgate(...args: string[]) {
  const env = {
    DATABASE_URL: database.url,
    TOLLGATE_DATA_DIR: installation.dataDir,
    TOLLGATE_CHANNELS: file,
  }
  return JSON.parse((await runTollgate([...args, '--json'], env)).stdout)
}

async function payBy(changes: Record<string, unknown>): Promise<Reply> {
  const reply = await pay(account, { ...card, ...changes })
  assert.equal(reply.code, '00000', reply.message)
  return reply
}

async function becomes({ data }: Reply, state: number | undefined): Promise<void> {
  const isThere = async () => (await query(account, data.merOrderNo)).data.state === state
  assert.ok(await eventually(isThere), `the order is not in state ${state}`)
}

it('is set up right, as `channel check` finds by a webhook that comes back', async () => {
  const { isRight, message } = await tollgate('channel', 'check', 'adyen')
  assert.equal(isRight, true, message)
})

it('takes and declines cards, and refunds one when the webhook says so', async () => {
  const paid = await payBy({})
  assert.equal(paid.data.payCode, 0)
  const declined = await payBy({ billingFirstName: 'DECLINED' })
  assert.equal(declined.data.payCode, 1)
  const { merOrderNo, tradeNo } = paid.data
  const asked = { merNo: account.merNo, merOrderNo, tradeNo, operationType: 'refund', version: 'V3.0.0' }
  const refund = await call(account, '/refund/apply', { ...asked, amount: '4.00' })
  assert.equal(refund.code, '00000', refund.message)
  const { refundNo } = refund.data
  const of = { tradeNo, merOrderNo, queryType: 'refund', refundNo }
  const isDone = async () => (await call(account, '/order/query', queryBody(account, of))).data.state === 6
  assert.ok(await eventually(isDone), 'the refund is still open')
})

it('charges a payment back when the webhook says so', async () => {
  const { data } = await payBy({})
  adyen.webhooks.send({
    eventCode: 'CHARGEBACK',
    success: true,
    pspReference: 'DISPUTE1',
    merchantAccountCode: adyen.merchantAccount,
    merchantReference: attemptReference(String(data.tradeNo), 1),
    amount: { value: 12_34, currency: 'USD' },
    additionalData: { chargebackReasonCode: '10.4' },
  })
  const isOpen = async () =>
    (await tollgate('chargeback', 'list', '--state', 'open')).chargebacks[0]?.tradeNo === data.tradeNo
  assert.ok(await eventually(isOpen), 'there is no chargeback')
})

it('lets a payer pass 3-D Secure on the page of the bank', async () => {
  const reply = await payBy({ cardNo: '4212345678910006' })
  assert.equal(reply.data.payCode, 2)
  await becomes(reply, PENDING)
  const bank = await openPage(String(reply.data.payUrl))
  assert.match(bank.html, /Approve the payment/)
  const back = await submit(bank, { decision: 'approve' })
  assert.match(back.html, /Your payment went through/)
  await becomes(reply, PAID)
})

it('pays out to a card that it has stored, and to none without an expiry date', async () => {
  const { cardSecurityCode: _, ...withExpiry } = card
  const payout = (number: string, to: object) =>
    call(account, '/payout', {
      merNo: account.merNo,
      merOrderNo: `card-payout-${number}`,
      currencyCode: 'USD',
      sourceAmount: '12.34',
      notifyUrl: 'https://shop.example/notify',
      version: 'V3.0.0',
      withdrawType: '1',
      benFirstName: 'Example',
      benLastName: 'Payee',
      mobile: '+15125550100',
      ...to,
    })
  const reply = await payout('1', withExpiry)
  assert.deepEqual(
    { code: reply.code, payCode: reply.data.payCode },
    { code: '00000', payCode: 2 },
    reply.message,
  )
  await becomes(reply, PAID)
  assert.equal(adyen.transfers.countPaid(payoutReference(String(reply.data.tradeNo))), 1)
  assert.equal((await payout('2', { cardNo: card.cardNo })).code, '10011')
})

it('keeps its circuit breaker closed for tokens that nobody can read: nothing was sent', async () => {
  await tollgate('merchant', 'route', String(account.merNo), '--method', 'google_pay', '--channel', 'adyen')
  const {
    cardNo: _,
    cardExpireMonth: __,
    cardExpireYear: ___,
    cardSecurityCode: ____,
    ...order
  } = cardBody(account)
  const answered = /^tollgate_channel_calls_total\{channel="adyen",kind="payment".*$/gm
  const metrics = async () => (await fetch(`${account.baseUrl}/metrics`)).text()
  const before = (await metrics()).match(answered)
  for (let at = 0; at < 6; at++) {
    const body = { ...order, merOrderNo: `rubbish-${at}`, googlePayToken: 'rubbish' }
    const { code, message } = await call(account, '/payment', body, { paymentType: 'GOOGLE_PAY' })
    assert.deepEqual(
      { code, saysWhy: /Adyen cannot take this payment/.test(message) },
      { code: '99998', saysWhy: true },
      message,
    )
  }
  const after = await metrics()
  assert.doesNotMatch(after, /^tollgate_channel_circuit_breaker_open\{.*adyen.*\} 1$/m)
  assert.deepEqual(
    { wasCounted: before?.length !== 0, answered: after.match(answered) },
    { wasCounted: true, answered: before },
  )
})

it('finds out what became of a payment without a response', async () => {
  await becomes(await payBy({ sourceAmount: '1.19' }), PAID)
  const lost = await payBy({ sourceAmount: '69.75' })
  assert.equal(lost.data.payCode, 2)
  // Adyen has no such payment to cancel, and that answer proves nothing. The closing of the offer proves that nobody
  // paid.
  const reference = attemptReference(String(lost.data.tradeNo), 1)
  const text = `select 1 from channel_records where kind = 'cancel' and reference = $1 and body ? 'at'`
  const isAnswered = async () => (await database.db.query({ text, values: [reference] })).length === 1
  assert.ok(await eventually(isAnswered), 'Adyen has not answered the cancellation')
  await becomes(lost, PENDING)
  const about = { merchantAccountCode: adyen.merchantAccount, merchantReference: reference }
  const amount = { value: 6975, currency: 'USD' }
  adyen.webhooks.send({ eventCode: 'OFFER_CLOSED', success: true, pspReference: 'O1', amount, ...about })
  await becomes(lost, FAILED)
  assert.equal(await eventually(() => adyen.webhooks.isIdle()), true)
  await assertMoneySound(database.db)
})

it('leaves no card number and no key in its output', () => {
  const output = installation.output()
  assert.match(output, /adyen/)
  assertNoLeaks(output, { entries: adyen.settings(), numbers: ['4111111111111111', '4212345678910006'] })
})
