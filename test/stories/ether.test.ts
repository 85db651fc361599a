// Settlement in ether, with amounts that would overflow 64 bits in wei.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { foldBalances } from '../../src/money/ledger/balances.ts'
import { verifyLedger } from '../../src/money/ledger/verify-ledger.ts'
import { defaultPlan } from '../../src/money/merchants/terms.ts'
import { termsOf } from '../../src/money/payments/prepare-payment.ts'
import { settleDue } from '../../src/money/settlement/settle-due.ts'
import { formatAmount, parseRate, type Rate } from '../../src/platform/base/money.ts'
import { Refusal } from '../../src/platform/errors/catalogue.ts'
import { assertMoneySound, balancesOf, paidOrder } from '../builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../builders/payouts.ts'
import { aMerchant } from '../harness/merchant-frame.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

function rateOf(text: string): Rate {
  const rate = parseRate(text)
  assert.ok(rate)
  return rate
}

async function settle(): Promise<void> {
  const failed = (_merNo: number, error: unknown) => assert.fail(String(error))
  await settleDue({ db: setup.db, clock: setup.clock, failed }, new Date(Date.now() + 10 * 86_400_000))
}

test('75,000 dollars are settled in ether, folded and paid out', async () => {
  const merchant = aPayer({ currencies: new Map([['USD', 'ETH']]) })
  const { merNo } = merchant
  const rate = rateOf('0.0003125')
  for (const amount of [3_500_000n, 2_000_000n, 2_000_000n])
    await paidOrder(setup.db, { merNo, amount, rate, terms: { settleCurrency: 'ETH', settleRate: rate } })
  await settle()
  assert.equal(formatAmount(await setup.available(merNo, 'ETH'), 'ETH'), '23.437500000')
  while ((await foldBalances(setup.db, 100)) > 0);
  setup.setRate('USD', 'ETH', '0.0003125')
  const { tradeNo } = await setup.pay(merchant, aPayout({ sourceAmount: '74999.99' }))
  setup.pass(2_000)
  await setup.runWorker()
  assert.equal((await setup.stateOf(tradeNo))?.payout, 'succeeded')
  assert.equal(formatAmount(await setup.available(merNo, 'ETH'), 'ETH'), '0.000003125')
  await assertMoneySound(setup.db)
})

test('an amount beyond 64 bits is refused with its reason', () => {
  const feePlans = new Map([['' as const, defaultPlan]])
  const merchant = aMerchant({ feePlans, currencies: new Map([['USD', 'LBP']]) })
  const terms = (amount: bigint, rate: string) =>
    termsOf({ find: () => parseRate(rate) }, merchant, 'card', { amount, currency: 'USD' })
  assert.deepEqual(terms(99_999_999_999n, '89500').settleRate, parseRate('89500'))
  assert.throws(() => terms(99_999_999_999n, '100000000'), new Refusal('10014', tooLarge))
})

const tooLarge = 'the amount is too large to be booked in LBP at the current rate'

test('a success at a rate that would overflow uses the rate at acceptance', async () => {
  const merNo = 56_000_001
  const settleRate = rateOf('0.0003125')
  const rate = rateOf('312500000000')
  await paidOrder(setup.db, { merNo, amount: 2_000_000n, rate, terms: { settleCurrency: 'ETH', settleRate } })
  await settle()
  const { 'merchant:available ETH': available } = await balancesOf(setup.db, merNo)
  assert.equal(available, 6_250_000_000n)
  assert.deepEqual((await verifyLedger(setup.db)).differences, [])
})
