// A channel that never answers, with more refunds due than the worker calls at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../test/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { paidOrder } from '../../test/paid-orders.ts'
import { accept, anApplication, dollarsOnly } from '../../test/refunds.ts'
import { scriptedChannel } from '../../test/scripted-channel.ts'
import { systemClock } from '../base/clock.ts'
import type { Channel, RefundOutcome } from '../channels/contract.ts'
import { registerChannels } from '../channels/registry.ts'
import { openRefundBatches } from './batches.ts'
import { startRefundWorker } from './worker.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

async function refundAt(channel: string, merNo: number): Promise<string> {
  const payment = await paidOrder(database.db, { merNo })
  const refund = await accept(database.db, anApplication(payment, { amount: 100n, at: new Date() }))
  await database.db.query({
    text: 'update refunds set channel = $1 where mer_no = $2 and refund_no = $3',
    values: [channel, merNo, refund.refundNo],
  })
  return refund.refundNo
}

/** Due for longer than all others. */
async function copy(refundNo: string, count: number): Promise<void> {
  await database.db.query({
    text: `
      insert into refunds (mer_no, refund_no, trade_no, mer_order_no, currency, amount, refund_fee, remark, notify_url,
        channel, attempt_no, paid_amount, state, message, created_at, ask_at)
      select mer_no, refund_no || copy, trade_no, mer_order_no, currency, amount, refund_fee, remark, notify_url,
        channel, attempt_no, paid_amount, state, message, created_at, ask_at - interval '1 hour'
      from refunds, generate_series(1, $2) as copy where refund_no = $1`,
    values: [refundNo, count],
  })
}

test('a channel that never answers takes its own slots only: refunds of the others go out', async (t) => {
  const silence = Promise.withResolvers<RefundOutcome>()
  const called: string[] = []
  const channelOf = (name: string, outcome: Promise<RefundOutcome>): Channel => ({
    ...scriptedChannel(name),
    refund() {
      called.push(name)
      return outcome
    },
  })
  const unknown: RefundOutcome = { kind: 'unknown', why: 'no answer in time' }
  await copy(await refundAt('dead', 44_000_001), 300)
  await refundAt('alive', 44_000_002)
  const worker = startRefundWorker({
    db: database.db,
    clock: systemClock,
    channels: registerChannels([
      channelOf('dead', silence.promise),
      channelOf('alive', Promise.resolve(unknown)),
    ]),
    refundBatches: openRefundBatches({ db: database.db, rates: dollarsOnly }, 1_000, () => {}),
    log: pino({ level: 'silent' }),
    alarm: () => {},
  })
  t.after(() => {
    silence.resolve(unknown)
    return worker.stop()
  })
  assert.ok(await eventually(() => called.includes('alive')), 'the other channel was called')
  const atDead = called.filter((name) => name === 'dead').length
  assert.ok(atDead >= 100 && atDead < 150, `${atDead} calls at the dead channel`)
})
