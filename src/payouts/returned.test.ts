// Payouts that succeeded and whose money came back.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertMoneySound } from '../../test/paid-orders.ts'
import { aPayer, aPayout, FAILED, openPayouts, type TestPayouts } from '../../test/payouts.ts'
import type { PayoutOutcome, PayoutRail } from '../channels/payout/contract.ts'
import { channelAccount, EXCHANGE, FEES } from '../ledger/account.ts'
import { openPayoutBatches } from './batches.ts'
import { findPayout } from './find-payout.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(async () => {
  await assertMoneySound(setup.db, ['payout-entries', 'payout-state', 'used-limits', 'account-rows'])
  await setup.close()
})

const fees = { refundFee: '0.00', chargebackFee: '0.00', marginBps: 0, marginDays: 0, settleDays: 0 }
const withFee = { feePlans: new Map([['payout' as const, { ...fees, feeBps: 100, feeFixed: '0.50' }]]) }
const RETURNED = { ...FAILED, payout: 'returned', changes: 2, notifications: 2 }
const cameBack: PayoutOutcome = { kind: 'returned', message: 'the account is closed' }

const rail = (): PayoutRail => ({
  ...setup.rail,
  send: async ({ money }) => ({ kind: 'succeeded', money, railRef: 'p1' }),
})

const report = (merNo: number, tradeNo: string, outcome: PayoutOutcome) =>
  setup.batches.record({ merNo, tradeNo, event: { kind: 'outcome', outcome }, at: setup.clock.now() })

test('a payout that came back gives the merchant its amount again; the platform keeps the fee', async () => {
  const merchant = aPayer(withFee)
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout(), rail())
  setup.pass(1_000)
  const changed = await report(merNo, tradeNo, cameBack)
  assert.deepEqual([changed?.state, changed?.alarm], ['returned', undefined])
  assert.deepEqual(await setup.stateOf(tradeNo), RETURNED)
  assert.equal(await setup.available(merNo), 100_000n - 60n)
  assert.equal(await setup.balance(merNo, FEES, 'USD'), 60n)
  assert.equal(await setup.balance(merNo, channelAccount(setup.rail.name), 'USD'), 0n)
  const found = await findPayout(setup.db, { merNo, tradeNo })
  assert.deepEqual([found?.orderState, found?.message], [6, 'The payout came back: the account is closed'])
  const codes = await setup.db.query<{ code: string }>({
    text: `select fields ->> 'code' as code from notifications where trade_no = $1 order by notification_id`,
    values: [tradeNo],
  })
  assert.deepEqual(
    codes.map(({ code }) => code),
    ['0', '1'],
  )
})

test('a payout from another currency gives back its amount at its own rate, rounded down', async () => {
  setup.setRate('EUR', 'USD', '1.0837')
  const merchant = aPayer(withFee)
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout({ currencyCode: 'EUR' }), rail())
  // 10.60 EUR cost 11.49 USD, rounded up; 10.00 EUR are worth 10.83 USD, rounded down.
  assert.equal(await setup.available(merNo), 100_000n - 1_149n)
  setup.setRate('EUR', 'USD', '2')
  await report(merNo, tradeNo, cameBack)
  assert.equal(await setup.available(merNo), 100_000n - 1_149n + 1_083n)
  assert.equal(await setup.balance(merNo, EXCHANGE, 'EUR'), -60n)
})

test('a return that is reported before the success has the same effects, and a late success changes nothing', async () => {
  const merchant = aPayer(withFee)
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout())
  await report(merNo, tradeNo, cameBack)
  const money = { amount: 1_000n, currency: 'USD' }
  const late = await report(merNo, tradeNo, { kind: 'succeeded', money, railRef: 'p1' })
  assert.deepEqual([late?.state, late?.alarm], ['returned', undefined])
  assert.deepEqual(await setup.stateOf(tradeNo), { ...FAILED, payout: 'returned' })
  assert.equal(await setup.available(merNo), 100_000n - 60n)
})

test('a return gives the money back once, however often and on however many nodes it is reported', async () => {
  const merchant = aPayer()
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout(), rail())
  const nodes = [1, 2, 3, 4].map(() => openPayoutBatches(setup.deps))
  const event = { kind: 'outcome', outcome: cameBack } as const
  const changes = await Promise.all(
    nodes.flatMap(({ record }) => [1, 2].map(() => record({ merNo, tradeNo, event, at: setup.clock.now() }))),
  )
  assert.equal(changes.filter((change) => change?.applied).length, 1)
  assert.equal(await setup.available(merNo), 100_000n)
})

test('the return of a payout that failed or was not sent moves nothing; the latter raises an alarm', async () => {
  const merchant = aPayer({ ...withFee, payoutApproval: 0n })
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout())
  const unsent = await report(merNo, tradeNo, cameBack)
  assert.deepEqual(
    [unsent?.state, unsent?.alarm],
    ['awaiting_approval', 'was awaiting_approval, the rail now says returned: the account is closed'],
  )
})
