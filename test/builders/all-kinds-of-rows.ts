// A database with rows of every kind that the audit checks, in every state that matters, written by the gateway's own
// functions. The tests of the audit corrupt one of these rows at a time.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { addEvidence } from '../../src/money/chargebacks/add-evidence.ts'
import { openChargeback } from '../../src/money/chargebacks/open-chargeback.ts'
import { receiveDisputes } from '../../src/money/chargebacks/process-disputes.ts'
import { resolveChargeback } from '../../src/money/chargebacks/resolve-chargeback.ts'
import { correctBalance } from '../../src/money/decisions/correct-balance.ts'
import { foldBalances } from '../../src/money/ledger/balances.ts'
import type { FeePlan } from '../../src/money/merchants/terms.ts'
import { createIndexer } from '../../src/money/order-queries/search/index-orders.ts'
import { lostCalls } from '../../src/money/orders/compact-sql.ts'
import { foldTotals } from '../../src/money/orders/daily-totals.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { assignSuspense } from '../../src/money/payments/deposits/accept-suspense.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import {
  approveReview,
  askReview,
  type DecideDeps,
  rejectReview,
} from '../../src/money/reviews/decide-review.ts'
import { submitReview, uploadFile } from '../../src/money/reviews/submit-review.ts'
import { settleDue } from '../../src/money/settlement/settle-due.ts'
import { audited } from '../../src/platform/audit-log/write-entry.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { parseRate } from '../../src/platform/base/money.ts'
import { openVault } from '../../src/platform/base/secret.ts'
import { sweep } from '../../src/platform/postgres/sweep.ts'
import type { PayoutOutcome } from '../../src/rails/contract/payout-outcome.ts'
import type { PayoutRail } from '../../src/rails/contract/payout-rail.ts'
import { writeApprovals } from './approval-rows.ts'
import { writeBulkRefunds, writePayoutRuns } from './batch-rows.ts'
import { aDecline, aHosted, aPayment, aSuccess, noRates } from './builders.ts'
import { openCase, PRICE } from './deposits.ts'
import { writeLinks } from './link-rows.ts'
import { paidOrder } from './paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from './payouts.ts'
import { accept, anApplication, approve, failed, record, reject, succeeded } from './refunds.ts'
import { acceptedForReview, orderInReview } from './reviews.ts'
import { writeDeliveries, writeListed, writeRates, writeTokens } from './side-rows.ts'
import { statementsOf } from './statements.ts'

const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS)

const fees = { feeBps: 290, feeFixed: '0.30', refundFee: '0.20', chargebackFee: '15.00' }
const plan: FeePlan = { ...fees, marginBps: 500, marginDays: 180, settleDays: 1 }
const terms = { feeBps: 290, feeFixed: 30n, marginBps: 500 }
/** The merchant of these orders. */
const SHOP = 61_000_001

/** Opens a database and writes rows of every kind. The caller closes it. */
export async function openAllKinds(): Promise<TestPayouts> {
  const setup = await openPayouts()
  await writeDeliveries(setup)
  await writeRates(setup)
  await writePayments(setup)
  await writeListed(setup)
  await writeRefunds(setup)
  await writeChargebacks(setup)
  await writeReviews(setup)
  await writeMoneyWithoutOrder(setup)
  await writePayouts(setup)
  await writeCorrection(setup)
  await writeApprovals(setup)
  await writePayoutRuns(setup)
  await writeBulkRefunds(setup)
  await writeLinks(setup)
  await writeTokens(setup)
  await indexAll(setup)
  return setup
}

const paid = (setup: TestPayouts, wanted: Parameters<typeof paidOrder>[1] = {}) =>
  paidOrder(setup.db, {
    merNo: SHOP,
    amount: 10_000n,
    at: ago(1),
    ...wanted,
    terms: { ...terms, ...wanted?.terms },
  })

async function settle({ db }: TestPayouts, asOf: Date): Promise<void> {
  const failing = (_merNo: number, error: unknown) => assert.fail(String(error))
  await settleDue({ db, clock: systemClock, failed: failing }, asOf)
}

/** Payments that wait, failed or succeeded, before and after their settlement and the release of their margin. */
async function writePayments(setup: TestPayouts): Promise<void> {
  const { db } = setup
  await paid(setup, { at: ago(200) })
  await paid(setup, { at: ago(20) })
  await paid(setup, { at: ago(20), terms: { settleCurrency: 'EUR' }, rate: rateOf('0.913') })
  await settle(setup, new Date())
  for (const fold of [foldBalances, foldTotals]) await fold(db, 500)
  await sweep(db, lostCalls)
  await paid(setup)
  const at = ago(1)
  const [calling, declined, pending, hosted] = [
    aPayment({ merNo: SHOP, createdAt: at }),
    aPayment({ merNo: SHOP, createdAt: at }),
    aPayment({ merNo: SHOP, createdAt: at }),
    aHosted({ merNo: SHOP, createdAt: at }),
  ]
  await acceptPayments(db, [calling, declined, pending, hosted])
  const action = { kind: 'redirect', url: 'https://bank.example/' } as const
  const waits = { kind: 'pending', channelRef: 'channel-2', action } as const
  await recordOutcomes({ db, rates: noRates }, [
    { ...aDecline(declined), at },
    aSuccess(pending, { outcome: waits, at }),
  ])
  const twice = aPayment({ merNo: SHOP, createdAt: at, maxAttempts: 2 })
  await acceptPayments(db, [twice])
  await recordOutcomes({ db, rates: noRates }, [{ ...aDecline(twice), at }])
}

/** Refunds in every state. */
async function writeRefunds(setup: TestPayouts): Promise<void> {
  const { db } = setup
  const order = await paid(setup)
  const apply = (amount: bigint, wanted = {}) =>
    accept(db, anApplication(order, { amount, terms: { refundFee: '0.20', ...wanted } }))
  await apply(300n, { approveRefunds: true })
  const approved = await apply(310n, { approveRefunds: true })
  await approve(db, approved.refundNo)
  await reject(db, (await apply(320n, { approveRefunds: true })).refundNo)
  await apply(400n)
  await record(db, { ...succeeded(await apply(500n)) })
  await record(db, failed(await apply(600n)))
  const returned = await apply(700n)
  await record(db, succeeded(returned))
  const message = 'the account is closed'
  const money = { amount: 650n, currency: 'USD' }
  await record(db, { ...succeeded(returned), outcome: { kind: 'returned', message, money } })
  const full = await paid(setup)
  await record(db, succeeded(await accept(db, anApplication(full))))
}

/** Chargebacks in every state, and what channels reported about them. */
async function writeChargebacks(setup: TestPayouts): Promise<void> {
  const { db } = setup
  const findMerchant = async () => ({ feePlans: new Map([['' as const, plan]]), chargebackUrl: '' })
  const deps = { db, findMerchant }
  const wanted = { money: undefined, reason: '4853', at: new Date() }
  const open = await paid(setup)
  await openChargeback(deps, open.tradeNo, wanted)
  const file = { name: 'proof.txt', content: Buffer.from('Delivered') }
  const evidence = { tradeNo: open.tradeNo, note: 'Delivered', file, by: 'ann', at: new Date() }
  await addEvidence({ db, vault: setup.deps.vault }, evidence)
  for (const outcome of ['won', 'lost'] as const) {
    const { tradeNo } = await paid(setup)
    await openChargeback(deps, tradeNo, wanted)
    await resolveChargeback(deps, tradeNo, { outcome, at: new Date() })
  }
  const alarm = (_tradeNo: string, what: string) => assert.fail(what)
  const stages = [['inquiry'], ['inquiry', 'won'], ['open'], ['open', 'lost']] as const
  for (const [no, all] of stages.entries()) {
    const { tradeNo, money } = await paid(setup, { at: ago(no <= 1 ? 5 : 1) })
    const disputes = all.map((stage, at) => ({
      disputeRef: `dispute-${no}`,
      reference: attemptReference(tradeNo, 1),
      money,
      reason: '13',
      stage,
      at: new Date(ago(1).getTime() + at * 60_000),
    }))
    for (const dispute of disputes) {
      // Inquiries were applied days before the other reports.
      const clock = dispute.stage === 'inquiry' ? { now: () => ago(3) } : systemClock
      await receiveDisputes({ ...deps, clock, alarm }, 'card', [dispute], (_dispute, error) =>
        assert.fail(String(error)),
      )
    }
  }
}

/** Reviews in every state. */
async function writeReviews({ db }: TestPayouts): Promise<void> {
  const deps: DecideDeps = { db, clock: systemClock }
  const vault = openVault(randomBytes(32))
  const inReview = () => orderInReview(db, { merNo: SHOP })
  await acceptedForReview(db, { merNo: SHOP })
  await inReview()
  const submit = async ({ tradeNo }: NewPayment) => {
    const content = Buffer.from('%PDF-1.7 a statement')
    const { fileId } = await uploadFile({ ...deps, vault }, { merNo: SHOP, type: '.pdf', content })
    const files = [{ fileId, proves: 'payerIdentityDocument' as const }]
    await submitReview({ ...deps, vault }, { merNo: SHOP, tradeNo, info: { payerName: 'Payer' }, files })
  }
  /**
   * Returns the dependencies of an operator's decision. As in the back office, the decision adds a line to the audit
   * log.
   */
  const decided = (action: string, { tradeNo }: NewPayment) => {
    const actor = { kind: 'user', name: 'ann@operator.example' } as const
    const line = { merNo: SHOP, subject: tradeNo, at: new Date(), actor, action } as const
    return { ...deps, rates: noRates, db: audited(db, line) }
  }
  const ask = (order: NewPayment) => askReview(decided('review.ask', order), order.tradeNo, 'Which shipment?')
  await submit(await inReview())
  for (const isAnswered of [true, false]) {
    const asked = await inReview()
    await submit(asked)
    await ask(asked)
    if (isAnswered) await submit(asked)
  }
  const approved = await inReview()
  await submit(approved)
  await approveReview(decided('review.approve', approved), approved.tradeNo)
  for (const isReturned of [false, true]) {
    const rejected = await inReview()
    const rejection = { note: 'No such shipment', isReturned }
    await rejectReview(decided('review.reject', rejected), rejected.tradeNo, rejection)
  }
}

/** Deposits, and money in suspense in every state: late, short, in surplus, and of no known order. */
async function writeMoneyWithoutOrder({ db }: TestPayouts): Promise<void> {
  const { deps, imports, corrects, idOf } = statementsOf(() => db)
  const inTime = await openCase(db)
  await inTime.comes(PRICE - 100n)
  const exact = await openCase(db)
  await exact.comes(PRICE)
  await imports(`${attemptReference(exact.order.tradeNo, 1)} 50.00 EUR 2026-09-02`)
  const over = await openCase(db)
  await over.comes(PRICE + 700n)
  const lateCase = async (amount: bigint) => {
    const late = await openCase(db)
    await late.expires()
    await late.comes(amount)
    return late
  }
  await lateCase(PRICE - 1n)
  await (await lateCase(PRICE)).giveBack()
  await (await lateCase(PRICE + 300n)).accept()
  const short = await openCase(db)
  await short.comes(PRICE - 200n)
  await short.expires()
  const day = '2026-09-03'
  const report = await imports(`STRAY 30.00 EUR ${day}`, `GONE 20.00 EUR ${day}`, `FOR_SHOP 50.00 EUR ${day}`)
  const owner = await openCase(db)
  await owner.expires()
  await assignSuspense(deps(), await idOf('FOR SHOP'), owner.order.tradeNo)
  await corrects(report, `STRAY 30.00 EUR ${day}`, `FOR_SHOP 50.00 EUR ${day}`)
}

/** Payouts in every state, in their own and in another currency. */
async function writePayouts(setup: TestPayouts): Promise<void> {
  const feePlans = new Map([['payout' as const, { ...plan, marginBps: 0, feeBps: 100, feeFixed: '0.50' }]])
  const merchant = aPayer({ feePlans })
  const { merNo } = merchant
  await setup.give(merNo, 1_000_000n)
  setup.setRate('EUR', 'USD', '1.0837')
  const rail = (outcome: PayoutOutcome): PayoutRail => ({ ...setup.rail, send: async () => outcome })
  const report = (tradeNo: string, outcome: PayoutOutcome) =>
    setup.payoutBatches.record({ merNo, tradeNo, event: { kind: 'outcome', outcome }, at: setup.clock.now() })
  for (const currencyCode of ['USD', 'EUR']) {
    const money = { amount: 1_000n, currency: currencyCode }
    const done = rail({ kind: 'succeeded', money, railRef: 'p1' })
    const request = () => aPayout({ currencyCode })
    await setup.pay(merchant, request())
    await setup.pay(merchant, request(), done)
    await setup.pay(
      merchant,
      request(),
      rail({ kind: 'failed', cause: 'declined', message: 'No such account' }),
    )
    for (const amount of [1_000n, 900n]) {
      const { tradeNo } = await setup.pay(merchant, request(), done)
      setup.pass(1_000)
      const message = 'the account is closed'
      await report(tradeNo, { kind: 'returned', message, money: { ...money, amount } })
    }
  }
  await setup.pay(merchant, aPayout({ kind: 'checkout', account: '' }))
  const careful = { ...merchant, payoutApproval: 0n }
  await setup.pay(careful, aPayout())
  await setup.approve(careful, (await setup.pay(careful, aPayout())).tradeNo)
  await setup.reject((await setup.pay(careful, aPayout())).tradeNo, 'Not expected')
}

/** Indexes all orders for the search, as the worker does a while later. */
async function indexAll({ db }: TestPayouts): Promise<void> {
  const indexer = createIndexer(db)
  for (const now of [new Date(), new Date(Date.now() + DAY_MS)]) while (await indexer.step(now));
}

async function writeCorrection({ db, deps }: TestPayouts): Promise<void> {
  const money = { amount: 500n, currency: 'USD' }
  const moved = { merNo: 0, from: 'platform:fees', to: 'rail:card', money }
  const actor = { kind: 'user', name: 'ann@operator.example' } as const
  await correctBalance({ ...deps, db, secondPersonAbove: 500n }, { ...moved, actor, reason: 'A mistake' })
}

function rateOf(text: string) {
  const rate = parseRate(text)
  assert.ok(rate)
  return rate
}
