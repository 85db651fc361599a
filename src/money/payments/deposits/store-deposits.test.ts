import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { assertMoneySound, balancesOf, stateOf } from '../../../../test/builders/paid-orders.ts'
import { openPayments } from '../../../../test/builders/payments.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { scriptedChannel } from '../../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import type { Deposit, Outcome } from '../../../rails/contract/channel.ts'
import { signatureHeader, signRequest, timestampHeader } from '../../../rails/toolkit/signature.ts'
import { listDeposits } from '../../order-queries/list-deposits.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { attemptReference, State } from '../../orders/order.ts'
import { listHeld } from '../../suspense/book-suspense.ts'
import { acceptPayments } from '../accept-payments.ts'
import { type OutcomeReport, type Recorded, recordOutcome, recordOutcomes } from '../record-outcomes.ts'
import { acceptSuspense } from './accept-suspense.ts'

const database = useDatabase()

let merNo = 40_000_000
const action = { kind: 'transfer', account: '1', accountKind: 'clabe', payee: 'Shop' } as const

async function accepted(method = 'sepa'): Promise<NewPayment> {
  const payment = aPayment({ merNo: ++merNo, method })
  await acceptPayments(database.db, [payment])
  await tell(payment, { kind: 'pending', channelRef: 'c', action })
  return payment
}

/** Makes a deposit whose reference is unique among the tests. */
function deposit(name: string, amount: bigint, currency = 'USD'): Deposit {
  return {
    depositRef: `${merNo}-${name}`,
    money: { amount, currency },
    at: new Date(),
    payerName: 'Payer',
    payerAccount: 'X1',
  }
}

async function tell(payment: NewPayment, outcome: Outcome, more: Partial<OutcomeReport> = {}) {
  const report = aSuccess(payment, { outcome, ...more })
  const [recorded] = await recordOutcomes({ db: database.db, rates: noRates }, [report])
  assert.ok(recorded)
  return recorded
}

const doubtOf = ({ doubts }: Recorded) => doubts.map(({ what }) => what).join()

const came = (...deposits: Deposit[]): Outcome => ({ kind: 'received', channelRef: 'c', deposits, action })
const expired: Outcome = { kind: 'failed', cause: 'cancelled', message: 'Not paid in time' }

async function heldFor(payment: NewPayment) {
  const held = await listHeld(database.db, payment.merNo, 10)
  return held.map(({ why, money }) => [why, money.amount])
}

async function statesOf(payment: NewPayment) {
  const deposits = await listDeposits(database.db, payment)
  return deposits.map(({ depositRef, state }) => `${depositRef.replace(/^\d+-/, '')} ${state}`).sort()
}

async function fieldsOf(payment: NewPayment): Promise<unknown> {
  const [row] = await database.db.query<{ fields: unknown }>({
    text: 'select fields from notifications where mer_no = $1 and trade_no = $2',
    values: [payment.merNo, payment.tradeNo],
  })
  return row?.fields
}

test('a short deposit keeps the order open until the rest arrives, and then it succeeds', async () => {
  const payment = await accepted()
  assert.equal((await tell(payment, came(deposit('a', 400n)))).orderState, State.processing)
  assert.deepEqual(await statesOf(payment), ['a waiting'])
  assert.equal(await fieldsOf(payment), undefined)
  const recorded = await tell(payment, came(deposit('a', 400n), deposit('b', 600n)))
  assert.equal(recorded.orderState, State.succeeded)
  assert.deepEqual(await statesOf(payment), ['a taken', 'b taken'])
  assert.partialDeepStrictEqual(await fieldsOf(payment), {
    code: '0',
    receiveAmount: '10.00',
    counterpartyAccountName: 'Payer',
    counterpartyAccountNum: 'X1',
  })
  assert.deepEqual(await heldFor(payment), [])
  await assertMoneySound(database.db)
})

test("merchants read the payer's account where the method says so, and nowhere else", async () => {
  const payment = await accepted('pix')
  await tell(payment, came(deposit('a', 1000n)))
  assert.deepEqual(Object.keys(Object(await fieldsOf(payment))).sort(), [
    'code',
    'currencyCode',
    'merOrderNo',
    'message',
    'receiveAmount',
    'sourceAmount',
    'tradeNo',
  ])
})

test('an order with too large a deposit succeeds, and the surplus goes to suspense', async () => {
  const payment = await accepted()
  assert.equal((await tell(payment, came(deposit('a', 1500n)))).orderState, State.succeeded)
  assert.deepEqual(await heldFor(payment), [['surplus', 500n]])
  assert.partialDeepStrictEqual(await fieldsOf(payment), { receiveAmount: '15.00' })
  const balances = await balancesOf(database.db, payment.merNo)
  assert.equal(balances['rail:card USD'], -1500n)
  await assertMoneySound(database.db)
})

test('money after the success is surplus, and is booked once even if it is reported twice', async () => {
  const payment = await accepted()
  const first = deposit('a', 1000n)
  await tell(payment, came(first))
  for (const _ of [1, 2]) {
    const recorded = await tell(payment, came(first, deposit('b', 70n)))
    assert.deepEqual({ alarm: recorded.alarm, doubts: recorded.doubts }, { alarm: undefined, doubts: [] })
  }
  assert.deepEqual(await heldFor(payment), [['surplus', 70n]])
  await assertMoneySound(database.db)
})

test('a short payment goes to suspense at expiry, and so does later money; an operator accepts both', async () => {
  const payment = await accepted()
  await tell(payment, came(deposit('a', 400n)))
  assert.equal((await tell(payment, expired)).orderState, State.cancelled)
  await tell(payment, came(deposit('a', 400n), deposit('b', 600n)))
  assert.deepEqual(await heldFor(payment), [
    ['short', 400n],
    ['late', 600n],
  ])
  assert.equal(await stateOf(database.db, payment), State.cancelled)
  const [held] = await listHeld(database.db, payment.merNo, 1)
  assert.ok(held)
  const clock = { now: () => new Date() }
  await acceptSuspense({ db: database.db, clock, rates: noRates }, held.suspenseId)
  assert.equal(await stateOf(database.db, payment), State.succeeded)
  assert.deepEqual(await heldFor(payment), [])
  await assertMoneySound(database.db)
})

test('a failure of an attempt may be the first report of its money', async () => {
  const payment = await accepted()
  await tell(payment, { ...expired, deposits: [deposit('a', 1n)] })
  assert.deepEqual(await heldFor(payment), [['short', 1n]])
  await assertMoneySound(database.db)
})

test('money in another currency does not pay the order and goes to suspense', async () => {
  const payment = await accepted()
  const recorded = await tell(payment, came(deposit('a', 5000n, 'EUR')))
  assert.equal(recorded.orderState, State.processing)
  assert.deepEqual(await heldFor(payment), [['unmatched', 5000n]])
  await assertMoneySound(database.db)
})

test('a success that is reported after the order expired is booked to suspense and raises an alarm', async () => {
  const payment = await accepted()
  await tell(payment, expired)
  for (const _ of [1, 2]) {
    const recorded = await tell(payment, { kind: 'succeeded', money: payment.money, channelRef: 'w1' })
    assert.match(recorded.alarm ?? '', /was failed/)
    assert.equal(recorded.orderState, State.cancelled)
  }
  assert.deepEqual(await heldFor(payment), [['late', 1000n]])
  await assertMoneySound(database.db)
})

test('a deposit that is reported many times concurrently counts once', async () => {
  const payment = await accepted()
  await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      tell(payment, came(deposit('a', 400n), deposit(`x${at % 3}`, 300n))),
    ),
  )
  const deposits = await listDeposits(database.db, payment)
  assert.equal(deposits.length, 4)
  assert.equal(await stateOf(database.db, payment), State.succeeded)
  await assertMoneySound(database.db)
})

test('a deposit that is reported again with another amount or currency stays as it was, and is doubted', async () => {
  const payment = await accepted()
  const report = async (...deposits: Deposit[]) => tell(payment, came(...deposits))
  assert.deepEqual((await report(deposit('a', 400n))).doubts, [])
  for (const other of [deposit('a', 1000n), deposit('a', 400n, 'EUR'), deposit('a', 1n)]) {
    const recorded = await report(other)
    assert.match(doubtOf(recorded), /another amount or currency than before/)
    assert.equal(recorded.orderState, State.processing)
  }
  assert.match(doubtOf(await report(deposit('a', 399n), deposit('b', 600n))), /than before/)
  assert.equal(await stateOf(database.db, payment), State.succeeded)
  assert.deepEqual((await report(deposit('a', 400n), deposit('b', 600n))).doubts, [])
  assert.match(doubtOf(await report(deposit('b', 700n))), /than before/)
  assert.deepEqual(await heldFor(payment), [])
  await assertMoneySound(database.db)
})

test('each change of a deposit raises one alarm, however often it is reported and whichever process records it', async () => {
  const payment = await accepted()
  const channel = scriptedChannel('card')
  const alarms: string[] = []
  const report = async (...deposits: Deposit[]) => {
    // Each report comes after a restart of the gateway.
    const started = openPayments(database.db, [channel])
    const { merNo, tradeNo } = payment
    await recordOutcome(started.deps, channel, { merNo, tradeNo, attemptNo: 1 }, came(...deposits))
    alarms.push(...started.alarms)
  }
  const [a, b] = [deposit('a', 400n), deposit('b', 300n)]
  const [more, less, euros] = [deposit('a', 500n), deposit('a', 399n), deposit('a', 400n, 'EUR')]
  await report(a, b)
  assert.deepEqual(alarms, [])
  for (const [changed, count] of [
    [[more, b], 1],
    [[more, b], 1],
    [[less, b], 2],
    [[a, b], 2],
    [[more, b], 2],
    [[euros, b], 3],
    [[less, deposit('b', 301n)], 4],
    [[less, deposit('b', 301n)], 4],
    [[deposit('a', 7n), deposit('b', 7n)], 6],
  ] as const) {
    await report(...changed)
    assert.equal(alarms.length, count)
  }
  for (const alarm of alarms) assert.match(alarm, /another amount or currency than before/)
  const other = await accepted()
  const started = openPayments(database.db, [channel])
  const { merNo, tradeNo } = other
  for (const _ of [1, 2])
    await recordOutcome(started.deps, channel, { merNo, tradeNo, attemptNo: 1 }, came(a))
  assert.equal(started.alarms.length, 1)
  assert.match(started.alarms[0] ?? '', /before for another/)
})

test('a deposit that is reported for two orders counts for the first, and raises an alarm', async () => {
  const [one, other] = [await accepted(), await accepted()]
  const same = deposit('same', 1000n)
  assert.equal((await tell(one, came(same))).orderState, State.succeeded)
  const recorded = await tell(other, came(same))
  assert.equal(recorded.orderState, State.processing)
  assert.match(doubtOf(recorded), /before for another/)
  await tell(other, expired)
  await tell(other, came(same))
  assert.deepEqual(await balancesOf(database.db, other.merNo), {})
  assert.deepEqual(await listDeposits(database.db, other), [])
  await assertMoneySound(database.db)
})

test('a deposit that is reported concurrently for two orders counts for one of them', async () => {
  const orders = await Promise.all([accepted(), accepted(), accepted(), accepted()])
  const same = deposit('contested', 1000n)
  const recorded = await Promise.all(orders.map((order) => tell(order, came(same))))
  const paid = recorded.filter(({ orderState }) => orderState === State.succeeded)
  assert.deepEqual(
    { paid: paid.length, doubtful: recorded.filter(({ doubts }) => doubts.length > 0).length },
    { paid: 1, doubtful: 3 },
  )
  await assertMoneySound(database.db)
})

/** The outcome that a bridge's callback with these deposits reports. */
async function fromBridge({ tradeNo }: NewPayment, deposits: readonly object[]): Promise<Outcome> {
  const [now, path, secret] = [new Date(), '/callbacks/rail', 'a secret for tests']
  const entry = { name: 'rail', protocol: 'bridge', methods: ['sepa'], url: 'http://127.0.0.1:1', secret }
  const [channel] = connectEntry(entry, toolsWith({ clock: { now: () => now } })).channels
  const charge = {
    reference: attemptReference(tradeNo, 1),
    id: 'c',
    status: 'open',
    amount: '1000',
    currency: 'EUR',
    account: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bank: 'Bank',
    payee: 'Shop',
    paymentReference: 'RF18539007547034',
  }
  const body = JSON.stringify({ ...charge, deposits })
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = signRequest(secret, { method: 'POST', path, timestamp, body })
  const headers = { [timestampHeader]: timestamp, [signatureHeader]: signature }
  const result = await channel?.readCallback?.({ method: 'POST', path, query: '', headers, body })
  assert.equal(result?.kind, 'accepted')
  const [report] = result.reports
  assert.equal(report?.outcome.kind, 'received')
  return report.outcome
}

test("deposits of a bridge's callback that no payment has are doubted and not stored, and balances stay readable", async () => {
  const payment = await accepted()
  const at = new Date().toISOString()
  const huge = Array.from({ length: 12 }, (_, no) => {
    return { id: `${merNo}-huge${no}`, amount: '9'.repeat(18), currency: 'USD', at }
  })
  const own = { id: `${merNo}-own`, amount: '100', currency: 'USD', at }
  const recorded = await tell(payment, await fromBridge(payment, [...huge, own]))
  assert.equal(recorded.doubts.length, 12)
  assert.match(doubtOf(recorded), /huge0 with an amount that no payment has: not counted/)
  assert.deepEqual(await statesOf(payment), ['own waiting'])
  await tell(payment, expired)
  assert.deepEqual(await heldFor(payment), [['short', 100n]])
})
