import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { anOperator, aPayment, noRates } from '../../../test/builders/builders.ts'
import {
  assertMoneySound,
  balancesOf,
  paidOrder,
  stateOf,
  stepsOf,
} from '../../../test/builders/paid-orders.ts'
import {
  aPayer,
  aPayout,
  FAILED,
  openPayouts,
  SUCCEEDED,
  type TestPayouts,
} from '../../../test/builders/payouts.ts'
import { accept, anApplication, record } from '../../../test/builders/refunds.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { runOnce } from '../../../test/harness/run-job.ts'
import type { Actor } from '../../platform/audit-log/entry.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { sweep } from '../../platform/postgres/sweep.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { lockApproval } from '../approvals/sql.ts'
import { listDeposits } from '../order-queries/list-deposits.ts'
import { lostCalls } from '../orders/compact-sql.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { State } from '../orders/order.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { acceptSuspense } from '../payments/deposits/accept-suspense.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { payoutJob } from '../payouts/worker.ts'
import { bookSuspense, listHeld } from '../suspense/book-suspense.ts'
import { decisionCarrying } from './carrying.ts'
import { decideOutcome, listOutcomes } from './decide-outcome.ts'
import { decideSuspense } from './decide-suspense.ts'

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
  // The payment's money is in suspense, as for every late payment.
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

const DAY_MS = 86_400_000

/** Creates a transfer that began this many days ago and waits for its payer. */
async function transfer(daysAgo: number, amount = 10_000n): Promise<NewPayment> {
  const createdAt = new Date(setup.clock.now().getTime() - daysAgo * DAY_MS)
  const money = { amount, currency: 'USD' }
  const payment = aPayment({ merNo: ++merNo, method: 'sepa', money, createdAt })
  await acceptPayments(setup.db, [payment])
  const action = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const
  await report(payment, { kind: 'pending', channelRef: 'theirs', action })
  return payment
}

let merNo = 46_000_000

const arrives = (payment: NewPayment, ref: string, amount: bigint) => {
  const deposit = {
    depositRef: `${payment.tradeNo} ${ref}`,
    money: { amount, currency: 'USD' },
    at: new Date(),
  }
  return report(payment, { kind: 'received', channelRef: 'theirs', deposits: [deposit] })
}

const moved = (tradeNo: string, amount?: string) =>
  decideOutcome(deps, { tradeNo, as: 'succeeded', amount, reason, actor: ann })

async function depositsOf(payment: NewPayment) {
  const deposits = await listDeposits(setup.db, payment)
  return deposits.map(({ money, state }) => `${money.amount} ${state}`).sort()
}

test('of a transfer no more is credited than was received: a part keeps the order waiting, the rest completes it', async () => {
  const payment = await transfer(5)
  const { tradeNo } = payment
  await assert.rejects(moved(tradeNo), /^OperatorRefusal: 0\.00 of 100\.00 is recorded as received/)
  await arrives(payment, 'a', 4_000n)
  const [listed] = await listOutcomes(deps, { merNo: payment.merNo, limit: 50 })
  assert.deepEqual(listed?.received, { amount: 4_000n, currency: 'USD' })
  for (const amount of [undefined, '40.00', '39.99'])
    await assert.rejects(
      moved(tradeNo, amount),
      /^OperatorRefusal: 40\.00 of 100\.00 is recorded as received/,
    )
  const { isPart } = await moved(tradeNo, '70.00')
  assert.equal(isPart, true)
  assert.equal(await stateOf(setup.db, payment), State.processing)
  assert.deepEqual(await stepsOf(setup.db, payment), [])
  await moved(tradeNo, '100.00')
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
  assert.deepEqual(await depositsOf(payment), ['3000 taken', '3000 taken', '4000 taken'])
  const [attempt] = await setup.db.query({
    text: 'select channel_ref from attempt_rows where trade_no = $1',
    values: [tradeNo],
  })
  assert.deepEqual(attempt, { channel_ref: 'theirs' })
})

test('money that an operator stated is not counted again when the channel reports it', async () => {
  const waiting = await transfer(5)
  await moved(waiting.tradeNo, '60.00')
  await arrives(waiting, 'a', 5_000n)
  assert.equal(await stateOf(setup.db, waiting), State.processing)
  assert.deepEqual(await depositsOf(waiting), ['1000 waiting', '5000 waiting'])
  await arrives(waiting, 'b', 1_000n)
  assert.deepEqual(await depositsOf(waiting), ['1000 waiting', '5000 waiting'])
  await arrives(waiting, 'c', 4_000n)
  assert.equal(await stateOf(setup.db, waiting), State.succeeded)

  const paid = await transfer(5)
  await moved(paid.tradeNo, '100.00')
  await arrives(paid, 'a', 10_000n)
  assert.deepEqual(await depositsOf(paid), ['10000 taken'])
  await arrives(paid, 'b', 500n)
  assert.deepEqual(await heldFor(paid), [['surplus', 500n]])

  // The operator stated the amount in two parts. The channel then reports it as one deposit.
  const inParts = await transfer(5)
  await moved(inParts.tradeNo, '40.00')
  await moved(inParts.tradeNo, '100.00')
  await arrives(inParts, 'a', 10_000n)
  assert.deepEqual(await depositsOf(inParts), ['10000 taken'])
  assert.deepEqual(await heldFor(inParts), [])

  // The channel reports more than the operator stated. Only the excess is new money.
  const more = await transfer(5)
  await moved(more.tradeNo, '100.00')
  await arrives(more, 'a', 12_000n)
  assert.deepEqual(await depositsOf(more), ['12000 taken'])
  await arrives(more, 'a', 12_000n)
  assert.deepEqual(await heldFor(more), [['surplus', 2_000n]])
  await arrives(more, 'b', 3_000n)
  assert.deepEqual(await heldFor(more), [
    ['surplus', 2_000n],
    ['surplus', 3_000n],
  ])

  const expired = await transfer(5)
  await moved(expired.tradeNo, '60.00')
  await decideAs(expired.tradeNo, 'failed')
  await arrives(expired, 'a', 6_000n)
  assert.deepEqual(await heldFor(expired), [['short', 6_000n]])
})

async function heldFor({ merNo }: NewPayment) {
  return (await listHeld(setup.db, merNo, 10)).map(({ why, money }) => [why, money.amount])
}

test('a transfer that was not paid in full expires, and its part waits in suspense to be accepted', async () => {
  const payment = await transfer(5)
  await moved(payment.tradeNo, '60.00')
  await decideAs(payment.tradeNo, 'failed')
  assert.equal(await stateOf(setup.db, payment), State.cancelled)
  const [held] = await listHeld(setup.db, payment.merNo, 10)
  assert.deepEqual({ why: held?.why, amount: held?.money.amount }, { why: 'short', amount: 6_000n })
  await acceptSuspense({ ...deps, rates: noRates }, held?.suspenseId ?? '')
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
  assert.equal((await balancesOf(setup.db, payment.merNo))['merchant:unsettled USD'], 6_000n)
})

test('a surplus that an operator states goes to suspense, and a card moves in full or not at all', async () => {
  const payment = await transfer(5)
  await moved(payment.tradeNo, '120.00')
  assert.deepEqual(await heldFor(payment), [['surplus', 2_000n]])
  const card = await unknownPayment(1_000n)
  await assert.rejects(moved(card.tradeNo, '5.00'), /moves in full or not at all: its amount is 10\.00/)
  await assert.rejects(moved(card.tradeNo, 'much'), /much is not an amount in USD/)
  await moved(card.tradeNo)
  assert.equal(await stateOf(setup.db, card), State.succeeded)
})

test('the second person depends on what the channel has received in all', async () => {
  const payment = await transfer(5, 150_000n)
  assert.equal((await moved(payment.tradeNo, '900.00')).approvalId, undefined)
  const { approvalId = '' } = await moved(payment.tradeNo, '1500.00')
  assert.notEqual(approvalId, '')
  assert.equal(await stateOf(setup.db, payment), State.processing)
  // Before the approval, the channel reports the first part. The total that the operator stated does not change.
  await arrives(payment, 'a', 90_000n)
  const wanted = { approvalId, by: anOperator(bob), approves: true, reason: 'Seen in their portal' }
  await decideApproval({ ...deps, carrying: decisionCarrying(deps) }, wanted)
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
  assert.deepEqual(await depositsOf(payment), ['60000 taken', '90000 taken'])
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
    setup.pass(24 * 3_600_000 + 1_000)
    await setup.runWorker({ ...silent, ask: async () => ({ kind: 'unknown', why: 'silent' }) as const })
    await decideAs(tradeNo, as)
    assert.deepEqual(await setup.stateOf(tradeNo), snapshot)
    assert.equal(await setup.inFlight(merchant.merNo), 0n)
    assert.equal(await setup.available(merchant.merNo), as === 'failed' ? 5_000n : 4_000n)
  }
})

test("a payout that is decided keeps the rail's own reference", async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  const slow = { ...setup.rail, send: async () => ({ kind: 'processing', railRef: 'transfer-1' }) as const }
  const { tradeNo } = await setup.pay(merchant, aPayout(), slow)
  setup.pass(7 * 24 * 3_600_000 + 1_000)
  await decideAs(tradeNo, 'succeeded')
  const [row] = await setup.db.query({
    text: 'select rail_ref from payouts where trade_no = $1',
    values: [tradeNo],
  })
  assert.deepEqual(row, { rail_ref: 'transfer-1' })
})

test('a payout that no rail can send may be decided after a day', async () => {
  const merchant = aPayer({ payoutApproval: 0n })
  await setup.give(merchant.merNo, 5_000n)
  const { tradeNo } = await setup.pay(merchant, aPayout())
  await setup.approve(merchant, tradeNo)
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
      { approvalId, by: anOperator(actor), approves: true, reason: 'Seen in their portal' },
    )
  await assert.rejects(by(ann), /a second person must approve it/)
  const both = await Promise.allSettled([by(bob), by({ ...bob, name: 'cid@operator.example' })])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
  assert.equal((await auditOf(payment.tradeNo)).length, 1)
  assert.equal((await auditOf(approvalId)).length, 2)
})

test('of an approval and a rejection at the same time one counts', async () => {
  const payment = await unknownPayment(100_001n)
  const { approvalId = '' } = await decideAs(payment.tradeNo, 'succeeded')
  const decide = (actor: Actor, approves: boolean) =>
    decideApproval(
      { ...deps, carrying: decisionCarrying(deps) },
      { approvalId, by: anOperator(actor), approves, reason: 'Seen in their portal' },
    )
  const deciding = await setup.db.transaction(async (tx) => {
    await lockApproval(tx, payment.merNo, approvalId)
    const both = [decide(bob, true), decide({ ...bob, name: 'cid@operator.example' }, false)]
    await waitUntilSomebodyWaits(setup.db, 'approvals', 2)
    return both
  })
  const [approved, rejected] = await Promise.allSettled(deciding)
  assert.notEqual(approved?.status, rejected?.status)
  const isApproved = approved?.status === 'fulfilled'
  assert.equal(await stateOf(setup.db, payment), isApproved ? State.succeeded : State.processing)
})

test('an approval after the channel has reported the outcome is refused, and can be rejected', async () => {
  const payment = await unknownPayment(100_001n)
  const { approvalId = '' } = await decideAs(payment.tradeNo, 'failed')
  await report(payment, { kind: 'succeeded', money: payment.money, channelRef: 'asked' })
  const decide = (approves: boolean) =>
    decideApproval(
      { ...deps, carrying: decisionCarrying(deps) },
      { approvalId, by: anOperator(bob), approves, reason: 'Late' },
    )
  await assert.rejects(decide(true), /has no outcome to decide/)
  assert.equal((await decide(false)).state, 'rejected')
  assert.equal(await stateOf(setup.db, payment), State.succeeded)
})

test('an approval of one attempt does not decide a later one', async () => {
  const payment = await unknownPayment(100_001n)
  const { approvalId = '' } = await decideAs(payment.tradeNo, 'failed')
  const askedFor = (attemptNo: string) =>
    setup.db.query({
      text: `update approvals set action = action || jsonb_build_object('attemptNo', $2::text) where approval_id = $1`,
      values: [approvalId, attemptNo],
    })
  await askedFor('0')
  const wanted = { approvalId, by: anOperator(bob), approves: true, reason: 'Late' }
  const decided = decideApproval({ ...deps, carrying: decisionCarrying(deps) }, wanted)
  await assert.rejects(decided, /attempt 0 of \w+ is decided/)
  await askedFor('1')
})

test('money that came into suspense after an approval was asked for is not accepted with it', async () => {
  const order = aPayment({ money: { amount: 200_000n, currency: 'USD' } })
  await acceptPayments(setup.db, [order])
  const cancelled = { kind: 'failed', cause: 'cancelled', message: 'Nobody came' } as const
  await report(order, cancelled)
  const { merNo, tradeNo, money } = order
  const late = async (reference: string) => {
    const item = {
      merNo,
      channel: 'card',
      attempt: { tradeNo, attemptNo: 1 },
      money,
      reference,
      at: new Date(),
    }
    const [held] = await setup.db.transaction((tx) =>
      bookSuspense(tx, [{ ...item, why: 'late', origin: 'channel' }]),
    )
    return held?.suspenseId ?? ''
  }
  const suspenseId = await late('first')
  const { approvalId = '' } = await decideSuspense(deps, { suspenseId, as: 'accept', reason, actor: ann })
  await late('second')
  const wanted = { approvalId, by: anOperator(bob), approves: true, reason: 'Seen' }
  const decided = decideApproval({ ...deps, carrying: decisionCarrying(deps) }, wanted)
  await assert.rejects(decided, /4000.00 USD are in suspense now/)
})

test('an approval that nobody decided in time has expired, and can be asked for again', async () => {
  const payment = await unknownPayment(100_001n)
  const { approvalId = '' } = await decideAs(payment.tradeNo, 'failed')
  setup.pass(8 * 86_400_000)
  const carrying = decisionCarrying(deps)
  const wanted = { approvalId, by: anOperator(bob), approves: true, reason: 'Late' }
  await assert.rejects(decideApproval({ ...deps, carrying }, wanted), /has expired/)
  const again = await decideAs(payment.tradeNo, 'failed')
  assert.notEqual(again.approvalId, approvalId)
  await decideApproval({ ...deps, carrying }, { ...wanted, approvalId: again.approvalId ?? '' })
  assert.equal(await stateOf(setup.db, payment), State.failed)
})
