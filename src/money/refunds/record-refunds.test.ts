import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import {
  accept,
  anApplication,
  approve,
  dispute,
  dollarsOnly,
  failed,
  loseDispute,
  record,
  reject,
  settleNow,
  succeeded,
} from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { RefundOutcome } from '../../rails/contract/channel.ts'
import { openRefundBatches } from './batches.ts'
import { countOpenRefunds, findRefund, listWaiting, pageRefunds } from './find-refund.ts'
import { recordRefunds } from './record-refunds.ts'

let db: Db
useDatabase({
  before(database) {
    db = database.db
  },
})

let lastMerNo = 41_000_000
const newMerchant = () => ++lastMerNo

const withFee = { refundFee: '0.20' }

describe('a refund that succeeded', () => {
  it('is booked out to the channel, and the platform keeps the fee', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const refund = await accept(db, anApplication(payment, { amount: 400n, terms: withFee }))
    await record(db, succeeded(refund))
    assert.deepEqual(await balancesOf(db, merNo), {
      'merchant:unsettled USD': 580n,
      'platform:fees USD': 20n,
      'rail:card USD': -600n,
    })
    assert.equal(await stateOf(db, payment), 5)
  })

  it('in full leaves the order refunded', async () => {
    const payment = await paidOrder(db, { merNo: newMerchant() })
    const parts = [await accept(db, anApplication(payment, { amount: 400n }))]
    parts.push(await accept(db, anApplication(payment, { amount: 600n })))
    const states: number[] = []
    for (const part of parts) {
      await record(db, succeeded(part))
      states.push(await stateOf(db, payment))
    }
    assert.deepEqual(states, [10, 9])
  })

  it("notifies the refund's address, with amounts as decimals", async () => {
    const payment = await paidOrder(db, { merNo: newMerchant() })
    const refund = await accept(db, anApplication(payment, { amount: 400n }))
    await record(db, succeeded(refund))
    const { tradeNo, merOrderNo } = payment
    const { refundNo } = refund
    const fields = { tradeNo, merOrderNo, refundNo, state: 0, message: 'Refund succeeded' }
    assert.deepEqual(await notificationsOf(tradeNo), [
      {
        url: 'https://shop.example/refunded',
        fields: { ...fields, refundAmount: '4.00', refundCurrency: 'USD' },
      },
    ])
  })

  it('is recorded once, however often and on however many nodes it is reported', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const refund = await accept(db, anApplication(payment))
    const nodes = [1, 2].map(() => openRefundBatches({ db, rates: dollarsOnly }, 100, () => {}))
    const reports = Array.from({ length: 50 }, () => succeeded(refund))
    await Promise.all(nodes.flatMap(({ record }) => reports.map(record.submit)))
    assert.deepEqual(await balancesOf(db, merNo), {})
    assert.equal((await notificationsOf(payment.tradeNo)).length, 1)
  })
})

describe('a refund that failed', () => {
  it('gives back exactly what it took: amount, fee and margin', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo, terms: { marginBps: 777, feeBps: 290 } })
    const before = await balancesOf(db, merNo)
    const refund = await accept(db, anApplication(payment, { amount: 333n, terms: withFee }))
    await record(db, failed(refund))
    assert.deepEqual(await balancesOf(db, merNo), before)
    assert.equal(await stateOf(db, payment), 5)
    const [notification] = await notificationsOf(payment.tradeNo)
    assert.partialDeepStrictEqual(notification, { fields: { state: 1, message: 'The bank refused' } })
  })

  it('gives back to the available balance if the order was settled meanwhile, with no difference left', async () => {
    const rate = { digits: 7_777n, scale: 4 }
    const terms = { settleCurrency: 'USD', settleRate: rate, marginBps: 777 }
    const balances = await Promise.all(
      [false, true].map(async (refunds) => {
        const merNo = newMerchant()
        const payment = await paidOrder(db, { merNo, money: { amount: 997n, currency: 'EUR' }, rate, terms })
        const refund = refunds
          ? await accept(db, anApplication(payment, { amount: 333n, terms: withFee }))
          : undefined
        await settleNow(db, payment)
        if (refund !== undefined) await record(db, failed(refund))
        return balancesOf(db, merNo)
      }),
    )
    assert.deepEqual(balances[1], balances[0])
  })

  it('can be requested again, up to the whole payment', async () => {
    const payment = await paidOrder(db, { merNo: newMerchant() })
    await record(db, failed(await accept(db, anApplication(payment))))
    await record(db, succeeded(await accept(db, anApplication(payment))))
    assert.equal(await stateOf(db, payment), 9)
  })

  it('while others of the order succeed leaves exactly theirs, in any order of reports', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const parts = []
    for (const amount of [100n, 200n, 300n]) parts.push(await accept(db, anApplication(payment, { amount })))
    const [first, second, third] = parts
    assert.ok(first && second && third)
    await recordRefunds(db, [failed(second), succeeded(third), succeeded(first)])
    assert.deepEqual(await balancesOf(db, merNo), { 'merchant:unsettled USD': 600n, 'rail:card USD': -600n })
    assert.equal(await stateOf(db, payment), 5)
  })
})

describe('a refund under way when the order is charged back', () => {
  for (const [end, state] of [
    [succeeded, 17],
    [failed, 11],
  ] as const) {
    it(`finishes normally, and the order ends in state ${state}`, async () => {
      const payment = await paidOrder(db, { merNo: newMerchant() })
      const refund = await accept(db, anApplication(payment, { amount: 400n }))
      await dispute(db, payment)
      await loseDispute(db, payment)
      assert.equal(await stateOf(db, payment), 17)
      await record(db, end(refund))
      assert.equal(await stateOf(db, payment), state)
    })
  }
})

test('an outcome that contradicts an earlier one moves no money and raises an alarm', async () => {
  const merNo = newMerchant()
  const payment = await paidOrder(db, { merNo })
  const refund = await accept(db, anApplication(payment))
  await record(db, failed(refund))
  const before = await balancesOf(db, merNo)
  assert.match((await record(db, succeeded(refund))).alarm ?? '', /was failed/)
  assert.deepEqual(await balancesOf(db, merNo), before)
})

test('an open refund is queried after a second, then at growing intervals', async () => {
  const payment = await paidOrder(db, { merNo: newMerchant() })
  const refund = await accept(db, anApplication(payment))
  const waits = []
  const kinds: RefundOutcome[] = [
    { kind: 'unknown', why: 'time-out' },
    { kind: 'pending', channelRef: 're_1' },
    { kind: 'unknown', why: 'time-out' },
  ]
  for (const [index, outcome] of kinds.entries()) {
    await db.query({
      text: 'update refunds set asks = $2 where refund_no = $1',
      values: [refund.refundNo, index + 1],
    })
    await record(db, { ...succeeded(refund), outcome, asks: index + 1, at: refund.createdAt })
    // Another node has claimed the refund since this call, so the lease stays as it is.
    await record(db, { ...succeeded(refund), outcome, asks: index, at: new Date(0) })
    await record(db, { ...succeeded(refund), outcome, at: new Date(0) })
    const [row] = await db.query<{ state: string; ask_at: Date }>({
      text: 'select state, ask_at from refunds where refund_no = $1',
      values: [refund.refundNo],
    })
    assert.ok(row)
    waits.push([row.state, row.ask_at.getTime() - refund.createdAt.getTime()])
  }
  assert.deepEqual(waits, [
    ['unknown', 1000],
    ['pending', 2000],
    ['pending', 4000],
  ])
})

describe('an operator', () => {
  const waiting = async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const before = await balancesOf(db, merNo)
    const refund = await accept(db, anApplication(payment, { terms: { approveRefunds: true } }))
    return { merNo, payment, refund, before }
  }

  it('sees refunds that wait for approval, oldest first', async () => {
    const [one, other] = [await waiting(), await waiting()]
    const listed = (await listWaiting(db)).map(({ refundNo }) => refundNo)
    assert.deepEqual(listed.slice(-2), [one.refund.refundNo, other.refund.refundNo])
    assert.equal((await listWaiting(db, other.merNo)).length, 1)
  })

  it('hands the refund to the channel by approving it, once', async () => {
    const { merNo, refund } = await waiting()
    const { refundNo } = refund
    await approve(db, refundNo)
    assert.equal((await findRefund(db, { merNo, refundNo }))?.state, 'calling')
    await assert.rejects(approve(db, refundNo), /is calling/)
    await assert.rejects(reject(db, refundNo), /is calling/)
  })

  it('cannot approve it once the merchant is closed or its channel no longer refunds', async () => {
    const { refund } = await waiting()
    const { refundNo } = refund
    const closed = { findMerchant: async () => ({ state: 'closed' }) as const }
    await assert.rejects(approve(db, refundNo, closed), /cannot be approved: Merchant is not active/)
    const channels = { named: () => undefined }
    await assert.rejects(approve(db, refundNo, { channels }), /This method cannot be refunded/)
    await approve(db, refundNo)
  })

  it('gives the money back by rejecting it, with the reason for the merchant', async () => {
    const { merNo, payment, refund, before } = await waiting()
    await reject(db, refund.refundNo, 'the parcel was delivered')
    assert.deepEqual(await balancesOf(db, merNo), before)
    assert.equal(await stateOf(db, payment), 5)
    const [notification] = await notificationsOf(payment.tradeNo)
    const message = 'The refund was not approved: the parcel was delivered'
    assert.partialDeepStrictEqual(notification, { fields: { state: 1, message } })
    await assert.rejects(reject(db, refund.refundNo), /is failed/)
  })

  it('gets one result when approval and rejection come concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const { merNo, refund, before } = await waiting()
      const { refundNo } = refund
      const [yes, no] = await Promise.allSettled([approve(db, refundNo), reject(db, refundNo)])
      assert.notEqual(yes.status, no.status)
      const state = (await findRefund(db, { merNo, refundNo }))?.state
      assert.equal(state, yes.status === 'fulfilled' ? 'calling' : 'failed')
      if (no.status === 'fulfilled') assert.deepEqual(await balancesOf(db, merNo), before)
    }
  })

  it('gets a refusal for an unknown refund', async () => {
    for (const refundNo of ['nonsense', 'R1KZFEDTA40002NX0V7H8Y2MQ1PX'])
      await assert.rejects(approve(db, refundNo), /there is no refund/)
  })
})

test('a page has the refunds of one merchant, newest first, in one state or in any', async () => {
  const [merNo, other] = [newMerchant(), newMerchant()]
  const [own, others] = [await paidOrder(db, { merNo }), await paidOrder(db, { merNo: other })]
  const first = await accept(db, anApplication(own, { amount: 100n, at: new Date(Date.now() - 1_000) }))
  await record(db, succeeded(first))
  const second = await accept(db, anApplication(own, { amount: 200n }))
  await accept(db, anApplication(others, { amount: 300n }))
  const page = async (changes: Partial<Parameters<typeof pageRefunds>[1]> = {}) => {
    const wanted = { merNo, state: undefined, after: undefined, limit: 10, ...changes }
    return (await pageRefunds(db, wanted)).map(({ refundNo }) => refundNo)
  }
  assert.deepEqual(await page(), [second.refundNo, first.refundNo])
  assert.deepEqual(await page({ limit: 1 }), [second.refundNo])
  assert.deepEqual(await page({ after: second.refundNo }), [first.refundNo])
  assert.deepEqual(await page({ state: 'succeeded' }), [first.refundNo])
  const [newest, next] = await page({ merNo: undefined })
  assert.ok(newest !== undefined && newest > second.refundNo, 'the refund of the other merchant')
  assert.equal(next, second.refundNo)
  const older = await page({ merNo: undefined, after: second.refundNo, limit: 1_000 })
  assert.ok(older.includes(first.refundNo))
  assert.deepEqual(older, older.toSorted().toReversed())
  const done = await page({ merNo: undefined, state: 'succeeded' })
  assert.ok(done.includes(first.refundNo) && !done.includes(second.refundNo))
  assert.deepEqual((await findRefund(db, { merNo: other, refundNo: first.refundNo })) ?? [], [])
})

test('refunds that wait for a channel and refunds that wait for approval are counted', async () => {
  const before = await countOpenRefunds(db)
  const terms = { approveRefunds: true }
  const payment = await paidOrder(db, { merNo: newMerchant() })
  await record(db, succeeded(await accept(db, anApplication(payment, { amount: 100n }))))
  await accept(db, anApplication(payment, { amount: 100n }))
  const at = new Date('2020-01-01T00:00:00Z')
  await accept(db, anApplication(payment, { amount: 100n, terms, at }))
  await accept(db, anApplication(payment, { amount: 100n, terms }))
  const after = await countOpenRefunds(db)
  assert.deepEqual([after.open - before.open, after.waiting - before.waiting], [1, 2])
  assert.deepEqual(after.waitingSince, at)
})

test('every change of state has a history row', async () => {
  const rows = await db.query({
    text: `select r.refund_no from refunds r left join lateral (
        select count(*) as events, max(version) as version from refund_events e
        where e.mer_no = r.mer_no and e.refund_no = r.refund_no
      ) e on true
      where e.events <> r.version - 1 or coalesce(e.version, 1) <> r.version`,
  })
  assert.deepEqual(rows, [])
})

test('the books are sound', () => assertMoneySound(db))

function notificationsOf(tradeNo: string): Promise<{ url: string; fields: unknown }[]> {
  return db.query({
    text: `select url, fields from notifications where trade_no = $1 and event = 'refund'`,
    values: [tradeNo],
  })
}
