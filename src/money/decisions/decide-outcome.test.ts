import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment, noRates } from '../../test/builders.ts'
import { assertMoneySound, paidOrder, stateOf, stepsOf } from '../../test/paid-orders.ts'
import { aPayer, aPayout, FAILED, openPayouts, SUCCEEDED, type TestPayouts } from '../../test/payouts.ts'
import { accept, anApplication, record } from '../../test/refunds.ts'
import { runOnce } from '../../test/run-job.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import type { Actor } from '../audit-log/entry.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { lostCalls } from '../orders/compact-sql.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { State } from '../orders/order.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { approvePayout } from '../payouts/approve-payout.ts'
import { payoutJob } from '../payouts/worker.ts'
import { sweep } from '../postgres/sweep.ts'
import { decisionCarrying } from './carrying.ts'
import { decideOutcome } from './decide-outcome.ts'
import { listOutcomes } from './list-outcomes.ts'

const ann: Actor = { kind: 'user', name: 'ann@operator.example', address: '127.0.0.1' }
const bob: Actor = { kind: 'user', name: 'bob@operator.example', address: '127.0.0.1' }
const reason = 'The acquirer confirmed it by telephone'

let setup: TestPayouts
let deps: Parameters<typeof decideOutcome>[0]
before(async () => {
  setup = await openPayouts()
  deps = { ...setup.deps, secondPersonAbove: 100_000n }
})
after(async () => {
  await assertMoneySound(setup.db)
  await setup.close()
})

async function unknownPayment(amount = 1_000n): Promise<NewPayment> {
  const payment = aPayment({ money: { amount, currency: 'USD' } })
  await acceptPayments(setup.db, [payment])
  await report(payment, { kind: 'unknown', why: 'no response' })
  return payment
}

function report({ merNo, tradeNo }: NewPayment, outcome: Parameters<typeof recordOutcomes>[1][0]['outcome']) {
  const known = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
  return recordOutcomes({ db: setup.db, rates: noRates }, [known])
}

async function auditOf(subject: string): Promise<unknown[]> {
  return setup.db.query({
    text: 'select actor, action, before, after, reason from audit_log where subject = $1 order by entry_id',
    values: [subject],
  })
}

const decideAs = (tradeNo: string, as: 'succeeded' | 'failed', refundNo?: string) =>
  decideOutcome(deps, { tradeNo, refundNo, as, reason, actor: ann })

test('a payment that was charged is booked, notified and audited as if its channel had said so', async () => {
  const payment = await unknownPayment()
  const listed = await listOutcomes(deps, { merNo: payment.merNo, limit: 50 })
  assert.deepEqual(
    listed.map(({ kind, tradeNo, state }) => [kind, tradeNo, state]),
    [['payment', payment.tradeNo, 'unknown']],
  )
  const { approvalId } = await decideAs(payment.tradeNo, 'succeeded')
  assert.equal(approvalId, undefined)
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
  assert.ok((await stepsOf(setup.db, payment)).includes('payment'))
  const [notified] = await setup.db.query<{ sent: number }>({
    text: 'select count(*)::int as sent from notifications where trade_no = $1',
    values: [payment.tradeNo],
  })
  assert.equal(notified?.sent, 1)
  assert.deepEqual(await auditOf(payment.tradeNo), [
    {
      actor: ann.name,
      action: 'outcome.decide',
      before: { state: 'unknown' },
      after: { state: 'succeeded', order: payment.tradeNo, channel: 'card', amount: '10.00 USD' },
      reason,
    },
  ])
})

test('a later report of the channel that contradicts the decision changes nothing and raises the alarm', async () => {
  const payment = await unknownPayment()
  await decideAs(payment.tradeNo, 'failed')
  assert.equal(await stateOf(setup.db, payment), State.failed)
  const charged = { kind: 'succeeded', money: payment.money, channelRef: 'late' } as const
  const [recorded] = await report(payment, charged)
  assert.equal(recorded?.alarm, 'was failed, the channel now says succeeded')
  assert.equal(await stateOf(setup.db, payment), State.failed)
  // Its money is in suspense, as for every late payment.
  const steps = await stepsOf(setup.db, payment)
  assert.deepEqual(
    steps.map((step) => step.split(':')[0]),
    ['suspense'],
  )
})

test('only what is unknown, or open for a day, can be decided', async () => {
  const fresh = aPayment({})
  await acceptPayments(setup.db, [fresh])
  await assert.rejects(decideAs(fresh.tradeNo, 'failed'), /has no outcome to decide: it must be unknown/)
  await sweep(setup.db, lostCalls)
  await setup.db.query({
    text: `update attempt_rows set created_at = created_at - interval '25 hours' where trade_no = $1`,
    values: [fresh.tradeNo],
  })
  await decideAs(fresh.tradeNo, 'failed')
  assert.equal(await stateOf(setup.db, fresh), State.failed)
  await assert.rejects(decideAs(fresh.tradeNo, 'failed'), OperatorRefusal)
})

test('of an operator and the resolver at the same time exactly one decides', async () => {
  for (let round = 0; round < 8; round++) {
    const payment = await unknownPayment()
    const charged = { kind: 'succeeded', money: payment.money, channelRef: 'asked' } as const
    const [byHand, byChannel] = await Promise.allSettled([
      decideAs(payment.tradeNo, 'failed'),
      report(payment, charged),
    ])
    assert.ok(byChannel.status === 'fulfilled')
    const channelWon = byChannel.value[0]?.alarm === undefined
    assert.equal(byHand.status === 'rejected', channelWon)
    assert.equal(await stateOf(setup.db, payment), channelWon ? State.succeeded : State.failed)
    assert.equal((await auditOf(payment.tradeNo)).length, channelWon ? 0 : 1)
  }
})

test('two operators who decide at the same time decide once', async () => {
  const payment = await unknownPayment()
  const both = await Promise.allSettled([
    decideAs(payment.tradeNo, 'succeeded'),
    decideAs(payment.tradeNo, 'failed'),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await auditOf(payment.tradeNo)).length, 1)
})

test('a refund that was not made comes back to the order; one that was made stays away', async () => {
  for (const [as, state] of [
    ['failed', State.succeeded],
    ['succeeded', State.refunded],
  ] as const) {
    const payment = await paidOrder(setup.db)
    const refund = await accept(setup.db, anApplication(payment))
    const { merNo, refundNo, tradeNo } = refund
    const unknown = { kind: 'unknown', why: 'no response' } as const
    await record(setup.db, { merNo, refundNo, tradeNo, outcome: unknown, at: new Date() })
    await assert.rejects(decideAs(tradeNo, as), new RegExp(`to decide refund ${refundNo}, name it`))
    await decideAs(tradeNo, as, refundNo)
    assert.equal(await stateOf(setup.db, payment), state)
    assert.equal((await auditOf(refundNo)).length, 1)
  }
})

test('a payout that was not sent gives amount and fee back; one that was sent is booked out', async () => {
  for (const [as, snapshot] of [
    ['failed', FAILED],
    ['succeeded', SUCCEEDED],
  ] as const) {
    const merchant = aPayer()
    await setup.give(merchant.merNo, 5_000n)
    const silent = { ...setup.rail, send: async () => ({ kind: 'unknown', why: 'silent' }) as const }
    const { tradeNo } = await setup.pay(merchant, aPayout(), silent)
    await assert.rejects(decideAs(tradeNo, as), /has no outcome to decide/)
    setup.pass(60_000)
    await setup.runWorker({ ...silent, ask: async () => ({ kind: 'unknown', why: 'silent' }) as const })
    await decideAs(tradeNo, as)
    assert.deepEqual(await setup.stateOf(tradeNo), snapshot)
    assert.equal(await setup.inFlight(merchant.merNo), 0n)
    assert.equal(await setup.available(merchant.merNo), as === 'failed' ? 5_000n : 4_000n)
  }
})

test('a payout that no rail can send may be decided after a day', async () => {
  const merchant = aPayer({ payoutApproval: 0n })
  await setup.give(merchant.merNo, 5_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout())
  await approvePayout(setup.db, tradeNo, setup.clock.now())
  const wait = () => runOnce(payoutJob({ ...setup.deps, ...setup.by() }), setup.clock.now())
  await wait()
  await assert.rejects(decideAs(tradeNo, 'failed'), /has no outcome to decide/)
  setup.pass(24 * 3_600_000 + 1_000)
  await wait()
  assert.equal((await listOutcomes(deps, { merNo: merchant.merNo, limit: 50 })).length, 1)
  await decideAs(tradeNo, 'failed')
  assert.deepEqual(await setup.stateOf(tradeNo), FAILED)
  assert.equal(await setup.available(merchant.merNo), 5_000n)
})

test('above the amount a second person approves, and only then is it recorded', async () => {
  const payment = await unknownPayment(100_001n)
  const { approvalId = '' } = await decideAs(payment.tradeNo, 'succeeded')
  assert.notEqual(approvalId, '')
  assert.equal(await stateOf(setup.db, payment), State.processing)
  await assert.rejects(decideAs(payment.tradeNo, 'succeeded'), /waits for approval already/)
  const by = (actor: Actor) =>
    decideApproval(
      { ...deps, carrying: decisionCarrying(deps) },
      { approvalId, actor, approves: true, reason: 'Seen in their portal', check: () => {} },
    )
  await assert.rejects(by(ann), /a second person must approve it/)
  const both = await Promise.allSettled([by(bob), by({ ...bob, name: 'cid@operator.example' })])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
  assert.equal((await auditOf(payment.tradeNo)).length, 1)
  assert.equal((await auditOf(approvalId)).length, 2)
})

test('an approval of what the channel told meanwhile is refused, and can be rejected', async () => {
  const payment = await unknownPayment(100_001n)
  const { approvalId = '' } = await decideAs(payment.tradeNo, 'failed')
  await report(payment, { kind: 'succeeded', money: payment.money, channelRef: 'asked' })
  const decide = (approves: boolean) =>
    decideApproval(
      { ...deps, carrying: decisionCarrying(deps) },
      { approvalId, actor: bob, approves, reason: 'Late', check: () => {} },
    )
  await assert.rejects(decide(true), /has no outcome to decide/)
  assert.equal((await decide(false)).state, 'rejected')
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
})

test('an approval that nobody decided in time has expired, and can be asked for again', async () => {
  const payment = await unknownPayment(100_001n)
  const { approvalId = '' } = await decideAs(payment.tradeNo, 'failed')
  setup.pass(8 * 86_400_000)
  const carrying = decisionCarrying(deps)
  const wanted = { approvalId, actor: bob, approves: true, reason: 'Late', check: () => {} }
  await assert.rejects(decideApproval({ ...deps, carrying }, wanted), /has expired/)
  const again = await decideAs(payment.tradeNo, 'failed')
  assert.notEqual(again.approvalId, approvalId)
  await decideApproval({ ...deps, carrying }, { ...wanted, approvalId: again.approvalId ?? '' })
  assert.equal(await stateOf(setup.db, payment), State.failed)
})
