import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDecline, aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { foldBalances } from '../ledger/balances.ts'
import { verifyLedger } from '../ledger/verify-ledger.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { compareKeys } from '../orders/order.ts'
import { acceptPayments } from './accept-payments.ts'
import { type OutcomeReport, openRecordBatch, recordOutcomes } from './record-outcomes.ts'

const database = useDatabase()

const deps = () => ({ db: database.db, rates: noRates })

async function accepted(changes: Partial<NewPayment> = {}): Promise<NewPayment> {
  const payment = aPayment(changes)
  await acceptPayments(database.db, [payment])
  return payment
}

type EntryRow = { step: string; debit: string; credit: string; amount: bigint }

function entriesOf(payment: NewPayment): Promise<EntryRow[]> {
  return database.db.query<EntryRow>({
    text: 'select step, debit, credit, amount from ledger_entries where mer_no = $1 and subject = $2 order by step',
    values: [payment.merNo, payment.tradeNo],
  })
}

async function notificationsOf(payment: NewPayment): Promise<unknown[]> {
  const rows = await database.db.query<{ fields: unknown }>({
    text: 'select fields from notifications where mer_no = $1 and trade_no = $2',
    values: [payment.merNo, payment.tradeNo],
  })
  return rows.map((row) => row.fields)
}

const withFees = {
  feeBps: 290,
  feeFixed: 30n,
  marginBps: 1000,
  marginDays: 180,
  settleDays: 1,
  settleCurrency: 'USD',
  settleRate: undefined,
}

test('a success books the amount, both fees and the margin, and the merchant gets the remainder', async () => {
  const payment = await accepted({ merNo: 30_000_001, terms: withFees })
  await recordOutcomes(deps(), [aSuccess(payment)])
  assert.deepEqual(await entriesOf(payment), [
    { step: 'handling-fee', debit: 'merchant:unsettled', credit: 'platform:fees', amount: 29n },
    { step: 'margin', debit: 'merchant:unsettled', credit: 'merchant:margin', amount: 100n },
    { step: 'payment', debit: 'rail:card', credit: 'merchant:unsettled', amount: 1000n },
    { step: 'processing-fee', debit: 'merchant:unsettled', credit: 'platform:fees', amount: 30n },
  ])
  const balances = await database.db.query<{ account: string; net: bigint }>({
    text: 'select account, credits - debits as net from balances where mer_no = $1 order by account',
    values: [payment.merNo],
  })
  assert.deepEqual(
    balances.map(({ account, net }) => [account, net]),
    [
      ['merchant:margin', 100n],
      ['merchant:unsettled', 841n],
      ['platform:fees', 59n],
      ['rail:card', -1000n],
    ],
  )
})

test('a fixed fee above the amount gives a negative remainder', async () => {
  const terms = { ...withFees, feeFixed: 5000n }
  const payment = await accepted({ merNo: 30_000_002, terms })
  await recordOutcomes(deps(), [aSuccess(payment)])
  const [row] = await database.db.query<{ remainder: bigint }>({
    text: 'select remainder from orders where mer_no = $1',
    values: [payment.merNo],
  })
  assert.equal(row?.remainder, 1000n - 29n - 5000n - 100n)
})

test('a success that several nodes report a hundred times concurrently is booked and notified once', async () => {
  const payment = await accepted({ merNo: 30_000_003 })
  const nodes = [1, 2, 3].map(() => openRecordBatch(deps()))
  await Promise.all(Array.from({ length: 100 }, (_, index) => nodes[index % 3]?.submit(aSuccess(payment))))
  assert.equal((await entriesOf(payment)).length, 1)
  assert.deepEqual(await notificationsOf(payment), [
    {
      tradeNo: payment.tradeNo,
      merOrderNo: payment.merOrderNo,
      code: '0',
      message: 'Payment succeeded',
      currencyCode: 'USD',
      sourceAmount: '10.00',
    },
  ])
})

test('a success after a decline goes to suspense and raises an alarm; the reverse only raises an alarm', async () => {
  const [declined, paid] = [await accepted({ merNo: 30_000_004 }), await accepted({ merNo: 30_000_004 })]
  await recordOutcomes(deps(), [aDecline(declined), aSuccess(paid)])
  const [late, other] = await recordOutcomes(deps(), [aSuccess(declined), aDecline(paid)])
  assert.match(late?.alarm ?? '', /was failed/)
  assert.match(other?.alarm ?? '', /was succeeded/)
  assert.equal((await findPayment(database.db, declined))?.state, 6)
  assert.equal((await findPayment(database.db, paid))?.state, 5)
  assert.deepEqual(
    (await entriesOf(declined)).map(({ debit, credit }) => [debit, credit]),
    [['rail:card', 'suspense']],
  )
})

test('an order that changed since its acceptance is read again, and the rest of its batch is recorded too', async () => {
  const [asked, untouched] = [await accepted({ merNo: 30_000_018 }), await accepted({ merNo: 30_000_018 })]
  const unknown = aSuccess(asked, { outcome: { kind: 'unknown', why: 'time-out' }, accepted: undefined })
  await recordOutcomes(deps(), [unknown])
  const recorded = await recordOutcomes(deps(), [aSuccess(untouched), aSuccess(asked)])
  assert.deepEqual(
    recorded.map(({ orderState, changed }) => [orderState, changed]),
    [
      [5, true],
      [5, true],
    ],
  )
  assert.equal((await entriesOf(asked)).length, 1)
  assert.equal((await entriesOf(untouched)).length, 1)
})

/** Opens the batcher of a node, and records the size of each of its batches. */
function recorder() {
  const sizes: number[] = []
  const record = openRecordBatch(deps(), { observe: (size) => sizes.push(size) })
  return { record, sizes }
}

test('two different reports of one order are recorded one after the other, in separate batches', async () => {
  const payment = await accepted({ merNo: 30_000_005 })
  const { record, sizes } = recorder()
  const unknown: OutcomeReport = aSuccess(payment, { outcome: { kind: 'unknown', why: 'time-out' } })
  const [first, second] = await Promise.all([record.submit(unknown), record.submit(aSuccess(payment))])
  assert.equal(first?.attemptState, 'unknown')
  assert.equal(second?.orderState, 5)
  assert.deepEqual(sizes, [1, 1])
})

test('six hundred reports of one order take one entry in a batch, and two recordings in all', async () => {
  const [flooded, ...others] = [await accepted(), await accepted(), await accepted(), await accepted()]
  const { record, sizes } = recorder()
  const flood = Array.from({ length: 600 }, () => record.submit(aSuccess(flooded)))
  const rest = others.map((payment) => record.submit(aSuccess(payment)))
  const recorded = await Promise.all([...flood, ...rest])
  assert.deepEqual([...new Set(recorded.map(({ orderState }) => orderState))], [5])
  assert.deepEqual(sizes, [4, 1])
  assert.equal((await entriesOf(flooded)).length, 1)
})

test('orders that were just accepted are changed in the order in which everybody locks them', async () => {
  const payments = [await accepted({ merNo: 30_000_029 }), await accepted({ merNo: 30_000_029 })]
  const [first, second] = payments.toSorted((one, other) => compareKeys(one, other))
  assert.ok(first && second)
  const lock = (payment: NewPayment) => ({
    text: 'select from orders where mer_no = $1 and trade_no = $2 for update nowait',
    values: [payment.merNo, payment.tradeNo],
  })
  const { recorded } = await database.db.transaction(async (tx) => {
    await tx.query(lock(first))
    const recording = recordOutcomes(deps(), [aSuccess(second), aSuccess(first)])
    await waitUntilSomebodyWaits(database.db)
    await tx.query(lock(second))
    return { recorded: recording }
  })
  assert.deepEqual(
    (await recorded).map(({ orderState }) => orderState),
    [5, 5],
  )
})

test('a batch that fails and is halved still returns which payments go to the next channel', async () => {
  const [troubled, absent] = [await accepted({ merNo: 30_000_023 }), aPayment({ merNo: 30_000_023 })]
  const next = { channel: 'card-2', askAt: new Date(Date.now() + 10_000) }
  const trouble = { kind: 'failed', cause: 'unreachable', message: 'down' } as const
  const { record, sizes } = recorder()
  const [passed, failed] = await Promise.allSettled([
    record.submit(aSuccess(troubled, { outcome: trouble, next })),
    record.submit(aSuccess(absent, { accepted: undefined })),
  ])
  assert.deepEqual(sizes, [2])
  assert.equal(failed.status, 'rejected')
  assert.ok(passed.status === 'fulfilled')
  assert.deepEqual(
    { changed: passed.value.changed, nextAttemptNo: passed.value.nextAttemptNo },
    { changed: true, nextAttemptNo: 2 },
  )
})

for (const money of [
  { amount: 999n, currency: 'USD' },
  { amount: 1000n, currency: 'EUR' },
]) {
  test(`a reported amount of ${money.amount} ${money.currency} for 1000 USD is no success`, async () => {
    const payment = await accepted({ merNo: 30_000_006 })
    const outcome = { kind: 'succeeded', money, channelRef: 'x' } as const
    const [recorded] = await recordOutcomes(deps(), [aSuccess(payment, { outcome })])
    assert.match(recorded?.alarm ?? '', /another amount or currency/)
    const found = await findPayment(database.db, payment)
    assert.equal(found?.state, 1)
    assert.equal(found?.attempt?.state, 'unknown')
    assert.equal((await entriesOf(payment)).length, 0)
  })
}

test('an unknown outcome is queried after a second, then at growing intervals', async () => {
  const payment = await accepted({ merNo: 30_000_007 })
  const at = new Date(payment.createdAt.getTime() + 100)
  await recordOutcomes(deps(), [aSuccess(payment, { at, outcome: { kind: 'unknown', why: 'time-out' } })])
  const [row] = await database.db.query<{ ask_at: Date; state: string }>({
    text: 'select ask_at, state from attempts where mer_no = $1',
    values: [payment.merNo],
  })
  assert.equal(row?.state, 'unknown')
  assert.equal(row?.ask_at.getTime(), at.getTime() + 1000)
})

test('a payer has thirty minutes, and an unknown outcome meanwhile does not end that', async () => {
  const payment = await accepted({ merNo: 30_000_008 })
  const action = { kind: 'challenge', acsUrl: 'https://acs.example', creq: 'abc' } as const
  await recordOutcomes(deps(), [aSuccess(payment, { outcome: { kind: 'pending', channelRef: 'c', action } })])
  await recordOutcomes(deps(), [aSuccess(payment, { outcome: { kind: 'unknown', why: 'time-out' } })])
  const found = await findPayment(database.db, payment)
  assert.equal(found?.attempt?.state, 'pending')
  assert.deepEqual(found?.attempt?.action, action)
  const [row] = await database.db.query<{ ask_at: Date }>({
    text: 'select ask_at from attempts where mer_no = $1',
    values: [payment.merNo],
  })
  assert.equal(row?.ask_at.getTime(), payment.createdAt.getTime() + 30 * 60_000)
})

for (let position = 0; position < 5; position++) {
  test(`an outcome for an unknown order, at position ${position} of five, fails alone`, async () => {
    const merNo = 30_001_000 + position
    const record = openRecordBatch(deps())
    const payments = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        index === position ? aPayment({ merNo }) : accepted({ merNo }),
      ),
    )
    const results = await Promise.allSettled(payments.map((payment) => record.submit(aSuccess(payment))))
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []))
    assert.deepEqual(failed, [position])
    const booked = await Promise.all(payments.map(async (payment) => (await entriesOf(payment)).length))
    assert.equal(booked.filter((count) => count === 1).length, 4)
  })
}

test('in the end every balance is the sum of its entries', async () => {
  const { entries, differences } = await verifyLedger(database.db)
  assert.ok(entries > 20)
  assert.deepEqual(differences, [])
})

test('the ledger is append only', async () => {
  for (const statement of ['update bookings set at = now()', 'delete from bookings', 'truncate bookings']) {
    await assert.rejects(database.db.query({ text: statement }), /append only/)
  }
})

test('a corrupted balance is found', async () => {
  await foldBalances(database.db, 1_000)
  await database.db.query({
    text: "update balance_sums set credits = credits + 1 where mer_no = 30000001 and account = 'platform:fees'",
  })
  const { differences } = await verifyLedger(database.db)
  assert.deepEqual(differences, [
    { merNo: 30_000_001, account: 'platform:fees', currency: 'USD', balance: '60', entries: '59' },
  ])
})

test('a failure of the channel leads to the next one in the same transaction; a decline does not', async () => {
  const payment = await accepted({ merNo: 30_000_020 })
  const next = { channel: 'card-2', askAt: new Date(Date.now() + 10_000) }
  const trouble = { kind: 'failed', cause: 'unreachable', message: 'down' } as const
  const [passed] = await recordOutcomes(deps(), [aSuccess(payment, { outcome: trouble, next })])
  assert.equal(passed?.nextAttemptNo, 2)
  assert.equal((await findPayment(database.db, payment))?.state, 1)
  const [declined] = await recordOutcomes(deps(), [{ ...aDecline(payment), attemptNo: 2, next }])
  assert.equal(declined?.nextAttemptNo, undefined)
  assert.equal(declined?.orderState, 6)
  const attempts = await database.db.query<{ channel: string; state: string; card_last4: string }>({
    text: 'select channel, state, card_last4 from attempts where mer_no = $1 order by attempt_no',
    values: [payment.merNo],
  })
  assert.deepEqual(
    attempts.map(({ channel, state, card_last4 }) => [channel, state, card_last4]),
    [
      ['card', 'failed', '4242'],
      ['card-2', 'failed', '4242'],
    ],
  )
})

test('money in review is booked separately, and the merchant is notified only if it wants to be', async () => {
  for (const [merNo, notify] of [
    [30_000_021, true],
    [30_000_022, false],
  ] as const) {
    await database.db.query({
      text: `insert into merchants (mer_no, name, state, created_at, notify_review) values ($1, 'Shop', 'active', now(), $2)`,
      values: [merNo, notify],
    })
    const payment = await accepted({ merNo })
    await database.db.query({
      text: 'update orders set needs_review = true where mer_no = $1',
      values: [merNo],
    })
    const [recorded] = await recordOutcomes(deps(), [aSuccess(payment)])
    assert.equal(recorded?.orderState, 24)
    assert.deepEqual(
      (await entriesOf(payment)).map(({ step, debit, credit }) => [step, debit, credit]),
      [['review', 'rail:card', 'transit:review']],
    )
    assert.equal((await notificationsOf(payment)).length, notify ? 1 : 0)
  }
})
