import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Channel, Dispute } from '../../rails/contract/channel.ts'
import { explainOrder } from '../order-queries/explain-order.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { attemptReference } from '../orders/order.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { storeDisputes, toReported } from './dispute-sql.ts'
import { findChargeback, listChargebacks } from './find-chargeback.ts'
import { openChargeback } from './open-chargeback.ts'
import { processDisputes, readDisputes } from './process-disputes.ts'
import { resolveChargeback } from './resolve-chargeback.ts'

/** The number of a merchant that does not exist. */
const NOBODY = 44_999_999

let alarms: string[] = []
const database = useDatabase({ maxConnections: 20 })
beforeEach(() => {
  alarms = []
})

const deps = () => ({
  db: database.db,
  clock: { now: () => new Date() },
  findMerchant: async (merNo: number) =>
    merNo === NOBODY ? undefined : { feePlans: new Map(), chargebackUrl: '' },
  alarm: (_tradeNo: string, what: string) => alarms.push(what),
})

const fails = (_dispute: unknown, error: unknown) => assert.fail(String(error))

let count = 0

function disputeOf({ tradeNo, money }: NewPayment, changes: Partial<Dispute> = {}): Dispute {
  const disputeRef = `dispute-${++count}`
  return {
    disputeRef,
    reference: attemptReference(tradeNo, 1),
    money,
    reason: '13',
    at: new Date(),
    ...changes,
  }
}

type DisputeChannel = Pick<Channel, 'name' | 'disputes'> & { readonly askedSince: Date[] }

/** Makes a channel with at most two disputes per response. Real channels have some hundreds. */
function channelOf(name: string, all: readonly Dispute[]): DisputeChannel {
  const askedSince: Date[] = []
  return {
    name,
    askedSince,
    async disputes(since) {
      askedSince.push(since)
      return { kind: 'listed', list: all.filter(({ at }) => at >= since).slice(0, 2) }
    },
  }
}

async function readAndProcess(channel: DisputeChannel): Promise<number> {
  assert.equal(await readDisputes(deps(), channel, fails), undefined)
  return processDisputes(deps(), fails)
}

test('a dispute opens one chargeback, however often and on however many nodes it is reported', async () => {
  const order = await paidOrder(database.db, { merNo: 44_000_001 })
  const channel = channelOf('once', [disputeOf(order)])
  const opened = await Promise.all(Array.from({ length: 20 }, () => readAndProcess(channel)))
  assert.equal(
    opened.reduce((sum, one) => sum + one),
    1,
  )
  assert.equal(await readAndProcess(channel), 0)
  assert.equal(await stateOf(database.db, order), 12)
  assert.equal((await findChargeback(database.db, order.merNo, order.tradeNo))?.reason, '13')
  await resolveChargeback(deps(), order.tradeNo, { outcome: 'won', at: new Date() })
  assert.equal(await readAndProcess(channel), 0)
  assert.equal(await stateOf(database.db, order), 5)
  assert.deepEqual(alarms, [])
})

test('all pages are read, and the next read continues where the last one ended', async () => {
  const start = Date.parse('2026-05-01T00:00:00Z')
  const orders = await Promise.all(
    Array.from({ length: 5 }, () => paidOrder(database.db, { merNo: 44_000_002 })),
  )
  const disputes = orders.map((order, at) => disputeOf(order, { at: new Date(start + at * 3_600_000) }))
  const channel = channelOf('pages', disputes)
  assert.equal(await readAndProcess(channel), 5)
  assert.equal(channel.askedSince[0]?.getTime(), 0)
  const again = channelOf('pages', disputes)
  await readAndProcess(again)
  assert.equal(again.askedSince[0]?.getTime(), start + 4 * 3_600_000 - 600_000)
})

test('all stored disputes are processed in one round, however many wait', async () => {
  const order = await paidOrder(database.db, { merNo: 44_000_021 })
  const at = new Date(Date.now() - 60_000)
  const refused = Array.from({ length: 100 }, () => disputeOf(order, { reference: 'nobody knows', at }))
  await storeDisputes(
    database.db,
    [...refused, disputeOf(order)].map((dispute) => toReported('many', dispute)),
    { from: 'list', at: new Date() },
  )
  assert.equal(await processDisputes(deps(), fails), 1)
  assert.equal(await stateOf(database.db, order), 12)
  assert.equal(alarms.length, 100)
})

test('a stored dispute with a time yet to come does not hide others', async () => {
  const [early, late] = [
    await paidOrder(database.db, { merNo: 44_000_020 }),
    await paidOrder(database.db, { merNo: 44_000_020 }),
  ]
  const ahead = (ms: number) => new Date(Date.now() + ms)
  const stored = [ahead(-7_200_000), ahead(3_600_000)].map((at) => disputeOf(early, { at }))
  await storeDisputes(
    database.db,
    stored.map((dispute) => toReported('ahead', dispute)),
    { from: 'list', at: new Date() },
  )
  const channel = channelOf('ahead', [disputeOf(late, { at: ahead(-3_600_000) })])
  await readAndProcess(channel)
  assert.equal(channel.askedSince[0]?.getTime(), (stored[0]?.at.getTime() ?? 0) - 600_000)
  assert.equal(await stateOf(database.db, late), 12)
})

test('a dispute of a payment that is not recorded yet waits for it', async () => {
  const payment = aPayment({ merNo: 44_000_003 })
  await acceptPayments(database.db, [payment])
  const channel = channelOf('early', [disputeOf(payment)])
  assert.equal(await readAndProcess(channel), 0)
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(payment)])
  assert.equal(await readAndProcess(channel), 1)
  assert.equal(await stateOf(database.db, payment), 12)
})

test('a chargeback that an operator opened before the channel reported it is not opened again, even when resolved', async () => {
  const order = await paidOrder(database.db, { merNo: 44_000_004 })
  const reportedAt = new Date()
  await openChargeback(deps(), order.tradeNo, { money: undefined, reason: '4853', at: new Date() })
  await resolveChargeback(deps(), order.tradeNo, { outcome: 'won', at: new Date() })
  const before = await balancesOf(database.db, order.merNo)
  assert.equal(await readAndProcess(channelOf('late', [disputeOf(order, { at: reportedAt })])), 0)
  assert.deepEqual(await balancesOf(database.db, order.merNo), before)
  const later = disputeOf(order, { at: new Date(Date.now() + 1_000) })
  assert.equal(await readAndProcess(channelOf('late', [later])), 1)
})

test("an operator's chargeback over the same amount is the channel's dispute", async () => {
  const order = await paidOrder(database.db, { merNo: 44_000_007 })
  const money = { amount: 300n, currency: 'USD' }
  await openChargeback(deps(), order.tradeNo, { money, reason: '4853', at: new Date() })
  const before = await balancesOf(database.db, order.merNo)
  const dispute = disputeOf(order, { money })
  assert.equal(await readAndProcess(channelOf('same', [dispute])), 0)
  assert.deepEqual(await balancesOf(database.db, order.merNo), before)
  const found = await findChargeback(database.db, order.merNo, order.tradeNo)
  assert.deepEqual({ disputeRef: found?.disputeRef, alarms }, { disputeRef: dispute.disputeRef, alarms: [] })
  const listed = (await listChargebacks(database.db)).find(({ tradeNo }) => tradeNo === order.tradeNo)
  assert.equal(listed?.disputed, undefined)
})

test("an operator's chargeback over another amount is not changed, and raises one alarm", async () => {
  const order = await paidOrder(database.db, { merNo: 44_000_008 })
  const money = { amount: 300n, currency: 'USD' }
  await openChargeback(deps(), order.tradeNo, { money, reason: '4853', at: new Date() })
  const before = await balancesOf(database.db, order.merNo)
  const dispute = disputeOf(order)
  const channel = channelOf('other', [dispute])
  for (const _ of [1, 2]) assert.equal(await readAndProcess(channel), 0)
  assert.deepEqual(await balancesOf(database.db, order.merNo), before)
  assert.equal(alarms.length, 1)
  assert.match(alarms[0] ?? '', /disputes 10\.00 USD, an operator charged back 3\.00 USD/)
  const found = await findChargeback(database.db, order.merNo, order.tradeNo)
  assert.deepEqual(
    { disputeRef: found?.disputeRef, amount: found?.money.amount, state: found?.state },
    { disputeRef: undefined, amount: 300n, state: 'open' },
  )
  const listed = (await listChargebacks(database.db)).find(({ tradeNo }) => tradeNo === order.tradeNo)
  assert.deepEqual(listed?.disputed, order.money)
  const { disputes } = (await explainOrder(database.db, order.tradeNo)) ?? {}
  assert.deepEqual(
    disputes?.map(({ amount, result }) => [amount, result.slice(0, 13)]),
    [['10.00', 'differs from ']],
  )
  // The channel reports the end of the dispute a day after the operator has resolved the chargeback.
  await resolveChargeback(deps(), order.tradeNo, { outcome: 'won', at: new Date() })
  await database.db.query({
    text: `update channel_disputes set taken_at = taken_at - interval '1 day', stored_at = stored_at - interval '1 day'
      where dispute_ref = $1`,
    values: [dispute.disputeRef],
  })
  const won = { ...dispute, stage: 'won', at: new Date(Date.now() + 60_000) } as const
  assert.equal(await readAndProcess(channelOf('other', [won])), 0)
  await assertMoneySound(database.db, ['dispute-applied'])
})

test('a dispute without a matching payment moves no money, and raises one alarm', async () => {
  const order = await paidOrder(database.db, { merNo: 44_000_005 })
  const failed = aPayment({ merNo: 44_000_005 })
  await acceptPayments(database.db, [failed])
  const outcome = { kind: 'failed', cause: 'declined', message: 'Declined' } as const
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(failed, { outcome })])
  const before = await balancesOf(database.db, order.merNo)
  const at = (minute: number) => new Date(Date.now() + minute * 60_000)
  const channel = channelOf('wrong', [
    disputeOf(order, { reference: 'nobody knows', at: at(0) }),
    disputeOf(order, { reference: attemptReference(order.tradeNo, 2), at: at(1) }),
    disputeOf(order, { money: { amount: 1_001n, currency: 'USD' }, at: at(2) }),
    disputeOf(order, { money: { amount: 1_000n, currency: 'EUR' }, at: at(3) }),
    disputeOf(failed, { at: at(4) }),
    disputeOf(aPayment({ merNo: NOBODY }), { at: at(5) }),
  ])
  assert.equal(await readAndProcess(channel), 0)
  assert.equal(await readAndProcess(channel), 0)
  assert.deepEqual(await balancesOf(database.db, order.merNo), before)
  assert.equal(alarms.length, 6)
  assert.match(
    alarms.join('\n'),
    /no payment of ours.*another attempt.*no more.*paid in USD.*state 6.*no payment of ours/s,
  )
})

test('an unknown reason counts as "other", and a channel that does not answer is asked again', async () => {
  const order = await paidOrder(database.db, { merNo: 44_000_006 })
  const silent = {
    name: 'odd',
    disputes: async () => ({ kind: 'unknown', why: 'no response in time' }) as const,
  }
  assert.equal(await readDisputes(deps(), silent, fails), 'no response in time')
  assert.equal(await readAndProcess(channelOf('odd', [disputeOf(order, { reason: 'X1' })])), 1)
  assert.equal((await findChargeback(database.db, order.merNo, order.tradeNo))?.reason, '0000')
})

test('leaves the books sound', () => assertMoneySound(database.db))
