import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import { verifyBooks } from '../audit/verify-books.ts'
import { EXCHANGE, FEES } from '../ledger/account.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { freePlan } from '../merchants/terms.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { openPayoutBatches } from './batches.ts'
import { changePayouts } from './change-payouts.ts'
import { type PayoutRequested, preparePayout } from './prepare-payout.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

async function codeOf(merchant: Merchant, request: PayoutRequested): Promise<string> {
  try {
    await setup.pay(merchant, request)
    return ''
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function countOrders({ merNo }: Merchant): Promise<number> {
  const rows = await setup.db.query({ text: 'select 1 from orders where mer_no = $1', values: [merNo] })
  return rows.length
}

async function usedOf({ merNo }: Merchant): Promise<string[]> {
  const rows = await setup.db.query<{ used: string }>({
    text: `select method || ' ' || used as used from limit_usage where mer_no = $1 order by period desc`,
    values: [merNo],
  })
  return rows.map((row) => row.used)
}

const plan = (feeBps: number, feeFixed: string) => ({ ...freePlan, feeBps, feeFixed })

test('amount and fee leave the available balance when the payout is accepted, and wait in flight', async () => {
  const merchant = aPayer({
    feePlans: new Map([
      ['payout', plan(150, '0.30')],
      ['', plan(9000, '9.00')],
    ]),
  })
  await setup.give(merchant.merNo, 2000n)
  await setup.pay(merchant, aPayout())
  assert.equal(await setup.available(merchant.merNo), 2000n - 1045n)
  assert.equal(await setup.inFlight(merchant.merNo), 1045n)
})

test('the plan of all pay-ins does not apply to payouts: without their own plan they are free', async () => {
  const merchant = aPayer({ feePlans: new Map([['', plan(9000, '9.00')]]) })
  await setup.give(merchant.merNo, 1000n)
  assert.equal(await codeOf(merchant, aPayout()), '')
  assert.equal(await setup.available(merchant.merNo), 0n)
})

test('the balance must cover the fee too', async () => {
  const merchant = aPayer({ feePlans: new Map([['payout', plan(0, '0.01')]]) })
  await setup.give(merchant.merNo, 1000n)
  assert.equal(await codeOf(merchant, aPayout()), '10104')
  assert.equal(await countOrders(merchant), 0)
  assert.deepEqual(await usedOf(merchant), ['payout 0', 'payout 0'])
})

test('a payout to a card is sound before its rail has made a token, and after the rail could not', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  const request = aPayout({ kind: 'card', account: '4242424242424242' })
  const { payout } = await preparePayout(setup.deps, merchant, request)
  const batches = openPayoutBatches(setup.deps)
  await batches.accept(payout)
  const found = async () => {
    const { findings } = await verifyBooks(setup.deps)
    return findings.filter(({ check }) => check === 'payout-order')
  }
  assert.deepEqual(await found(), [])
  const { merNo, tradeNo, createdAt: at } = payout
  const event = { kind: 'not-sent', why: 'no answer' } as const
  const [changed] = await changePayouts(setup.db, [{ merNo, tradeNo, event, at }])
  assert.deepEqual({ applied: changed?.applied, found: await found() }, { applied: true, found: [] })
})

test('a hundred concurrent payouts never overdraw one balance', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 37_000n)
  const requests = Array.from({ length: 100 }, () => aPayout())
  const codes = await Promise.all(requests.map((request) => codeOf(merchant, request)))
  assert.equal(codes.filter((code) => code === '').length, 37)
  assert.equal(codes.filter((code) => code === '10104').length, 63)
  assert.equal(await setup.available(merchant.merNo), 0n)
  assert.equal(await setup.inFlight(merchant.merNo), 37_000n)
  assert.equal(await countOrders(merchant), 37)
  assert.deepEqual(await usedOf(merchant), ['payout 37000', 'payout 37000'])
})

test('a hundred concurrent payouts on several nodes never overdraw it either', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 37_000n)
  const nodes = Array.from({ length: 4 }, () => openPayoutBatches(setup.deps))
  const results = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const { payout } = await preparePayout(setup.deps, merchant, aPayout())
      return nodes[at % nodes.length]?.accept(payout)
    }),
  )
  assert.equal(results.filter((result) => result?.refusal === undefined).length, 37)
  assert.equal(await setup.available(merchant.merNo), 0n)
})

test('a hundred concurrent payouts of one number create exactly one, and take its money once', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_000n)
  const request = aPayout()
  const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(merchant, request)))
  assert.equal(codes.filter((code) => code === '').length, 1)
  assert.ok(codes.every((code) => ['', '10003', '10009'].includes(code)))
  assert.equal(await setup.available(merchant.merNo), 99_000n)
})

test('payments and payouts share one space of order numbers', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  const { merNo } = merchant
  const createdAt = new Date(setup.clock.now().getTime() - 60_000)
  await acceptPayments(setup.db, [aPayment({ merNo, merOrderNo: 'one', createdAt })])
  assert.equal(await codeOf(merchant, aPayout({ merOrderNo: 'one' })), '10009')
  assert.equal(await codeOf(merchant, aPayout({ merOrderNo: 'two' })), '')
  const [accepted] = await acceptPayments(setup.db, [
    aPayment({ merNo, merOrderNo: 'two', createdAt: setup.clock.now() }),
  ])
  assert.equal(accepted?.kind === 'refused' && accepted.refusal.code, '10003')
  assert.equal(await setup.available(merNo), 4_000n)
})

test('concurrent payments and payouts of the same numbers use each number once', async () => {
  const merchant = aPayer()
  const { merNo } = merchant
  await setup.give(merNo, 20_000n)
  const numbers = Array.from({ length: 20 }, (_, at) => `both-${at}`)
  const [paid, payouts] = await Promise.all([
    Promise.all(numbers.map((merOrderNo) => acceptPayments(setup.db, [aPayment({ merNo, merOrderNo })]))),
    Promise.all(numbers.map((merOrderNo) => codeOf(merchant, aPayout({ merOrderNo })))),
  ])
  for (const [at, code] of payouts.entries())
    assert.notEqual(code === '', paid[at]?.[0]?.kind === 'accepted', `number ${at}`)
  const accepted = payouts.filter((code) => code === '').length
  assert.equal(await setup.available(merNo), 20_000n - BigInt(accepted) * 1000n)
})

test('a used number is reported as used, even if the limit or the balance would refuse it', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 1000n)
  const request = aPayout()
  assert.equal(await codeOf(merchant, request), '')
  setup.pass(2_000)
  assert.equal(await codeOf(merchant, request), '10009')
})

test('a payout that its own currency does not cover comes wholly from the settlement currency at the current rate', async () => {
  const merchant = aPayer()
  const { merNo } = merchant
  setup.setRate('EUR', 'USD', '1.1234')
  await setup.give(merNo, 999n, 'EUR')
  await setup.give(merNo, 10_000n, 'USD')
  const { tradeNo } = await setup.pay(merchant, aPayout({ currencyCode: 'EUR' }))
  assert.equal(await setup.available(merNo, 'EUR'), 999n)
  assert.equal(await setup.available(merNo, 'USD'), 10_000n - 1_124n)
  assert.equal(await setup.inFlight(merNo, 'EUR'), 1_000n)
  assert.equal(await setup.balance(merNo, EXCHANGE, 'USD'), 1_124n)
  const [order] = await setup.db.query<{ settle_currency: string; settle_rate: string }>({
    text: 'select settle_currency, settle_rate from orders where trade_no = $1',
    values: [tradeNo],
  })
  assert.deepEqual(order, { settle_currency: 'USD', settle_rate: '1.1234' })
})

test('without a rate to the settlement currency the answer is 10014, without money there 10104', async () => {
  const merchant = aPayer({ currencies: new Map([['GBP', 'USD']]) })
  assert.equal(await codeOf(merchant, aPayout({ currencyCode: 'GBP' })), '10014')
  setup.setRate('GBP', 'USD', '1.25')
  assert.equal(await codeOf(merchant, aPayout({ currencyCode: 'GBP' })), '10104')
  await setup.give(merchant.merNo, 1_249n)
  assert.equal(await codeOf(merchant, aPayout({ currencyCode: 'GBP' })), '10104')
  await setup.give(merchant.merNo, 1n)
  assert.equal(await codeOf(merchant, aPayout({ currencyCode: 'GBP' })), '')
})

test('a payout worth less than the smallest unit of the settlement currency still costs that unit', async () => {
  const merchant = aPayer({ currencies: new Map([['VND', 'USD']]) })
  setup.setRate('VND', 'USD', '0.00004')
  await setup.give(merchant.merNo, 5n)
  assert.equal(await codeOf(merchant, aPayout({ currencyCode: 'VND', sourceAmount: '1.00' })), '')
  assert.equal(await setup.available(merchant.merNo), 4n)
})

test('twenty small payouts in a weak currency cost no less than what they are worth', async () => {
  const payer = aPayer({ currencies: new Map([['VND', 'USD']]) })
  await setup.give(payer.merNo, 100n)
  setup.setRate('VND', 'USD', '0.000038')
  for (let one = 0; one < 20; one++)
    await setup.pay(payer, aPayout({ currencyCode: 'VND', sourceAmount: '525.00' }))
  assert.equal(await setup.available(payer.merNo), 60n)
})

test('while any balance is below zero, nothing is paid out in any currency', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  await setup.give(merchant.merNo, -1n, 'MXN')
  assert.equal(await codeOf(merchant, aPayout()), '10104')
  await setup.give(merchant.merNo, 1n, 'MXN')
  assert.equal(await codeOf(merchant, aPayout()), '')
})

test('limits are exact under a hundred concurrent payouts, and count payouts separately from pay-ins', async () => {
  const merchant = aPayer({ limits: { single: 1_000n, daily: 25_000n, monthly: 10n ** 12n } })
  await setup.give(merchant.merNo, 100_000n)
  await acceptPayments(setup.db, [aPayment({ merNo: merchant.merNo })])
  const requests = Array.from({ length: 100 }, () => aPayout())
  const codes = await Promise.all(requests.map((request) => codeOf(merchant, request)))
  assert.equal(codes.filter((code) => code === '').length, 25)
  assert.equal(codes.filter((code) => code === '10024').length, 75)
  assert.equal(await codeOf(merchant, aPayout({ sourceAmount: '10.01' })), '10023')
  assert.equal(await setup.balance(merchant.merNo, FEES, 'USD'), 0n)
})
