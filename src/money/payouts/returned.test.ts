// Payouts that succeeded and whose money came back.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, FAILED, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import type { PayoutOutcome } from '../../rails/contract/payout-outcome.ts'
import type { PayoutRail } from '../../rails/contract/payout-rail.ts'
import { verifyBooks } from '../audit/verify-books.ts'
import { channelAccount, EXCHANGE, FEES, RETURN_COSTS } from '../ledger/account.ts'
import { freePlan } from '../merchants/terms.ts'
import { explainOrder } from '../order-queries/explain-order.ts'
import { listHeld } from '../suspense/book-suspense.ts'
import { openPayoutBatches } from './batches.ts'
import { findPayout, pagePayouts } from './find-payout.ts'
import { payoutReference } from './payout.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(async () => {
  await assertMoneySound(setup.db, ['payout-entries', 'payout-state', 'used-limits', 'account-rows'])
  await setup.close()
})

const withFee = { feePlans: new Map([['payout' as const, { ...freePlan, feeBps: 100, feeFixed: '0.50' }]]) }
const RETURNED = { ...FAILED, payout: 'returned', changes: 2, notifications: 2 }
const back = (amount: bigint, currency = 'USD'): PayoutOutcome => {
  return { kind: 'returned', message: 'the account is closed', money: { amount, currency } }
}
const cameBack = back(1_000n)

const rail = (): PayoutRail => ({
  ...setup.rail,
  send: async ({ money }) => ({ kind: 'succeeded', money, railRef: 'p1' }),
})

const report = (merNo: number, tradeNo: string, outcome: PayoutOutcome) =>
  setup.payoutBatches.record({ merNo, tradeNo, event: { kind: 'outcome', outcome }, at: setup.clock.now() })

test('a payout that came back gives the merchant its amount again; the platform keeps the fee', async () => {
  const merchant = aPayer(withFee)
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout(), rail())
  setup.pass(1_000)
  const changed = await report(merNo, tradeNo, cameBack)
  assert.deepEqual({ state: changed?.state, alarm: changed?.alarm }, { state: 'returned', alarm: undefined })
  assert.deepEqual(await setup.stateOf(tradeNo), RETURNED)
  assert.equal(await setup.available(merNo), 100_000n - 60n)
  assert.equal(await setup.balance(merNo, FEES, 'USD'), 60n)
  assert.equal(await setup.balance(merNo, channelAccount(setup.rail.name), 'USD'), 0n)
  const found = await findPayout(setup.db, { merNo, tradeNo })
  assert.deepEqual(
    { orderState: found?.orderState, message: found?.message },
    { orderState: 6, message: 'The payout came back: the account is closed' },
  )
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
  // 10.60 EUR cost 11.49 USD, rounded up. 10.00 EUR are worth 10.83 USD, rounded down.
  assert.equal(await setup.available(merNo), 100_000n - 1_149n)
  setup.setRate('EUR', 'USD', '2')
  await report(merNo, tradeNo, back(1_000n, 'EUR'))
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
  assert.deepEqual({ state: late?.state, alarm: late?.alarm }, { state: 'returned', alarm: undefined })
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
    { state: unsent?.state, alarm: unsent?.alarm },
    {
      state: 'awaiting_approval',
      alarm: 'was awaiting_approval, the rail now says returned: the account is closed',
    },
  )
})

async function paidOut(terms: Parameters<typeof aPayer>[0] = withFee, currencyCode = 'USD') {
  const merchant = aPayer(terms)
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout({ currencyCode }), rail())
  return {
    merNo,
    tradeNo,
    report: (outcome: PayoutOutcome) => report(merNo, tradeNo, outcome),
    railBalance: (currency = 'USD') => setup.balance(merNo, channelAccount(setup.rail.name), currency),
    held: () => listHeld(setup.db, merNo, 10),
    entries: async () => {
      const { entries = [] } = (await explainOrder(setup.db, tradeNo)) ?? {}
      return entries.filter(({ step }) => /^return|came-back/.test(step)).map((one) => [one.step, one.amount])
    },
  }
}

test('a payout that comes back short credits what arrived, and shows the rest as a cost, with an alarm', async () => {
  const payout = await paidOut()
  const changed = await payout.report(back(925n))
  assert.deepEqual(
    { state: changed?.state, alarm: changed?.alarm },
    { state: 'returned', alarm: '9.25 USD of 10.00 USD came back; the cost of the return is 0.75 USD' },
  )
  assert.equal(await setup.available(payout.merNo), 100_000n - 60n - 75n)
  assert.equal(await payout.railBalance(), 75n, 'the channel has kept it')
  assert.equal(await setup.balance(payout.merNo, RETURN_COSTS, 'USD'), 0n)
  assert.deepEqual(await payout.entries(), [
    ['payout:came-back', '10.00'],
    ['return-cost', '0.75'],
    ['return-kept', '0.75'],
  ])
  const explained = await explainOrder(setup.db, payout.tradeNo)
  assert.deepEqual(
    { returned: explained?.payout?.returned, returnCost: explained?.payout?.returnCost },
    { returned: '9.25', returnCost: '0.75' },
  )
  assert.match(
    explained?.message ?? '',
    /^The payout came back: the account is closed \(9\.25 USD of 10\.00 USD/,
  )
  const page = { merNo: payout.merNo, state: undefined, after: undefined, limit: 10 }
  assert.deepEqual(
    (await pagePayouts(setup.db, page)).map(({ returnCost }) => returnCost),
    ['0.75'],
  )
  const again = await payout.report(cameBack)
  assert.match(
    again?.alarm ?? '',
    /came back before with 9\.25 USD.*now reports 10\.00 USD: nothing more was booked/,
  )
  assert.equal((await payout.report(back(925n)))?.alarm, undefined)
  assert.equal(await setup.available(payout.merNo), 100_000n - 60n - 75n)
  assert.deepEqual(await payout.held(), [])
})

test('a payout from another currency that comes back short credits the value of what arrived, rounded down', async () => {
  setup.setRate('EUR', 'USD', '1.0837')
  const payout = await paidOut(withFee, 'EUR')
  await payout.report(back(333n, 'EUR'))
  // 3.33 EUR are worth 3.60 USD, rounded down.
  assert.equal(await setup.available(payout.merNo), 100_000n - 1_149n + 360n)
  assert.equal(await setup.balance(payout.merNo, RETURN_COSTS, 'EUR'), 0n)
  assert.equal(await payout.railBalance('EUR'), 667n)
})

test('money that comes back in another currency is held in suspense, and credits nothing', async () => {
  const payout = await paidOut()
  const changed = await payout.report(back(1_000n, 'EUR'))
  assert.match(changed?.alarm ?? '', /^10\.00 EUR came back instead of 10\.00 USD: nothing was credited/)
  assert.equal(await setup.available(payout.merNo), 100_000n - 1_060n)
  const [held, ...others] = await payout.held()
  assert.deepEqual(
    { money: held?.money, why: held?.why, reference: held?.reference, others },
    {
      money: { amount: 1_000n, currency: 'EUR' },
      why: 'unmatched',
      reference: payoutReference(payout.tradeNo),
      others: [],
    },
  )
})

test('of a payout that comes back with more than was sent, the surplus is held in suspense', async () => {
  const payout = await paidOut()
  for (const _again of [1, 2]) await payout.report(back(1_250n))
  assert.equal(await setup.available(payout.merNo), 100_000n - 60n)
  const [held, ...others] = await payout.held()
  assert.deepEqual(
    { money: held?.money, why: held?.why, others },
    { money: { amount: 250n, currency: 'USD' }, why: 'surplus', others: [] },
  )
})

test('a further report of a return raises an alarm if it states other money, and only then', async () => {
  const unstated: PayoutOutcome = { kind: 'returned', message: 'closed', money: undefined }
  const table = [
    [unstated, back(975n), /came back before without an amount, and 10\.00 USD was .* now reports 9\.75 USD/],
    [unstated, back(1_200n), /now reports 12\.00 USD/],
    [unstated, back(1_000n), undefined],
    [back(1_000n), back(1_200n), /came back before with 10\.00 USD; the channel now reports 12\.00 USD/],
    [back(1_200n), back(1_300n), /came back before with 12\.00 USD; the channel now reports 13\.00 USD/],
    [back(1_200n), back(1_000n), /came back before with 12\.00 USD/],
    [back(1_200n), back(1_200n), undefined],
    [
      back(900n, 'EUR'),
      back(800n, 'EUR'),
      /came back before with 9\.00 EUR; the channel now reports 8\.00 EUR/,
    ],
    [back(900n, 'EUR'), back(900n, 'EUR'), undefined],
    [back(975n), unstated, undefined],
  ] as const
  for (const [first, second, alarm] of table) {
    const payout = await paidOut()
    await payout.report(first)
    const balance = await setup.available(payout.merNo)
    const again = await payout.report(second)
    if (alarm === undefined) assert.equal(again?.alarm, undefined)
    else assert.match(again?.alarm ?? 'none', alarm)
    assert.equal(await setup.available(payout.merNo), balance)
  }
})

test('a payout whose rail does not say how much came back is credited in full, with an alarm', async () => {
  const payout = await paidOut()
  const changed = await payout.report({ kind: 'returned', message: 'closed', money: undefined })
  assert.match(changed?.alarm ?? '', /does not say how much came back: 10\.00 USD was credited/)
  assert.equal(await setup.available(payout.merNo), 100_000n - 60n)
})

test('the audit names a return that was credited with another amount than arrived', async () => {
  const payout = await paidOut()
  await payout.report(back(925n))
  const set = (amount: bigint) =>
    setup.db.query({
      text: 'update payouts set returned_amount = $2 where trade_no = $1',
      values: [payout.tradeNo, amount],
    })
  await set(900n)
  const { findings } = await verifyBooks({ db: setup.db, clock: setup.clock })
  assert.deepEqual(
    findings.map(({ check, subject, found }) => `${check} ${subject} ${found.replace(/, at .*/, '')}`),
    [
      `payout-entries ${payout.tradeNo} took 135, sent 1 times, cost of return 75`,
      `entry-cause ${payout.tradeNo} return-cost: 75 USD, merchant:available to transit:return-costs`,
      `entry-cause ${payout.tradeNo} return-kept: 75 USD, transit:return-costs to rail:payout-bank`,
    ],
  )
  await set(925n)
})

test('the audit dates the sending of a returned payout by its own success, and not by a later payout', async () => {
  const { merNo, report } = await paidOut()
  await report(cameBack)
  setup.pass(4 * 3_600_000)
  await setup.give(merNo, 100_000n)
  await setup.pay(aPayer({ ...withFee, merNo }), aPayout(), rail())
  const { findings } = await verifyBooks({ db: setup.db, clock: setup.clock })
  assert.deepEqual(findings, [])
})
