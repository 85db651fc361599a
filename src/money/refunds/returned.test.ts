// Refunds that succeeded and whose money came back.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { assertMoneySound, balancesOf, paidOrder, stateOf, stepsOf } from '../../test/paid-orders.ts'
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
} from '../../test/refunds.ts'
import type { Db } from '../postgres/db.ts'
import { openRefundBatches } from './batches.ts'
import { findRefund } from './find-refund.ts'
import type { RefundReport } from './record-refunds.ts'
import { type Refund, stateCodes } from './refund.ts'

let database: TestDatabase
let db: Db
before(async () => {
  database = await cloneDatabase()
  db = database.db
})
after(async () => {
  await assertMoneySound(db)
  await database.drop()
})

let lastMerNo = 48_000_000
const newMerchant = () => ++lastMerNo

const withFee = { refundFee: '0.20' }

function returned(refund: Refund): RefundReport {
  return { ...succeeded(refund), outcome: { kind: 'returned', message: 'the account is closed' } }
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
    assert.deepEqual([state, alarm, await stateOf(db, payment)], ['returned', undefined, 5])
    assert.deepEqual(await balancesOf(db, merNo), {
      'merchant:margin USD': 100n,
      'merchant:unsettled USD': 880n,
      'platform:fees USD': 20n,
      'rail:card USD': -1000n,
    })
    const found = await findRefund(db, { merNo, refundNo: refund.refundNo })
    assert.ok(found)
    assert.deepEqual(
      [stateCodes[found.state], found.message],
      [5, 'The refund came back: the account is closed'],
    )
    assert.deepEqual(await notified(payment.tradeNo), [0, 1])
    await record(db, succeeded(await accept(db, anApplication(payment, { amount: 500n }))))
  })

  it('ends the same if the return is reported before the success', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const refund = await accept(db, anApplication(payment, { amount: 400n, terms: withFee }))
    await record(db, returned(refund))
    const late = await record(db, succeeded(refund))
    assert.deepEqual([late.state, late.alarm, await stateOf(db, payment)], ['returned', undefined, 5])
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
})
