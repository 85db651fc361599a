// Returns of rejected payments: the worker with a real channel and the sandbox's issuer. The tests break the connection
// between worker and issuer, and stop the worker's process.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { openCardBook } from '../../../sandbox/card-book.ts'
import { type CardIssuer, createCardIssuer } from '../../../sandbox/card-issuer.ts'
import { noRates } from '../../../test/builders/builders.ts'
import { noAlarms } from '../../../test/builders/no-alarms.ts'
import { assertMoneySound, balancesOf, stateOf, stepsOf } from '../../../test/builders/paid-orders.ts'
import { historyOf, notificationsOf, orderInReview } from '../../../test/builders/reviews.ts'
import { openCallbacks } from '../../../test/harness/callbacks.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { inProcessTransport } from '../../../test/harness/in-process-transport.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { runOnce } from '../../../test/harness/run-job.ts'
import { askJob } from '../../interfaces/callbacks/ask-worker.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Channel } from '../../rails/contract/channel.ts'
import { createCardChannel } from '../../rails/protocols/bridge/card/card-channel.ts'
import { registerChannels } from '../../rails/routing/routing.ts'
import { alarmsOf } from '../../rails/toolkit/alarms.ts'
import { openStore } from '../../rails/toolkit/records/store.ts'
import type { IssuerTransport, Reply } from '../../rails/toolkit/transport.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { attemptReference } from '../orders/order.ts'
import { listHeld } from '../suspense/book-suspense.ts'
import { approveReview, rejectReview } from './decide-review.ts'
import { returnReference } from './review.ts'
import { selectReview } from './sql.ts'
import { type ReviewWorkerDeps, returnJob } from './worker.ts'

let db: Db
let folder: string
let issuer: CardIssuer
let time = Date.now()
let merNo = 52_000_000
let alarms: string[] = []
const clock = { now: () => new Date(time) }
const bookFile = () => join(folder, 'issuer.sqlite')

useDatabase({
  before(database) {
    db = database.db
    folder = mkdtempSync(join(tmpdir(), 'tollgate-reviews-'))
    const acsUrl = () => 'http://127.0.0.1:1/acs'
    issuer = createCardIssuer({ bookFile: bookFile(), clock, minuteMs: 60_000, acsUrl })
  },
  after() {
    issuer.close()
    rmSync(folder, { recursive: true })
  },
})
beforeEach(() => {
  merNo++
  alarms = []
})
afterEach(() => assertMoneySound(db))

type Line = (deliver: () => Promise<Reply>) => Promise<Reply>

function channelBy(line: Line) {
  const inside = inProcessTransport(issuer)
  const transport: IssuerTransport = (...call) => line(() => inside(...call))
  return createCardChannel({ transport, timeoutMs: 1_000, alarms: noAlarms, clock })
}

/** Makes a worker with its own memory, like a separate process. */
function newWorker(line: Line = (deliver) => deliver(), on: Db = db): ReviewWorkerDeps {
  const alarm = (_tradeNo: string, what: string) => void alarms.push(what)
  const storeOf = (name: string) => openStore({ db: on, clock }, name)
  return {
    db: on,
    clock,
    channels: registerChannels([channelBy(line)]),
    log: pino({ level: 'silent' }),
    alarm,
    alarmsOf: (channel) => alarmsOf(channel, { alarm, storeOf }),
  }
}

function returnDue(worker: ReviewWorkerDeps): Promise<number> {
  return runOnce(returnJob(worker), clock.now())
}

/** Makes a payment that is charged at the issuer, and that an operator has rejected in review. */
async function rejected(amount = 10_000n): Promise<NewPayment> {
  const payment = await orderInReview(db, { merNo, amount, createdAt: clock.now() })
  const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' }
  const outcome = await channelBy((deliver) => deliver()).start({
    reference: attemptReference(payment.tradeNo, 1),
    money: payment.money,
    merNo,
    card,
    personal: {},
    details: {},
    terminal: 'WEB',
    merchantName: 'Shop',
    expiresAt: new Date(time + 60_000),
    completeUrl: 'https://a.example/',
    callbackUrl: 'https://a.example/callbacks/card',
  })
  assert.equal(outcome.kind, 'succeeded')
  await reject(payment)
  return payment
}

function reject({ tradeNo }: NewPayment) {
  return rejectReview({ db, clock }, tradeNo, { note: 'No such shipment', isReturned: false })
}

async function standing(payment: NewPayment) {
  return (await selectReview(db, payment))?.state
}

function refundsAtIssuer({ tradeNo }: NewPayment): string[] {
  const book = openCardBook(bookFile())
  const references = book.refundsOf(attemptReference(tradeNo, 1)).map((made) => made.refundReference)
  book.close()
  return references
}

test('the money is returned once, queried under the same reference, and then the order fails', async () => {
  const payment = await rejected()
  assert.equal(await returnDue(newWorker()), 1)
  assert.equal(await standing(payment), 'returning')
  assert.equal(await stateOf(db, payment), 24)
  assert.equal(await returnDue(newWorker()), 0)
  time += 2_001
  assert.equal(await returnDue(newWorker()), 1)
  assert.equal(await standing(payment), 'rejected')
  assert.deepEqual(await historyOf(db, payment), [24, 6])
  assert.deepEqual(await balancesOf(db, merNo), {})
  assert.deepEqual(refundsAtIssuer(payment), [returnReference(payment.tradeNo, 1)])
  const notifications = await notificationsOf(db, payment)
  assert.deepEqual(
    notifications.map(({ fields }) => [fields.code, fields.message]),
    [['1', 'Rejected in review: No such shipment']],
  )
  time += 100_000
  assert.equal(await returnDue(newWorker()), 0)
})

test('after a lost response or a lost request the channel is called again', async () => {
  const payment = await rejected()
  const silent: Reply = { kind: 'silent', why: 'no response in time' }
  await returnDue(newWorker(async () => silent))
  assert.deepEqual(refundsAtIssuer(payment), [])
  time += 10_000
  await returnDue(
    newWorker(async (deliver) => {
      await deliver()
      return silent
    }),
  )
  assert.equal(await standing(payment), 'returning')
  time += 20_000
  await returnDue(newWorker())
  assert.equal(await standing(payment), 'rejected')
  assert.equal(refundsAtIssuer(payment).length, 1)
})

test('if the channel is not set up, the money stays in the review account', async () => {
  const payment = await rejected()
  await returnDue({ ...newWorker(), channels: registerChannels([]) })
  assert.equal(await standing(payment), 'returning')
  assert.deepEqual(await balancesOf(db, merNo), { 'rail:card EUR': -10_000n, 'transit:review EUR': 10_000n })
})

test('a declined return raises an alarm, and the operator decides again', async () => {
  const payment = await rejected(666n)
  await returnDue(newWorker())
  time += 2_001
  await returnDue(newWorker())
  assert.match(alarms.join(), /was not returned: The bank refused the refund/)
  assert.equal(await standing(payment), 'asked')
  assert.equal(await stateOf(db, payment), 24)
  assert.equal(
    (await selectReview(db, payment))?.note,
    'The channel did not return the money: The bank refused the refund',
  )
  await reject(payment)
  await returnDue(newWorker())
  assert.deepEqual(
    refundsAtIssuer(payment).sort(),
    [1, 2].map((time) => returnReference(payment.tradeNo, time)),
  )
  time += 2_001
  await returnDue(newWorker())
  await approveReview({ db, clock, rates: noRates }, payment.tradeNo)
  assert.deepEqual(await stepsOf(db, payment), ['payment', 'review'])
})

/** Makes a database that fails as if the process died after the response and before the transaction. */
function dying(): Db {
  return { ...db, transaction: () => Promise.reject(new Error('the process is gone')) }
}

test('when a process dies between the return and its booking, the next one books it once', async () => {
  const payment = await rejected()
  await returnDue(newWorker())
  time += 2_001
  await returnDue(newWorker(undefined, dying()))
  assert.equal(await standing(payment), 'returning')
  assert.deepEqual(await stepsOf(db, payment), ['review'])
  assert.equal(await returnDue(newWorker()), 0, 'the lease of the dead process holds')
  time += 10_000
  await Promise.all([returnDue(newWorker()), returnDue(newWorker())])
  assert.equal(await standing(payment), 'rejected')
  assert.deepEqual(await stepsOf(db, payment), ['review', 'review-returned'])
  assert.equal(refundsAtIssuer(payment).length, 1)
  assert.equal((await notificationsOf(db, payment)).length, 1)
})

test('two concurrent responses to one return book it once', async () => {
  const payment = await rejected()
  await returnDue(newWorker())
  time += 2_001
  const slow: Line = async (deliver) => {
    const reply = await deliver()
    // The lease ends during this call, and another worker calls the channel too.
    time += 20_000
    await returnDue(newWorker())
    return reply
  }
  await returnDue(newWorker(slow))
  assert.deepEqual(await stepsOf(db, payment), ['review', 'review-returned'])
  assert.deepEqual(await historyOf(db, payment), [24, 6])
})

test('a return that another worker is claiming is not claimed again', async () => {
  const payment = await rejected()
  const job = returnJob(newWorker())
  const due = { now: clock.now(), leaseUntil: new Date(time + job.leaseMs), limit: 10, busy: [] }
  const { claiming } = await db.transaction(async (tx) => {
    const text = `update reviews set ask_at = ask_at + interval '1 second' where trade_no = $1`
    await tx.query({ text, values: [payment.tradeNo] })
    const claiming = job.claim(due)
    await Promise.race([claiming, sleep(500)])
    return { claiming }
  })
  assert.deepEqual(await claiming, [])
  time += 10_000
  await returnDue(newWorker())
  time += 10_000
  await returnDue(newWorker())
  assert.equal(await standing(payment), 'rejected')
})

test('a claim that was renewed for longer than its lease calls nobody', async () => {
  const payment = await rejected()
  const job = returnJob(newWorker())
  const leaseUntil = new Date(time + job.leaseMs)
  const [claimed] = await job.claim({ now: clock.now(), leaseUntil, limit: 1, busy: [] })
  assert.ok(claimed)
  let running: Promise<void> | undefined
  await db.transaction(async (tx) => {
    await tx.query({ text: 'select from reviews where trade_no = $1 for update', values: [payment.tradeNo] })
    running = job.run(claimed, new AbortController().signal)
    await waitUntilSomebodyWaits(db, 'greatest(ask_at')
    time += 20_000
  })
  await running
  assert.deepEqual(refundsAtIssuer(payment), [])
  await returnDue(newWorker())
  time += 10_000
  await returnDue(newWorker())
  assert.deepEqual(
    { state: await standing(payment), refunds: refundsAtIssuer(payment).length },
    { state: 'rejected', refunds: 1 },
  )
})

test('a return is not given up for what was said to a claim that another one has followed', async () => {
  const payment = await rejected()
  const [called, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const next = newWorker(async (deliver) => {
    called.resolve()
    await recorded.promise
    return deliver()
  })
  let other: Promise<number> | undefined
  const late: Channel = {
    ...channelBy((deliver) => deliver()),
    async refund() {
      // The node is suspended after the channel's answer, for longer than its lease.
      time += 20_000
      other = returnDue(next)
      await called.promise
      return { kind: 'failed', cause: 'refused', message: 'No' }
    },
  }
  await returnDue({ ...newWorker(), channels: registerChannels([late]) })
  assert.deepEqual({ state: await standing(payment), alarms }, { state: 'returning', alarms: [] })
  recorded.resolve()
  assert.equal(await other, 1)
  time += 10_000
  await returnDue(newWorker())
  assert.deepEqual(
    { state: await standing(payment), refunds: refundsAtIssuer(payment).length },
    { state: 'rejected', refunds: 1 },
  )
})

/** Makes a database that fails as if the process died directly after the transaction. */
function dyingAfterCommit(): Db {
  return {
    ...db,
    async transaction(work) {
      await db.transaction(work)
      throw new Error('the process is gone')
    },
  }
}

for (const [how, on] of [
  ['', () => db],
  [', also if the process dies before it', dyingAfterCommit],
] as const)
  test(`money that came back, as a late response to a return says, raises one alarm${how}`, async () => {
    const payment = await rejected()
    await returnDue(newWorker())
    time += 2_001
    const back = { kind: 'returned', message: 'the account is closed', money: undefined } as const
    let calls = 0
    const channel = {
      ...channelBy((deliver) => deliver()),
      async refund() {
        // The lease ends during the first call, and another worker ends the return.
        time += 20_000
        if (++calls === 1) await returnDue(newWorker())
        return back
      },
    }
    const job = returnJob({ ...newWorker(undefined, on()), channels: registerChannels([channel]) })
    await runOnce(job, clock.now())
    assert.deepEqual({ calls, state: await standing(payment) }, { calls: 1, state: 'rejected' })
    const asking = openCallbacks(db, [channel])
    for (const _again of [1, 2]) {
      await runOnce(askJob(asking.deps), clock.now())
      assert.equal([...alarms, ...asking.alarms].length, 1)
    }
    const [row, ...more] = await listHeld(db, merNo, 10)
    assert.deepEqual(
      { reference: row?.reference, more },
      { reference: returnReference(payment.tradeNo, 1), more: [] },
    )
    const [what = '', ...others] = [...alarms, ...asking.alarms]
    assert.ok(what.includes(`came back and is held as ${row?.suspenseId}`), what)
    assert.deepEqual(others, [])
  })
