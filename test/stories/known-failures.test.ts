// Well-known failures of payment systems: a second capture while the first is unknown, two records from one request, a
// resolver that races a retry, and a retry with another reference.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openChargeback } from '../../src/money/chargebacks/open-chargeback.ts'
import { processDisputes, readDisputes } from '../../src/money/chargebacks/process-disputes.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import { completePayment } from '../../src/money/payments/complete-payment.ts'
import { recordOutcome } from '../../src/money/payments/record-outcomes.ts'
import { openRefundBatches } from '../../src/money/refunds/batches.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { aPayment } from '../builders/builders.ts'
import { assertMoneySound, balancesOf, paidOrder } from '../builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, SUCCEEDED } from '../builders/payouts.ts'
import { anApplication, dollarsOnly } from '../builders/refunds.ts'
import { type CardNodes, losesAnswers, losesRequests, openCardNodes } from '../harness/card-nodes.ts'
import { CANCELLED, orderSnapshot, PAID, WAITING } from '../harness/database-checks.ts'
import { useDatabase } from '../harness/harness.ts'

let db: Db
let nodes: CardNodes
useDatabase({
  maxConnections: 20,
  before(database) {
    db = database.db
    nodes = openCardNodes(db)
  },
  async after() {
    await assertMoneySound(db)
    nodes.close()
  },
})
beforeEach(() => {
  nodes.calls.length = 0
  nodes.alarms.length = 0
})

const RESOLVE_MS = 60_000
const LEASE_MS = 6_000
let lastMerNo = 62_000_000

const hundred = <Made>(make: (index: number) => Made) =>
  Array.from({ length: 100 }, (_, index) => make(index))
const newPayment = (changes: Partial<NewPayment> = {}) =>
  aPayment({ merNo: ++lastMerNo, createdAt: nodes.clock.now(), ...changes })
const callsTo = (operation: string) => nodes.calls.filter((call) => call.operation === operation).length
const chargeOf = ({ tradeNo }: NewPayment) => nodes.book.findCharge(attemptReference(tradeNo, 1))?.status

describe('a second capture while the first is unknown', () => {
  it('is prevented: an order that is retried a hundred times is charged once', async () => {
    const payment = newPayment()
    const made = await nodes.start(losesAnswers).pay(payment)
    assert.ok(made.refusal === undefined && made.outcome.kind === 'unknown')
    nodes.pass(2_000)
    const others = [nodes.start(), nodes.start(), nodes.start()]
    const { merNo, merOrderNo } = payment
    const again = await Promise.all(hundred((at) => others[at % 3]?.pay(newPayment({ merNo, merOrderNo }))))
    const codes = again.map((one) => one?.refusal?.code ?? 'taken')
    assert.ok(codes.every((code) => code === '10009' || code === '10003'))
    assert.deepEqual(await orderSnapshot(db, payment.tradeNo), WAITING)
    nodes.pass(RESOLVE_MS)
    await nodes.start().resolve()
    assert.deepEqual(await orderSnapshot(db, payment.tradeNo), PAID)
    assert.equal(callsTo('authorise'), 1)
  })

  it("is prevented when the payer's browser returns, too", async () => {
    const payment = newPayment()
    const node = nodes.start(losesAnswers)
    await node.pay(payment)
    await Promise.all(hundred(() => completePayment(nodes.start().deps, payment, { cres: 'x' })))
    assert.deepEqual(
      nodes.calls.map(({ operation }) => operation),
      ['authorise'],
    )
    assert.deepEqual(await orderSnapshot(db, payment.tradeNo), WAITING)
  })

  it('is safe once a query found no charge: the first is voided before it counts as failed', async () => {
    const payment = newPayment()
    let arrive = async (): Promise<unknown> => undefined
    const slow = nodes.start((deliver, operation) => {
      arrive = deliver
      return losesRequests(deliver, operation)
    })
    await slow.pay(payment)
    nodes.pass(RESOLVE_MS)
    await nodes.start().resolve()
    assert.deepEqual(await orderSnapshot(db, payment.tradeNo), CANCELLED)
    await arrive()
    assert.equal(chargeOf(payment), 'voided')
    assert.deepEqual(await balancesOf(db, payment.merNo), {})
  })
})

describe('two records from one request', () => {
  it('are prevented: one payment sent to several nodes a hundred times is one order', async () => {
    const payment = newPayment()
    const others = [nodes.start(), nodes.start(), nodes.start()]
    const made = await Promise.all(hundred((at) => others[at % 3]?.pay({ ...payment })))
    assert.equal(made.filter((one) => one?.refusal === undefined).length, 1)
    assert.deepEqual(await orderSnapshot(db, payment.tradeNo), PAID)
    assert.equal(callsTo('authorise'), 1)
  })

  it('are prevented: one refund request sent to several nodes a hundred times is one refund', async () => {
    const payment = await paidOrder(db, { merNo: ++lastMerNo })
    const others = [1, 2, 3].map(() => openRefundBatches({ db, rates: dollarsOnly }, 1_000, () => {}))
    const application = anApplication(payment, { amount: 400n, merRefundNo: undefined })
    const answers = await Promise.all(hundred((at) => others[at % 3]?.accept.submit(application)))
    const numbers = answers.map((one) =>
      one?.refusal === undefined ? one?.refund.refundNo : one.refusal.code,
    )
    assert.deepEqual(new Set(numbers), new Set([application.refundNo]))
    assert.equal((await balancesOf(db, payment.merNo))['transit:refunds USD'], 400n)
  })

  it('are prevented: channel and operator reporting at the same moment is one chargeback', async () => {
    const payment = await paidOrder(db, { merNo: ++lastMerNo })
    const { tradeNo, money, merNo } = payment
    const findMerchant = async () => ({ feePlans: new Map(), chargebackUrl: '' })
    const deps = { db, clock: nodes.clock, findMerchant, alarm: assert.fail }
    const reference = attemptReference(tradeNo, 1)
    const at = new Date()
    const report = {
      kind: 'listed',
      list: [{ disputeRef: 'd-1', reference, money, reason: '13', at }],
    } as const
    const channel = { name: `c-${merNo}`, disputes: async () => report }
    const byChannel = async () => {
      await readDisputes(deps, channel, (_dispute, error) => assert.fail(String(error)))
      await processDisputes(deps, (_dispute, error) => assert.fail(String(error)))
    }
    const byOperator = () => openChargeback(deps, tradeNo, { money: undefined, reason: '13', at })
    await Promise.allSettled(hundred((index) => (index % 2 === 0 ? byChannel() : byOperator())))
    await byChannel()
    assert.deepEqual(await db.query({ text: chargebacksText, values: [merNo] }), [{ dispute_ref: 'd-1' }])
    assert.equal((await balancesOf(db, merNo))['rail:card USD'], undefined)
  })
})

const chargebacksText = 'select dispute_ref from chargebacks where mer_no = $1'

describe('a resolver that races a retry', () => {
  it('queries once, from any number of nodes, and a late result of the first call is booked once', async () => {
    const payments = Array.from({ length: 10 }, () => newPayment())
    const first = nodes.start(losesAnswers)
    await Promise.all(payments.map((payment) => first.pay(payment)))
    nodes.pass(RESOLVE_MS)
    const resolvers = Array.from({ length: 5 }, () => nodes.start())
    const late = payments.slice(0, 5).map(({ merNo, tradeNo, money }) => {
      const outcome = { kind: 'succeeded', money, channelRef: 'late' } as const
      return recordOutcome(first.deps, first.channel, { merNo, tradeNo, attemptNo: 1 }, outcome)
    })
    await Promise.all([...resolvers.map((node) => node.resolve()), ...late])
    for (const { tradeNo } of payments) assert.deepEqual(await orderSnapshot(db, tradeNo), PAID)
    const asked = nodes.calls.filter(({ operation }) => operation === 'lookup')
    assert.equal(new Set(asked.map(({ reference }) => reference)).size, asked.length, 'asked twice')
    assert.deepEqual(nodes.alarms, [])
  })

  it('sends a payout once, although the first call arrives after the worker has sent it again', async () => {
    const setup = await openPayouts()
    const merchant = aPayer()
    await setup.give(merchant.merNo, 5_000n)
    const gate = Promise.withResolvers<void>()
    const slow = {
      ...setup.rail,
      send: async (request: Parameters<typeof setup.rail.send>[0]) => {
        await gate.promise
        return setup.rail.send(request)
      },
    }
    const request = aPayout()
    const first = setup.pay(merchant, request, slow)
    while ((await setup.inFlight(merchant.merNo)) === 0n);
    setup.pass(LEASE_MS)
    await Promise.all([setup.runWorker(), setup.runWorker(), setup.runWorker()])
    gate.resolve()
    const { tradeNo } = await first
    setup.pass(LEASE_MS)
    await setup.runWorker()
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    assert.equal(setup.book.countPayouts(), 1)
    assert.equal(await setup.available(merchant.merNo), 4_000n)
    await setup.close()
  })
})

describe('a retry with another reference', () => {
  it('never happens: every process that resumes a payment uses the one reference of its attempt', async () => {
    const payment = newPayment()
    await nodes.start(losesAnswers).pay(payment)
    for (let tries = 0; tries < 5; tries++) {
      nodes.pass(RESOLVE_MS)
      await nodes.start(losesAnswers).resolve()
    }
    assert.deepEqual(await orderSnapshot(db, payment.tradeNo), WAITING)
    nodes.pass(RESOLVE_MS)
    await nodes.start().resolve()
    assert.deepEqual(await orderSnapshot(db, payment.tradeNo), PAID)
    const own = nodes.calls.filter(({ operation }) => operation !== 'chargebacks')
    assert.equal(own.length, 7)
    assert.deepEqual(
      new Set(own.map(({ reference }) => reference)),
      new Set([attemptReference(payment.tradeNo, 1)]),
    )
  })
})
