// Rows that a worker cannot process: each is reported and skipped, and all others are processed.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { processDisputes, readDisputes } from '../../src/money/chargebacks/process-disputes.ts'
import { AVAILABLE, UNSETTLED } from '../../src/money/ledger/account.ts'
import { postEntries } from '../../src/money/ledger/post-entries.ts'
import { readBalances } from '../../src/money/ledger/read-balances.ts'
import { addMilestones, dropWrongMilestones } from '../../src/money/order-queries/milestones.ts'
import { totalsOf } from '../../src/money/orders/daily-totals.ts'
import { createFolding } from '../../src/money/orders/fold-worker.ts'
import { attemptReference, State } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { closeExpired } from '../../src/money/payments/hosted/worker.ts'
import { openRefundBatches } from '../../src/money/refunds/batches.ts'
import { refundJob } from '../../src/money/refunds/worker.ts'
import { settleDue } from '../../src/money/settlement/settle-due.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { parseRate } from '../../src/platform/base/money.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import type { Channel } from '../../src/rails/contract/channel.ts'
import { registerChannels } from '../../src/rails/routing/routing.ts'
import { aHosted, aPayment } from '../builders/builders.ts'
import { balancesOf, paidOrder, stateOf } from '../builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../builders/payouts.ts'
import { accept, anApplication, dollarsOnly } from '../builders/refunds.ts'
import { scriptedChannel } from '../counterparties/scripted-channel.ts'
import { eventually } from '../harness/eventually.ts'
import { runOnce } from '../harness/run-job.ts'

const MOST = 2n ** 63n - 1n
const DAY_MS = 86_400_000

let setup: TestPayouts
let alarms: string[] = []
before(async () => {
  setup = await openPayouts()
})
beforeEach(() => {
  alarms = []
})
after(async () => {
  // The tests write sums without entries, which the final check of the books would report.
  await setup.db.query({ text: 'delete from balance_sums; delete from balance_deltas' })
  await setup.db.query({ text: 'alter table bookings disable trigger all; delete from bookings' })
  await setup.close()
})

const alarm = (subject: string, what: string) => void alarms.push(`${subject}: ${what}`)

/** Books the parts in one batch. */
function give(...parts: readonly (readonly [merNo: number, currency: string])[]): Promise<void> {
  const at = new Date()
  const entries = parts.map(([merNo, currency]) => {
    const subject = `${merNo} ${currency} ${Math.random()}`
    const money = { amount: 5n, currency }
    return { merNo, subject, step: 'given', debit: UNSETTLED, credit: AVAILABLE, money, at }
  })
  return setup.db.transaction((tx) => postEntries(tx, entries))
}

async function waiting(table: string, merNo: number): Promise<string[]> {
  const rows = await setup.db.query<{ currency: string }>({
    text: `select distinct currency from ${table} where $1 = any (mer_nos) order by currency`,
    values: [merNo],
  })
  return rows.map(({ currency }) => currency)
}

/**
 * Folds until nothing of this merchant waits. A round may meet another transaction's lock, and then leaves its work to
 * the next round.
 */
async function foldAll(fold: () => Promise<void>, table: string, merNo: number): Promise<void> {
  const isFolded = async () => {
    await fold()
    return (await waiting(table, merNo)).length === 0
  }
  assert.ok(await eventually(isFolded))
}

test('a balance that overflows stops only its own folding', async () => {
  const [bad, good] = [57_000_001, 57_000_002]
  await setup.db.query({
    text: `insert into balance_sums values ($1, 'rail:card', 'USD', $2, 0), ($1, $3, 'USD', 0, $2)`,
    values: [bad, MOST, AVAILABLE],
  })
  await give([good, 'USD'], [bad, 'USD'], [bad, 'EUR'])
  let nowMs = Date.now()
  const fold = createFolding({ db: setup.db, clock: { now: () => new Date(nowMs) }, alarm })
  await foldAll(fold, 'balance_deltas', good)
  const areOthersFolded = async () => {
    await fold()
    return !(await waiting('balance_deltas', bad)).includes('EUR')
  }
  assert.ok(await eventually(areOthersFolded))
  assert.deepEqual(await waiting('balance_deltas', bad), ['USD'])
  assert.match(alarms.join(), /^merchant 57000001: its balances in USD could not be folded: .*out of range/)
  await give([bad, 'USD'], [good, 'USD'])
  await fold()
  assert.deepEqual(
    { waiting: await waiting('balance_deltas', good), alarms: alarms.length },
    { waiting: [], alarms: 1 },
    'it is not tried again immediately',
  )
  nowMs += 11 * 60_000
  await fold()
  assert.equal(alarms.length, 2, 'nor forgotten')
  const balances = [...(await readBalances(setup.db, bad)), ...(await readBalances(setup.db, good))]
  const available = balances.map((one) => one.available)
  assert.deepEqual(available, [5n, MOST + 10n, 10n], 'nothing is lost or added twice')
})

test('a daily total that overflows stops only its own folding', async () => {
  const [bad, good] = [57_000_003, 57_000_004]
  const at = new Date('2026-11-02T12:00:00Z')
  await setup.db.query({
    text: `insert into order_totals values ($1, '2026-11-02', 5, 'USD', 'USD', false, 1, $2, 0)`,
    values: [bad, MOST],
  })
  const cell = { localDay: '2026-11-02', state: 5, currency: 'USD', settleCurrency: 'USD', settled: false }
  const steps = [bad, good].map((merNo) => {
    return { cell: { ...cell, merNo }, sign: 1n, sourceAmount: 7n, settleAmount: 0n, at } as const
  })
  for (const statement of totalsOf(steps)) await setup.db.query(statement)
  await foldAll(createFolding({ db: setup.db, clock: setup.clock, alarm }), 'order_total_deltas', good)
  assert.deepEqual(await waiting('order_total_deltas', bad), ['USD'])
  assert.match(alarms.join(), /merchant 57000003: its daily totals in USD/)
  const folded = await setup.db.query({
    text: 'select source_amount from order_totals where mer_no in ($1, $2) order by mer_no',
    values: [bad, good],
  })
  assert.deepEqual(folded, [{ source_amount: MOST }, { source_amount: 7n }])
})

test('an order that cannot be settled is reported, and the others are settled', async () => {
  const merNo = 57_000_005
  const rate = parseRate('2')
  assert.ok(rate)
  const terms = { settleCurrency: 'EUR', settleRate: rate }
  const orders = []
  for (let one = 0; one < 5; one++) orders.push(await paidOrder(setup.db, { merNo, rate, terms }))
  const bad = orders[2]?.tradeNo
  await setup.db.query({ text: 'update orders set settle_rate = 1e20 where trade_no = $1', values: [bad] })
  const failures: unknown[] = []
  const failed = (_merNo: number, _error: unknown, tradeNo?: string) => void failures.push(tradeNo)
  await settleDue({ db: setup.db, clock: setup.clock, failed }, new Date(Date.now() + 3 * DAY_MS))
  assert.deepEqual(failures, [bad])
  const { [`${AVAILABLE} EUR`]: available, [`${UNSETTLED} USD`]: unsettled } = await balancesOf(
    setup.db,
    merNo,
  )
  assert.deepEqual({ available, unsettled }, { available: 8_000n, unsettled: 1_000n })
})

test('an order on our page that cannot be closed is retried later, and the others are closed', async () => {
  const orders = Array.from({ length: 3 }, () => aHosted({ merNo: 57_000_006, createdAt: setup.clock.now() }))
  await acceptPayments(setup.db, orders)
  const [, bad] = orders
  assert.ok(bad)
  await setup.db.query({
    text: `
      create function refuse_row() returns trigger language plpgsql as $$ begin raise 'planted'; end $$;
      create trigger orders_planted before update on orders
      for each row when (old.trade_no = '${bad.tradeNo}') execute function refuse_row()`,
  })
  setup.pass(31 * 60_000)
  const deps = { db: setup.db, clock: setup.clock, log: setup.log, pokeDelivery: () => {}, alarm }
  assert.equal(await closeExpired(deps), 2)
  assert.equal(await closeExpired(deps), 0)
  const states = await Promise.all(orders.map((order) => stateOf(setup.db, order)))
  assert.deepEqual(states, [State.cancelled, State.processing, State.cancelled])
  assert.deepEqual(alarms, [`${bad.tradeNo}: its time is over, and it could not be ended: error: planted`])
  await setup.db.query({ text: 'drop trigger orders_planted on orders' })
  setup.pass(11 * 60_000)
  assert.equal(await closeExpired(deps), 1)
})

test('milestones of one merchant that cannot be written or checked do not delay others', async () => {
  const [bad, good] = [57_000_007, 57_000_008]
  const at = new Date('2026-02-01T00:00:00Z')
  for (const merNo of [bad, good])
    await acceptPayments(
      setup.db,
      Array.from({ length: 100 }, () => aPayment({ merNo, createdAt: at })),
    )
  await setup.db.query({
    text: `insert into order_milestones values ($1, $2, '2026-01-01', '')`,
    values: [bad, MOST],
  })
  const failures: bigint[] = []
  const failed = (merNo: bigint) => void failures.push(merNo)
  await addMilestones(setup.db, new Date('2026-02-02'), { failed })
  await dropWrongMilestones(setup.db, failed)
  assert.deepEqual(failures, [BigInt(bad), BigInt(bad)])
  const laid = await setup.db.query({
    text: 'select place from order_milestones where mer_no = $1',
    values: [good],
  })
  assert.deepEqual(laid, [{ place: 100n }])
})

test('a dispute that cannot be stored does not hide others in the same report', async () => {
  const order = await paidOrder(setup.db, { merNo: 57_000_009 })
  const reference = attemptReference(order.tradeNo, 1)
  const dispute = { reference, reason: '13', at: new Date() }
  const list = [
    { ...dispute, disputeRef: 'bad', money: { amount: 2n ** 70n, currency: 'USD' } },
    { ...dispute, disputeRef: 'good', money: order.money },
  ]
  const failures: string[] = []
  const failed = ({ disputeRef }: { disputeRef: string }) => void failures.push(disputeRef)
  const findMerchant = async () => ({ feePlans: new Map(), chargebackUrl: '' })
  const deps = { db: setup.db, clock: setup.clock, alarm, findMerchant }
  let asked = 0
  const channel = {
    name: 'planted',
    disputes: async () => ({ kind: 'listed', list: asked++ ? [] : list }) as const,
  }
  assert.equal(await readDisputes(deps, channel, failed), undefined)
  assert.equal(await processDisputes(deps, failed), 1)
  assert.deepEqual(
    { failures, state: await stateOf(setup.db, order) },
    { failures: ['bad'], state: State.disputed },
  )
})

test('a payout whose account cannot be decrypted is skipped, and the next one is sent', async () => {
  const payer = aPayer()
  await setup.give(payer.merNo, 100_00n)
  const silent = { ...setup.rail, send: async () => ({ kind: 'unknown', why: 'no answer' }) as const }
  const [bad, good] = [await setup.pay(payer, aPayout(), silent), await setup.pay(payer, aPayout(), silent)]
  await setup.db.query({
    text: `update payouts set sealed = '\\x00' where trade_no = $1`,
    values: [bad.tradeNo],
  })
  setup.pass(10_000)
  await setup.runWorker()
  setup.pass(10_000)
  await setup.runWorker()
  const states = await Promise.all([bad, good].map(({ tradeNo }) => setup.stateOf(tradeNo)))
  assert.deepEqual(
    states.map((one) => one?.payout),
    ['sending', 'succeeded'],
  )
})

test('a refund whose outcome cannot be written waits for its next call, and the other one is finished', async () => {
  const { db } = setup
  const [bad, good] = [58_000_001, 58_000_002]
  for (const merNo of [bad, good])
    await accept(db, anApplication(await paidOrder(db, { merNo }), { amount: 100n }))
  // The stored count of open refunds is wrong: the end of the refund would make it negative.
  await db.query({ text: 'update orders set refunds_open = 0 where mer_no = $1', values: [bad] })
  const refund: Channel['refund'] = async ({ refund: money }) => ({
    kind: 'succeeded',
    money,
    channelRef: 'r',
  })
  const deps = {
    db,
    clock: systemClock,
    channels: registerChannels([{ ...scriptedChannel('card'), refund }]),
    refundBatches: openRefundBatches({ db, rates: dollarsOnly }, 100, () => {}),
    log: pino({ level: 'silent' }),
    alarm,
  }
  await runOnce(refundJob(deps), systemClock.now())
  const text =
    'select mer_no, state, ask_at > now() as later from refunds where mer_no = any ($1) order by mer_no'
  assert.deepEqual(await db.query({ text, values: [[bad, good]] }), [
    { mer_no: BigInt(bad), state: 'calling', later: true },
    { mer_no: BigInt(good), state: 'succeeded', later: null },
  ])
})

test('no order and no dispute is reported in an outage: the round ends, and the next one does the work', async () => {
  const [dued, disputed] = [57_000_010, 57_000_011]
  await paidOrder(setup.db, { merNo: dued })
  const order = await paidOrder(setup.db, { merNo: disputed })
  const dispute = { reference: attemptReference(order.tradeNo, 1), reason: '13', at: new Date() }
  const list = [{ ...dispute, disputeRef: 'in an outage', money: order.money }]
  const findMerchant = async () => ({ feePlans: new Map(), chargebackUrl: '' })
  const deps = { db: setup.db, clock: setup.clock, alarm, findMerchant }
  let asked = 0
  const channel = {
    name: 'out',
    disputes: async () => ({ kind: 'listed', list: asked++ ? [] : list }) as const,
  }
  const failures: unknown[] = []
  assert.equal(await readDisputes(deps, channel, (one) => void failures.push(one)), undefined)
  const due = new Date(Date.now() + 30 * DAY_MS)
  const settle = (db: Db) =>
    settleDue({ db, clock: setup.clock, failed: (merNo) => void failures.push(merNo) }, due)
  const take = (db: Db) => processDisputes({ ...deps, db }, (one) => void failures.push(one))
  const readOnly: Db = {
    ...setup.db,
    transaction: (work, options) =>
      setup.db.transaction(async (tx) => {
        await tx.query({ text: 'set transaction read only' })
        return work(tx)
      }, options),
  }
  await assert.rejects(settle(readOnly), { code: '25006' })
  await assert.rejects(take(readOnly), { code: '25006' })
  assert.deepEqual(failures, [])
  assert.ok((await settle(setup.db)).sums.length > 0)
  assert.equal(await take(setup.db), 1)
})
