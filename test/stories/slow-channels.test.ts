// One channel never responds and another one does, in each of the loops that call channels.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { startDisputes } from '../../src/money/chargebacks/worker.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { startResolver } from '../../src/money/payments/worker.ts'
import { payoutJob, startPayoutWorker } from '../../src/money/payouts/worker.ts'
import { openRefundBatches } from '../../src/money/refunds/batches.ts'
import { refundJob, startRefundWorker } from '../../src/money/refunds/worker.ts'
import { rejectReview } from '../../src/money/reviews/decide-review.ts'
import { startReturns } from '../../src/money/reviews/worker.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import type { Repetition } from '../../src/platform/concurrency/repeat.ts'
import type { Channel, Disputes, Unknown } from '../../src/rails/contract/channel.ts'
import { registerPayoutRails } from '../../src/rails/routing/payout-routing.ts'
import { registerChannels } from '../../src/rails/routing/routing.ts'
import { anAttempt, aPayment } from '../builders/builders.ts'
import { noAlarms } from '../builders/no-alarms.ts'
import { paidOrder } from '../builders/paid-orders.ts'
import { openPayments } from '../builders/payments.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../builders/payouts.ts'
import { accept, anApplication, dollarsOnly } from '../builders/refunds.ts'
import { orderInReview } from '../builders/reviews.ts'
import { scriptedChannel } from '../counterparties/scripted-channel.ts'
import { eventually } from '../harness/eventually.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

const log = pino({ level: 'silent' })
const alarm = () => {}
const NAMES = ['dead', 'alive'] as const
type Name = (typeof NAMES)[number]
/** Records a call of the channel with this name. The call resolves with the answer, or never. */
type Call = <Answer>(name: Name, reference: string, answer: Answer) => Promise<Answer>
type Loop = {
  /** Adds a due row that needs the channel's response. */
  due(name: Name): Promise<void>
  start(call: Call): Repetition
}

const unknown: Unknown = { kind: 'unknown', why: 'no response in time' }
let lastMerNo = 45_000_000

function channelsBy(call: Call) {
  const made = NAMES.map(
    (name): Channel => ({
      ...scriptedChannel(name),
      ask: ({ reference }) => call(name, reference, unknown),
      refund: ({ refundReference }) => call(name, refundReference, unknown),
    }),
  )
  return registerChannels(made)
}

const past = () => new Date(systemClock.now().getTime() - 60_000)

const payments: Loop = {
  async due(name) {
    const createdAt = past()
    const attempt = anAttempt(createdAt, { channel: name, askAt: createdAt })
    await acceptPayments(setup.db, [aPayment({ createdAt, attempt })])
  },
  start: (call) =>
    startResolver({
      ...openPayments(setup.db, []).deps,
      channels: channelsBy(call),
      clock: systemClock,
      everyMs: 500,
    }),
}

const refundDeps = (call: Call) => ({
  db: setup.db,
  clock: systemClock,
  channels: channelsBy(call),
  refundBatches: openRefundBatches({ db: setup.db, rates: dollarsOnly }, 100, () => {}),
  log,
  alarm,
})

const refunds: Loop = {
  async due(name) {
    const merNo = ++lastMerNo
    const { refundNo } = await accept(
      setup.db,
      anApplication(await paidOrder(setup.db, { merNo }), { amount: 100n, at: past() }),
    )
    const text = 'update refunds set channel = $1 where mer_no = $2 and refund_no = $3'
    await setup.db.query({ text, values: [name, merNo, refundNo] })
  },
  start: (call) => startRefundWorker({ ...refundDeps(call), everyMs: 500 }),
}

const payoutDeps = (call: Call) => ({ ...setup.deps, clock: systemClock, rails: railsBy(call) })

function railsBy(call: Call) {
  return registerPayoutRails(
    NAMES.map((name) => ({
      ...setup.rail,
      name,
      ask: (reference: string) => call(name, reference, unknown),
    })),
  )
}

const payouts: Loop = {
  async due(name) {
    const merchant = aPayer()
    await setup.give(merchant.merNo, 100_000n)
    const rail = { ...setup.rail, name, send: async () => unknown }
    const { tradeNo } = await setup.pay(merchant, aPayout(), rail)
    const text = 'update payouts set ask_at = $1 where mer_no = $2 and trade_no = $3'
    await setup.db.query({ text, values: [past(), merchant.merNo, tradeNo] })
  },
  start: (call) => startPayoutWorker({ ...payoutDeps(call), everyMs: 500 }),
}

const reviews: Loop = {
  async due(name) {
    const createdAt = past()
    // The attempt is not due for the resolver, which runs beside this loop on the same database.
    const askAt = new Date(systemClock.now().getTime() + 600_000)
    const attempt = anAttempt(createdAt, { channel: name, askAt })
    const { tradeNo } = await orderInReview(setup.db, { merNo: ++lastMerNo, createdAt, attempt })
    await rejectReview({ db: setup.db, clock: systemClock }, tradeNo, { note: 'No', isReturned: false })
  },
  start: (call) =>
    startReturns({
      db: setup.db,
      clock: systemClock,
      channels: channelsBy(call),
      log,
      alarm,
      alarmsOf: () => noAlarms,
      everyMs: 1_000,
    }),
}

let readings = 0
const disputes: Loop = {
  // The worker reads the channels repeatedly, so nothing has to be due.
  async due() {},
  start(call) {
    const none: Disputes = { kind: 'listed', list: [] }
    const all = NAMES.map((name) => ({ name, disputes: () => call(name, `reading ${++readings}`, none) }))
    const findMerchant = async () => ({ feePlans: new Map(), chargebackUrl: '' })
    const deps = { db: setup.db, clock: systemClock, log, alarm, findMerchant }
    return startDisputes({ ...deps, channels: { all }, minuteMs: 1_000, everyMs: 5_000 })
  },
}

describe('a channel that never responds', { concurrency: true }, () => {
  const loops = { payments, refunds, payouts, reviews, disputes }
  for (const [name, loop] of Object.entries(loops))
    it(`delays no other channel's ${name}, and a stop does not wait for it forever`, async (t) => {
      const called: Record<Name, Set<string>> = { dead: new Set(), alive: new Set() }
      const call: Call = (name, reference, answer) => {
        called[name].add(reference)
        return name === 'dead' ? new Promise(() => {}) : Promise.resolve(answer)
      }
      await loop.due('dead')
      await loop.due('alive')
      const worker = loop.start(call)
      t.after(() => worker.stop())
      assert.ok(await eventually(() => called.dead.size === 1 && called.alive.size >= 1))
      await loop.due('alive')
      assert.ok(await eventually(() => called.alive.size >= 2))
      assert.equal(called.dead.size, 1)
    })
})

describe('a channel at its bound', () => {
  const noCall: Call = (_name, _reference, answer) => Promise.resolve(answer)
  const claim = () => {
    const now = systemClock.now()
    return { now, leaseUntil: new Date(now.getTime() + 60_000), limit: 50, busy: ['dead'] }
  }

  it('is left out of the claims of refunds and payouts', async () => {
    for (const loop of [refunds, payouts]) for (const name of NAMES) await loop.due(name)
    const dueRefunds = await refundJob(refundDeps(noCall)).claim(claim())
    const duePayouts = await payoutJob(payoutDeps(noCall)).claim(claim())
    assert.ok(dueRefunds.length > 0 && duePayouts.length > 0)
    assert.deepEqual([...new Set(dueRefunds.map(({ payment }) => payment.channel))], ['alive'])
    assert.deepEqual([...new Set(duePayouts.map(({ rail }) => rail))], ['alive'])
  })
})
