// The worker with the real card channel and the sandbox's issuer. The tests break the connection between them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { openCardBook } from '../../../sandbox/card-book.ts'
import { type CardIssuer, createCardIssuer } from '../../../sandbox/card-issuer.ts'
import { noAlarms } from '../../../test/builders/no-alarms.ts'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { accept, anApplication, dollarsOnly, settleNow } from '../../../test/builders/refunds.ts'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { inProcessTransport } from '../../../test/harness/in-process-transport.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { runOnce } from '../../../test/harness/run-job.ts'
import type { Channel } from '../../rails/contract/channel.ts'
import { createCardChannel } from '../../rails/protocols/bridge/card/card-channel.ts'
import { registerChannels } from '../../rails/routing/routing.ts'
import type { IssuerTransport, Reply } from '../../rails/toolkit/transport.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { attemptReference } from '../orders/order.ts'
import { openRefundBatches } from './batches.ts'
import { findRefund } from './find-refund.ts'
import { type Refund, type RefundState, refundReference } from './refund.ts'
import { type RefundWorkerDeps, refundJob, startRefundWorker } from './worker.ts'

let folder: string
let issuer: CardIssuer
let calls: string[]
let time: number
const alarms: string[] = []
const clock = { now: () => new Date(time) }
const bookFile = () => join(folder, 'issuer.sqlite')

const database = useDatabase({
  before() {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-refunds-'))
    const acsUrl = () => 'http://127.0.0.1:1/acs'
    issuer = createCardIssuer({ bookFile: bookFile(), clock, minuteMs: 60_000, acsUrl })
  },
  after() {
    issuer.close()
    rmSync(folder, { recursive: true })
  },
})
beforeEach(() => {
  time = Date.now()
  calls = []
})
afterEach(() => assertMoneySound(database.db))

let lastMerNo = 43_000_000

type Line = (deliver: () => Promise<Reply>, operation: string) => Promise<Reply>

/** Makes a worker with its own memory, like a separate process. */
function newWorker(line: Line = (deliver) => deliver()): RefundWorkerDeps {
  const { db } = database
  const inside = inProcessTransport(issuer)
  const transport: IssuerTransport = (operation, body, signal) => {
    calls.push(`${operation} ${body.refundReference}`)
    return line(() => inside(operation, body, signal), operation)
  }
  return {
    db,
    clock,
    channels: registerChannels([createCardChannel({ transport, timeoutMs: 1_000, alarms: noAlarms, clock })]),
    refundBatches: openRefundBatches({ db, rates: dollarsOnly }, 100, () => {}),
    log: pino({ level: 'silent' }),
    alarm: (_tradeNo, what) => alarms.push(what),
  }
}

function callDue(worker: RefundWorkerDeps): Promise<number> {
  return runOnce(refundJob(worker), clock.now())
}

/**
 * Makes an order that is paid both at the issuer and in our books, and accepts a refund of it. The refund is not sent
 * yet.
 */
async function accepted(amount = 400n, wanted: Parameters<typeof paidOrder>[1] = {}) {
  const payment = await paidOrder(database.db, { merNo: ++lastMerNo, ...wanted })
  await charge(payment)
  const before = await balancesOf(database.db, payment.merNo)
  const application = anApplication(payment, { amount, at: clock.now(), terms: { refundFee: '0.10' } })
  return { payment, before, refund: await accept(database.db, application) }
}

async function charge({ tradeNo, money }: NewPayment): Promise<void> {
  const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' }
  const sums = { amount: money.amount.toString(), currency: money.currency }
  const body = {
    merchantReference: attemptReference(tradeNo, 1),
    ...sums,
    card,
    notificationUrl: 'http://a.example',
  }
  assert.equal((await issuer.handle({ operation: 'authorise', body }))?.status, 200)
}

async function stateNow({ merNo, refundNo }: Refund): Promise<RefundState | undefined> {
  return (await findRefund(database.db, { merNo, refundNo }))?.state
}

function refundsAtIssuer({ tradeNo }: Refund): number {
  const book = openCardBook(bookFile())
  const count = book.refundsOf(attemptReference(tradeNo, 1)).length
  book.close()
  return count
}

test('a claim that another one has followed calls nobody, and leaves the lease of the other as it is', async () => {
  const { refund } = await accepted()
  const [late] = await refundJob(newWorker()).claim({ ...claimOf(1_000), busy: [] })
  assert.ok(late)
  time += 1_001
  const [next] = await refundJob(newWorker()).claim({ ...claimOf(30_000), busy: [] })
  assert.equal(next?.refundNo, refund.refundNo)
  await refundJob(newWorker()).run(late, new AbortController().signal)
  assert.deepEqual(calls, [])
  time += 29_000
  assert.equal(await callDue(newWorker()), 0)
  await refundJob(newWorker()).run(next, new AbortController().signal)
  assert.equal(calls.length, 1)
  assert.equal(await stateNow(refund), 'pending')
})

test('a claim renews the lease of its own refund alone', async () => {
  const { payment, refund } = await accepted()
  const another = await accept(database.db, anApplication(payment, { amount: 200n, at: clock.now() }))
  const claimed = await refundJob(newWorker()).claim({ ...claimOf(5_000), limit: 2, busy: [] })
  const own = claimed.find(({ refundNo }) => refundNo === refund.refundNo)
  assert.ok(own && claimed.length === 2)
  time += 4_000
  await refundJob(newWorker()).run(own, new AbortController().signal)
  time += 1_001
  await callDue(newWorker())
  assert.equal(await stateNow(another), 'pending', 'its lease ended as before')
  // The worker calls the channel once more for both refunds, so that their next calls are not due in later tests.
  time += 60_000
  await callDue(newWorker())
})

test('a claim that was renewed for longer than its lease calls nobody', async () => {
  const { db } = database
  const { refund } = await accepted()
  const [claimed] = await refundJob(newWorker()).claim({ ...claimOf(5_000), busy: [] })
  assert.ok(claimed)
  let running: Promise<void> | undefined
  await db.transaction(async (tx) => {
    await tx.query({ text: 'select from refunds where refund_no = $1 for update', values: [refund.refundNo] })
    running = refundJob(newWorker()).run(claimed, new AbortController().signal)
    await waitUntilSomebodyWaits(db, 'greatest(ask_at')
    time += 20_000
  })
  await running
  assert.deepEqual(calls, [])
  assert.equal(await callDue(newWorker()), 1)
  assert.equal(await stateNow(refund), 'pending')
})

test('a refund is not failed by what was said to a claim that another one has followed', async () => {
  const { refund } = await accepted()
  const [called, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const next = newWorker(async (deliver) => {
    called.resolve()
    await recorded.promise
    return deliver()
  })
  const worker = newWorker()
  const [card] = worker.channels.all
  assert.ok(card)
  let other: Promise<number> | undefined
  const late: Channel = {
    ...card,
    async refund() {
      // The node is suspended after the channel's answer, for longer than its lease.
      time += 20_000
      other = callDue(next)
      await called.promise
      return { kind: 'failed', cause: 'refused', message: 'No' }
    },
  }
  await callDue({ ...worker, channels: registerChannels([late]) })
  assert.equal(await stateNow(refund), 'unknown')
  recorded.resolve()
  assert.equal(await other, 1)
  assert.deepEqual(
    { state: await stateNow(refund), atIssuer: refundsAtIssuer(refund) },
    { state: 'pending', atIssuer: 1 },
  )
})

function claimOf(leaseMs: number) {
  return { now: clock.now(), leaseUntil: new Date(time + leaseMs), limit: 1 }
}

test('a refund is sent to the issuer once, queried under the same reference, and booked once', async () => {
  const { payment, refund } = await accepted()
  const worker = newWorker()
  assert.equal(await callDue(worker), 1)
  assert.equal(await stateNow(refund), 'pending')
  assert.equal(await callDue(worker), 0)
  time += 1_001
  assert.equal(await callDue(worker), 1)
  assert.equal(await stateNow(refund), 'succeeded')
  const reference = `refund ${refundReference(refund.refundNo)}`
  assert.deepEqual(calls, [reference, reference])
  assert.equal(refundsAtIssuer(refund), 1)
  assert.deepEqual(await balancesOf(database.db, payment.merNo), {
    'merchant:unsettled USD': 590n,
    'platform:fees USD': 10n,
    'rail:card USD': -600n,
  })
})

test('a refund of 6.66 fails and gives back exactly its amount, also if the order was settled meanwhile', async () => {
  for (const settles of [false, true]) {
    const { payment, refund, before } = await accepted(666n)
    if (settles) await settleNow(database.db, payment)
    const worker = newWorker()
    await callDue(worker)
    time += 1_001
    await callDue(worker)
    assert.equal(await stateNow(refund), 'failed')
    const home = settles ? 'merchant:available USD' : 'merchant:unsettled USD'
    const { 'merchant:unsettled USD': remainder, ...others } = before
    assert.deepEqual(await balancesOf(database.db, payment.merNo), { ...others, [home]: remainder })
    assert.equal(await stateOf(database.db, payment), 5)
  }
})

test('a lost response leaves the refund unknown; a call with the same reference finds it, refunded once', async () => {
  const { payment, refund } = await accepted()
  await callDue(
    newWorker(async (deliver) => {
      await deliver()
      return { kind: 'silent', why: 'no response in time' }
    }),
  )
  assert.equal(await stateNow(refund), 'unknown')
  assert.equal(await stateOf(database.db, payment), 10)
  time += 1_001
  await callDue(newWorker())
  assert.equal(await stateNow(refund), 'succeeded')
  assert.equal(new Set(calls).size, 1)
  assert.equal(refundsAtIssuer(refund), 1)
})

test('a request that never arrived is sent again', async () => {
  const { refund } = await accepted()
  await callDue(newWorker(async () => ({ kind: 'silent', why: 'the line is dead' })))
  assert.equal(refundsAtIssuer(refund), 0)
  for (let round = 0; round < 2; round++) {
    time += 2_001
    await callDue(newWorker())
  }
  assert.equal(await stateNow(refund), 'succeeded')
  assert.equal(refundsAtIssuer(refund), 1)
})

test('when a worker dies after the call, the next one takes over and finds the outcome', async () => {
  const { payment, refund } = await accepted()
  const dead: RefundWorkerDeps = {
    ...newWorker(),
    refundBatches: { record: { submit: () => Promise.reject(new Error('killed')), depth: () => 0 } },
  }
  await callDue(dead)
  assert.equal(await stateNow(refund), 'calling')
  assert.equal(refundsAtIssuer(refund), 1)
  assert.equal(await callDue(newWorker()), 0, 'the claim still holds')
  time += 5_001
  assert.equal(await callDue(newWorker()), 1)
  assert.equal(await stateNow(refund), 'succeeded')
  assert.equal(refundsAtIssuer(refund), 1)
  assert.equal((await balancesOf(database.db, payment.merNo))['rail:card USD'], -600n)
})

test('several concurrent workers call each refund once', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => accepted()))
  const workers = [1, 2, 3, 4].map(() => newWorker())
  const counts = await Promise.all(workers.map(callDue))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    20,
  )
  assert.equal(new Set(calls).size, 20)
  time += 1_001
  await Promise.all(workers.map(callDue))
  for (const { refund } of made) assert.equal(await stateNow(refund), 'succeeded')
})

test('an issuer that echoes another amount raises an alarm, and nothing is booked out', async () => {
  const { payment, refund } = await accepted()
  time += 1_001
  const lying: Line = async (deliver) => {
    const reply = await deliver()
    if (reply.kind !== 'answer' || typeof reply.body !== 'object') return reply
    return { ...reply, body: { ...reply.body, amount: '399', status: 'succeeded' } }
  }
  await callDue(newWorker(lying))
  assert.equal(await stateNow(refund), 'unknown')
  assert.match(alarms.at(-1) ?? '', /another amount/)
  assert.equal((await balancesOf(database.db, payment.merNo))['transit:refunds USD'], 400n)
})

test('a refund stays open if its channel is no longer set up', async () => {
  const { refund } = await accepted()
  await callDue({ ...newWorker(), channels: registerChannels([]) })
  assert.equal(await stateNow(refund), 'unknown')
})

test('a running worker reacts to a poke, and stops after the calls under way', async () => {
  const worker = startRefundWorker({ ...newWorker(), everyMs: 500 })
  const { refund } = await accepted()
  worker.poke()
  assert.ok(await eventually(async () => (await stateNow(refund)) === 'pending'))
  await worker.stop()
  time += 10_000
  worker.poke()
  assert.ok(await staysFalse(async () => (await stateNow(refund)) !== 'pending', 100))
})
