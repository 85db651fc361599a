// Refunds that succeeded and whose money came back.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  assertMoneySound,
  balancesOf,
  paidOrder,
  stateOf,
  stepsOf,
} from '../../../test/builders/paid-orders.ts'
import {
  accept,
  anApplication,
  dispute,
  dollarsOnly,
  failed,
  loseDispute,
  record,
  settleNow,
  succeeded,
} from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import type { Money } from '../../platform/base/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { verifyBooks } from '../audit/verify-books.ts'
import { listHeld } from '../suspense/book-suspense.ts'
import { openRefundBatches } from './batches.ts'
import { findRefund } from './find-refund.ts'
import type { RefundReport } from './record-refunds.ts'
import { type Refund, returnCostOf, stateCodes } from './refund.ts'

let db: Db
useDatabase({
  before(database) {
    db = database.db
  },
  after: () => assertMoneySound(db),
})

let lastMerNo = 48_000_000
const newMerchant = () => ++lastMerNo

const withFee = { refundFee: '0.20' }

function returned(refund: Refund, money: Money | undefined = refund.money): RefundReport {
  return { ...succeeded(refund), outcome: { kind: 'returned', message: 'the account is closed', money } }
}

async function notified(tradeNo: string): Promise<unknown[]> {
  const rows = await db.query<{ fields: { state: number } }>({
    text: `select fields from notifications where trade_no = $1 and event = 'refund' order by notification_id`,
    values: [tradeNo],
  })
  return rows.map(({ fields }) => fields.state)
}

describe('a refund that came back', () => {
  it('gives the amount back and keeps the fee; the order may be refunded again', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo, terms: { marginBps: 1000 } })
    const terms = { ...withFee, refundCredit: 100n }
    const refund = await accept(db, anApplication(payment, { terms }))
    await record(db, succeeded(refund))
    assert.equal(await stateOf(db, payment), 9)
    const { state, alarm } = await record(db, { ...returned(refund), at: new Date(Date.now() + 1) })
    assert.deepEqual(
      { state, alarm, payment: await stateOf(db, payment) },
      { state: 'returned', alarm: undefined, payment: 5 },
    )
    assert.deepEqual(await balancesOf(db, merNo), {
      'merchant:margin USD': 100n,
      'merchant:unsettled USD': 880n,
      'platform:fees USD': 20n,
      'rail:card USD': -1000n,
    })
    const found = await findRefund(db, { merNo, refundNo: refund.refundNo })
    assert.ok(found)
    assert.deepEqual(
      { state: stateCodes[found.state], message: found.message },
      { state: 5, message: 'The refund came back: the account is closed' },
    )
    assert.deepEqual(await notified(payment.tradeNo), [0, 1])
    await record(db, succeeded(await accept(db, anApplication(payment, { amount: 500n }))))
  })

  it('ends the same if the return is reported before the success', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const refund = await accept(db, anApplication(payment, { amount: 400n, terms: withFee }))
    await record(db, returned(refund))
    const { state, alarm } = await record(db, succeeded(refund))
    assert.deepEqual(
      { state, alarm, payment: await stateOf(db, payment) },
      { state: 'returned', alarm: undefined, payment: 5 },
    )
    assert.deepEqual(await balancesOf(db, merNo), {
      'merchant:unsettled USD': 980n,
      'platform:fees USD': 20n,
      'rail:card USD': -1000n,
    })
    assert.deepEqual(await notified(payment.tradeNo), [1])
  })

  it('gives its money back once, however often and in whatever order it is reported', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const refund = await accept(db, anApplication(payment))
    const nodes = [1, 2, 3].map(() => openRefundBatches({ db, rates: dollarsOnly }, 100, () => {}))
    const reports = nodes.flatMap(({ record: batch }) =>
      [returned(refund), succeeded(refund), returned(refund)].map((report) => batch.submit(report)),
    )
    const alarms = (await Promise.all(reports)).filter(({ alarm }) => alarm !== undefined)
    assert.deepEqual(alarms, [])
    const steps = await stepsOf(db, payment)
    assert.equal(steps.filter((step) => step === `refund-returned:${refund.refundNo}`).length, 1)
    assert.equal((await balancesOf(db, merNo))['merchant:unsettled USD'], 1000n)
  })

  it('of a settled order in another currency gives back exactly what it took', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, {
      merNo,
      money: { amount: 999n, currency: 'EUR' },
      terms: { settleCurrency: 'USD' },
      rate: { digits: 10_837n, scale: 4 },
    })
    await settleNow(db, payment)
    const before = await balancesOf(db, merNo)
    const parts = [333n, 333n, 333n].map((amount) => anApplication(payment, { amount }))
    const refunds: Refund[] = []
    for (const part of parts) refunds.push(await accept(db, part))
    for (const refund of refunds) await record(db, succeeded(refund))
    for (const refund of refunds) await record(db, returned(refund))
    assert.deepEqual(await balancesOf(db, merNo), before)
  })

  it('after a lost chargeback leaves the order charged back', async () => {
    const payment = await paidOrder(db, { merNo: newMerchant() })
    const refund = await accept(db, anApplication(payment, { amount: 400n }))
    await record(db, succeeded(refund))
    await dispute(db, payment)
    await loseDispute(db, payment)
    assert.equal(await stateOf(db, payment), 17)
    await record(db, returned(refund))
    assert.equal(await stateOf(db, payment), 11)
  })

  it('changes nothing if it had failed, and raises an alarm if it was never sent', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const declined = await accept(db, anApplication(payment, { amount: 400n }))
    await record(db, failed(declined))
    const waiting = await accept(
      db,
      anApplication(payment, { amount: 300n, terms: { approveRefunds: true } }),
    )
    const reports = [await record(db, returned(declined)), await record(db, returned(waiting))]
    assert.deepEqual(
      reports.map(({ state, alarm }) => [state, alarm]),
      [
        ['failed', undefined],
        ['waiting', 'the channel says returned of a refund that was not sent'],
      ],
    )
    assert.equal((await balancesOf(db, merNo))['merchant:unsettled USD'], 700n)
  })

  it('credits what arrived if it comes back short, and the rest is a cost of the order, with an alarm', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo, terms: { marginBps: 1000 } })
    const refund = await accept(db, anApplication(payment, { terms: { ...withFee, refundCredit: 100n } }))
    await record(db, succeeded(refund))
    const money = { ...refund.money, amount: 930n }
    const { alarm } = await record(db, returned(refund, money))
    assert.equal(alarm, '9.30 USD of 10.00 USD came back; the cost of the return is 0.70 USD')
    // The margin is as before the refund. The order bears the cost of the return, which the channel has kept.
    assert.deepEqual(await balancesOf(db, merNo), {
      'merchant:margin USD': 100n,
      'merchant:unsettled USD': 810n,
      'platform:fees USD': 20n,
      'rail:card USD': -930n,
    })
    const steps = (await stepsOf(db, payment)).filter((step) => step.startsWith('return-'))
    assert.deepEqual(steps, [`return-cost:${refund.refundNo}`, `return-kept:${refund.refundNo}`])
    const found = await findRefund(db, { merNo, refundNo: refund.refundNo })
    assert.ok(found)
    assert.deepEqual(returnCostOf(found), { amount: 70n, currency: 'USD' })
    const again = await record(db, returned(refund))
    assert.match(again.alarm ?? '', /came back before with 9\.30 USD.*nothing more was booked/)
    assert.equal((await balancesOf(db, merNo))['merchant:unsettled USD'], 810n)
  })

  it('credits a settled order at its own rate if it comes back short, whichever is reported first', async () => {
    for (const isFirst of [true, false]) {
      const merNo = newMerchant()
      const payment = await paidOrder(db, {
        merNo,
        money: { amount: 999n, currency: 'EUR' },
        terms: { settleCurrency: 'USD' },
        rate: { digits: 10_837n, scale: 4 },
      })
      await settleNow(db, payment)
      const refund = await accept(db, anApplication(payment, { amount: 600n }))
      if (!isFirst) await record(db, succeeded(refund))
      await record(db, returned(refund, { amount: 333n, currency: 'EUR' }))
      if (isFirst) await record(db, succeeded(refund))
      // 7.32 EUR of 9.99 EUR are left, worth 7.93 USD, rounded down.
      assert.equal((await balancesOf(db, merNo))['merchant:available USD'], 793n)
    }
  })

  it('holds a surplus and money in another currency in suspense, once', async () => {
    const cases = [
      { money: { amount: 1_100n, currency: 'USD' }, unsettled: 1_000n, held: 100n, why: 'surplus' },
      { money: { amount: 900n, currency: 'EUR' }, unsettled: 0n, held: 900n, why: 'unmatched' },
    ]
    for (const { money, unsettled, held, why } of cases) {
      const merNo = newMerchant()
      const payment = await paidOrder(db, { merNo })
      const refund = await accept(db, anApplication(payment))
      await record(db, succeeded(refund))
      for (const _again of [1, 2]) await record(db, returned(refund, money))
      const { 'merchant:unsettled USD': credited = 0n } = await balancesOf(db, merNo)
      assert.equal(credited, unsettled)
      const rows = await listHeld(db, merNo, 10)
      assert.deepEqual(
        rows.map((row) => [row.money, row.why]),
        [[{ amount: held, currency: money.currency }, why]],
      )
    }
  })

  it('raises an alarm for a further report that states other money, and only for that', async () => {
    const usd = (amount: bigint) => ({ amount, currency: 'USD' })
    const table = [
      [
        undefined,
        usd(975n),
        /before without an amount, and 10\.00 USD was credited; .* now reports 9\.75 USD/,
      ],
      [undefined, usd(1_000n), undefined],
      [usd(1_000n), usd(1_200n), /before with 10\.00 USD; the channel now reports 12\.00 USD/],
      [usd(1_200n), usd(1_200n), undefined],
      [usd(1_200n), usd(1_300n), /before with 12\.00 USD/],
    ] as const
    for (const [first, second, alarm] of table) {
      const payment = await paidOrder(db, { merNo: newMerchant() })
      const refund = await accept(db, anApplication(payment))
      const report = (money: Money | undefined) =>
        record(db, { ...returned(refund), outcome: { kind: 'returned', message: 'closed', money } })
      await report(first)
      const again = await report(second)
      if (alarm === undefined) assert.equal(again.alarm, undefined)
      else assert.match(again.alarm ?? 'none', alarm)
    }
  })

  it('that comes back short after a lost chargeback credits what arrived', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const refund = await accept(db, anApplication(payment, { amount: 400n }))
    await record(db, succeeded(refund))
    await dispute(db, payment)
    await loseDispute(db, payment)
    const before = await balancesOf(db, merNo)
    await record(db, returned(refund, { amount: 350n, currency: 'USD' }))
    const after = await balancesOf(db, merNo)
    const gained = (account: string) => (after[account] ?? 0n) - (before[account] ?? 0n)
    assert.equal(gained('merchant:unsettled USD') + gained('merchant:available USD'), 350n)
    assert.equal(await stateOf(db, payment), 11)
  })

  it('is named by the audit if another amount was credited than arrived', async () => {
    const payment = await paidOrder(db, { merNo: newMerchant() })
    const refund = await accept(db, anApplication(payment))
    await record(db, succeeded(refund))
    await record(db, returned(refund, { amount: 930n, currency: 'USD' }))
    const set = (amount: bigint) =>
      db.query({
        text: 'update refunds set returned_amount = $2 where refund_no = $1',
        values: [refund.refundNo, amount],
      })
    await set(900n)
    const { findings } = await verifyBooks({ db, clock: systemClock })
    assert.deepEqual(
      findings.map(
        ({ check, subject, expected }) => `${check} ${subject} ${expected.replace(/, at .*/, '')}`,
      ),
      [
        `order-exception-fees ${payment.tradeNo} 100`,
        `entry-cause ${payment.tradeNo} return-cost:${refund.refundNo}: 100 USD, merchant:unsettled or merchant:available to transit:return-costs`,
        `entry-cause ${payment.tradeNo} return-kept:${refund.refundNo}: 100 USD, transit:return-costs to rail:card`,
      ],
    )
    await set(930n)
  })
})
