// Disputes pass through their stages as channels report them: repeated, out of order and at the same time.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { aPlan } from '../../../test/builders/payments.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openVault } from '../../platform/base/secret.ts'
import type { Dispute } from '../../rails/contract/channel.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { attemptReference } from '../orders/order.ts'
import { addEvidence } from './add-evidence.ts'
import {
  chargebacksOf,
  countOpenChargebacks,
  findChargeback,
  findDispute,
  listEvidence,
} from './find-chargeback.ts'
import { openChargeback } from './open-chargeback.ts'
import { processDisputes, readDisputes, receiveDisputes } from './process-disputes.ts'
import { resolveChargeback } from './resolve-chargeback.ts'

let alarms: string[] = []
const database = useDatabase({
  maxConnections: 20,
  after: ({ db }) => assertMoneySound(db),
})
beforeEach(() => {
  alarms = []
})

const deps = () => ({
  db: database.db,
  clock: { now: () => new Date() },
  findMerchant: async () => ({
    feePlans: new Map([['' as const, aPlan({ chargebackFee: '1.00' })]]),
    chargebackUrl: 'https://shop.example/disputes',
  }),
  alarm: (_tradeNo: string, what: string) => void alarms.push(what),
})

const fails = (_dispute: unknown, error: unknown) => assert.fail(String(error))

let lastMerNo = 49_000_000
let count = 0
const START_MS = Date.parse('2026-06-01T00:00:00Z')

type Reported = Partial<Dispute> & { readonly hour: number }

/** Makes an order, and functions that report a dispute about it. The time of a report is given in hours. */
async function disputed() {
  const merNo = ++lastMerNo
  const order = await paidOrder(database.db, { merNo })
  const disputeRef = `stage-${++count}`
  const dispute = ({ hour, ...changes }: Reported): Dispute => ({
    disputeRef,
    reference: attemptReference(order.tradeNo, 1),
    money: order.money,
    reason: '13',
    at: new Date(START_MS + hour * 3_600_000),
    ...changes,
  })
  const report = (...reports: Reported[]) => receiveDisputes(deps(), 'card', reports.map(dispute), fails)
  const unsettled = () => unsettledOf(merNo)
  const standing = async () => ({ state: await stateOf(database.db, order), unsettled: await unsettled() })
  return { merNo, order, dispute, report, unsettled, standing }
}

async function unsettledOf(merNo: number): Promise<bigint> {
  const balances = await balancesOf(database.db, merNo)
  return (balances['merchant:unsettled USD'] ?? 0n) + (balances['merchant:available USD'] ?? 0n)
}

async function notifiedCodes({ tradeNo }: NewPayment): Promise<string[]> {
  const rows = await database.db.query<{ code: string }>({
    text: `select fields ->> 'code' as code from notifications where trade_no = $1 and event = 'chargeback'
      order by notification_id`,
    values: [tradeNo],
  })
  return rows.map(({ code }) => code)
}

const statesOf = async ({ merNo, tradeNo }: NewPayment) =>
  (await chargebacksOf(database.db, merNo, tradeNo)).map(({ state }) => state)

test('an inquiry takes no money and keeps the order; its evidence counts for the chargeback that follows', async () => {
  const { merNo, order, report, standing } = await disputed()
  const respondBy = new Date(Date.now() + 5 * 86_400_000)
  await report({ hour: 1, stage: 'inquiry', respondBy })
  assert.deepEqual(await standing(), { state: 5, unsettled: 1000n })
  assert.equal(await findChargeback(database.db, merNo, order.tradeNo), undefined)
  const inquiry = await findDispute(database.db, merNo, order.tradeNo)
  assert.deepEqual(
    { state: inquiry?.state, answerBy: inquiry?.answerBy },
    { state: 'inquiry', answerBy: respondBy },
  )
  const evidence = { tradeNo: order.tradeNo, note: 'Delivered', file: undefined, by: 'shop', at: new Date() }
  await addEvidence({ db: database.db, vault: openVault(randomBytes(32)) }, evidence)
  assert.deepEqual(await notifiedCodes(order), [])

  await report({ hour: 2, stage: 'open' })
  assert.deepEqual(await standing(), { state: 12, unsettled: -100n })
  assert.deepEqual(await statesOf(order), ['closed', 'open'])
  const opened = await findDispute(database.db, merNo, order.tradeNo)
  assert.ok(opened)
  assert.equal((await listEvidence(database.db, opened)).length, 1)
  assert.deepEqual(await notifiedCodes(order), ['1'])
})

test('an inquiry may be in another currency than the order, a chargeback may not', async () => {
  const { order, report, standing } = await disputed()
  const before = await standing()
  const money = { amount: 900n, currency: 'EUR' }
  await report({ hour: 1, stage: 'inquiry', money }, { hour: 2, money })
  assert.deepEqual(await statesOf(order), ['inquiry'])
  assert.deepEqual(await standing(), before)
  assert.equal(alarms.length, 1)
})

test('an inquiry that ends well closes without a trace in the books', async () => {
  const { order, report, standing } = await disputed()
  await report({ hour: 1, stage: 'inquiry' }, { hour: 2, stage: 'won' })
  assert.deepEqual(await statesOf(order), ['closed'])
  assert.deepEqual(await standing(), { state: 5, unsettled: 1000n })
})

test('the channel decides: won gives the amount back and keeps the fee, a second chargeback takes it again', async () => {
  const { order, report, standing } = await disputed()
  await report({ hour: 1 })
  await report({ hour: 2, stage: 'won' })
  assert.deepEqual(await standing(), { state: 5, unsettled: 900n })
  await report({ hour: 3 })
  assert.deepEqual(await standing(), { state: 12, unsettled: -200n })
  await report({ hour: 4, stage: 'lost' })
  assert.deepEqual(await standing(), { state: 11, unsettled: -200n })
  assert.deepEqual(await statesOf(order), ['won', 'lost'])
  assert.deepEqual(await notifiedCodes(order), ['1', '2', '1', '3'])
  assert.deepEqual(alarms, [])
})

test('a question after a win is an inquiry again, and a loss after it takes the money', async () => {
  const { order, report, standing } = await disputed()
  await report({ hour: 1 }, { hour: 2, stage: 'won' }, { hour: 3, stage: 'inquiry' })
  assert.deepEqual(await statesOf(order), ['won', 'inquiry'])
  assert.deepEqual(await standing(), { state: 5, unsettled: 900n })
  await report({ hour: 4, stage: 'lost' })
  assert.deepEqual(await standing(), { state: 11, unsettled: -200n })
})

test('repeated and late reports change nothing twice, on however many nodes', async () => {
  const { order, report, unsettled, standing } = await disputed()
  const all: Reported[] = [
    { hour: 1, stage: 'inquiry' },
    { hour: 2, stage: 'open' },
    { hour: 3, stage: 'won' },
  ]
  for (const one of all) await report(one)
  const before = await unsettled()
  await Promise.all([...all, ...all].reverse().map((one) => report(one)))
  await report({ hour: 2.5, stage: 'open' })
  assert.deepEqual(await standing(), { state: 5, unsettled: before })
  assert.deepEqual(await notifiedCodes(order), ['1', '2'])
  assert.deepEqual(alarms, [])
})

test('stages that arrive at the same time in any order end in the last one, with the money moved once', async () => {
  const { order, report, standing } = await disputed()
  const all: Reported[] = [
    { hour: 3, stage: 'lost' },
    { hour: 2, stage: 'open' },
    { hour: 1, stage: 'inquiry' },
  ]
  await Promise.all([...all, ...all, ...all].map((one) => report(one)))
  await processDisputes(deps(), fails)
  assert.deepEqual(await standing(), { state: 11, unsettled: -100n })
  assert.deepEqual(await notifiedCodes(order), ['1', '3'])
})

test('a loss without an opening takes the money; a win without one moves none, and a late opening neither', async () => {
  const lost = await disputed()
  await lost.report({ hour: 2, stage: 'lost' }, { hour: 1, stage: 'open' })
  assert.deepEqual(await lost.standing(), { state: 11, unsettled: -100n })
  const won = await disputed()
  await won.report({ hour: 2, stage: 'won' }, { hour: 1, stage: 'open' })
  assert.deepEqual(await won.standing(), { state: 5, unsettled: 1000n })
  assert.deepEqual(alarms, [])
})

test("a later report of an open dispute moves its deadline; the channel's own day is taken", async () => {
  const { merNo, order, report } = await disputed()
  const days = (number: number) => new Date(START_MS + number * 86_400_000)
  await report({ hour: 1, respondBy: days(7) })
  assert.deepEqual((await findChargeback(database.db, merNo, order.tradeNo))?.answerBy, days(7))
  await report({ hour: 2, respondBy: days(9) })
  assert.deepEqual((await findChargeback(database.db, merNo, order.tradeNo))?.answerBy, days(9))
})

test('a later report of an inquiry moves its deadline, and a report without one keeps it', async () => {
  const { merNo, order, report } = await disputed()
  const days = (number: number) => new Date(START_MS + number * 86_400_000)
  const deadline = async () => (await findDispute(database.db, merNo, order.tradeNo))?.answerBy
  await report({ hour: 1, stage: 'inquiry', respondBy: days(7) })
  assert.deepEqual(await deadline(), days(7))
  await report({ hour: 2, stage: 'inquiry', respondBy: days(9) })
  assert.deepEqual(await deadline(), days(9))
  await report({ hour: 3, stage: 'inquiry' })
  assert.deepEqual(await deadline(), days(9))
})

test('open chargebacks are counted, with those due by a time and the next deadline', async () => {
  // The deadlines are earlier than those of all other tests, so that chargebacks of other tests are not counted as due.
  const day = (number: number) => new Date(Date.UTC(2020, 0, number))
  const { count: before } = await countOpenChargebacks(database.db, day(15))
  const [late, early, over] = [await disputed(), await disputed(), await disputed()]
  await late.report({ hour: 1, respondBy: day(20) })
  await early.report({ hour: 1, respondBy: day(10) })
  await over.report({ hour: 1, respondBy: day(5) }, { hour: 2, stage: 'won' })
  const { count, due, nextDue } = await countOpenChargebacks(database.db, day(15))
  assert.deepEqual({ count, due, nextDue }, { count: before + 2, due: 1, nextDue: day(10) })
})

test("an operator's chargeback is adopted and decided by the channel", async () => {
  const { order, report, standing } = await disputed()
  await openChargeback(deps(), order.tradeNo, { money: undefined, reason: '4853', at: new Date() })
  await report({ hour: 1, stage: 'won' })
  assert.deepEqual(await standing(), { state: 5, unsettled: 900n })
  assert.deepEqual(await statesOf(order), ['won'])
})

test('reports that come after an operator recorded the loss are about this chargeback', async () => {
  const { order, report, unsettled } = await disputed()
  await openChargeback(deps(), order.tradeNo, { money: undefined, reason: '4853', at: new Date() })
  await resolveChargeback(deps(), order.tradeNo, { outcome: 'lost', at: new Date() })
  const before = alarms.length
  const hour = Math.ceil((Date.now() - START_MS) / 3_600_000)
  await report({ hour: hour + 1 }, { hour: hour + 2 })
  assert.equal(alarms.length, before, 'the dispute is known')
  await report({ hour: hour + 3, stage: 'won' })
  assert.match(alarms.slice(before).join(), /^[^,]*it was lost here: correct the balance$/)
  assert.equal(await unsettled(), -100n)
  assert.deepEqual(await statesOf(order), ['lost'])
})

test('what contradicts the books raises an alarm and moves nothing', async () => {
  const { order, report, unsettled } = await disputed()
  await report({ hour: 1 })
  await resolveChargeback(deps(), order.tradeNo, { outcome: 'won', at: new Date() })
  await report({ hour: 2 })
  assert.equal(await unsettled(), 900n)
  const other = await disputed()
  await other.report({ hour: 1, stage: 'lost' }, { hour: 2, stage: 'won' })
  assert.equal(await other.unsettled(), -100n)
  assert.match(alarms[0] ?? '', /an operator recorded that it was won/)
  assert.match(alarms[1] ?? '', /it was lost here/)
})

test('the list is read from its own last dispute, whatever callbacks reported since', async () => {
  const [early, late] = [await disputed(), await disputed()]
  const listed = [early.dispute({ hour: 1 }), late.dispute({ hour: 100 })]
  const asked: Date[] = []
  const channel = {
    name: 'both-ways',
    async disputes(since: Date) {
      asked.push(since)
      return { kind: 'listed' as const, list: listed.filter(({ at }) => at >= since) }
    },
  }
  await receiveDisputes(deps(), 'both-ways', [late.dispute({ hour: 100 })], fails)
  await readDisputes(deps(), channel, fails)
  assert.equal(asked[0]?.getTime(), 0)
  await processDisputes(deps(), fails)
  assert.equal(await stateOf(database.db, early.order), 12)
  await readDisputes(deps(), channel, fails)
  assert.ok(asked.some((since) => since.getTime() === START_MS + 100 * 3_600_000 - 600_000))
})
