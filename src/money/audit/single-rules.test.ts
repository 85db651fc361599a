// Single rules of the audit: the rows that a rule names, and sound rows that the rule must not name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMoneySound, paidOrder } from '../../../test/builders/paid-orders.ts'
import { statementsOf } from '../../../test/builders/statements.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { parseRate } from '../../platform/base/money.ts'
import { attemptReference } from '../orders/order.ts'
import { setRates } from '../rates/set-rate.ts'
import { verifyBooks } from './verify-books.ts'

const database = useDatabase({ after: ({ db }) => assertMoneySound(db) })

const change = (text: string, ...values: readonly unknown[]) => database.db.query({ text, values })

async function found(): Promise<string[][]> {
  const { findings } = await verifyBooks({ db: database.db, clock: systemClock })
  return findings.map(({ check, subject }) => [check, subject])
}

test("a settlement is due within two hours of its day's beginning, and only an order that is wrong is named", async () => {
  const merNo = 63_000_001
  const { tradeNo } = await paidOrder(database.db, { merNo })
  await paidOrder(database.db, { merNo })
  const move = (hours: number) =>
    change(
      `update order_dues set due_at = due_at + $2::int * interval '1 hour' where trade_no = $1`,
      tradeNo,
      hours,
    )
  await move(2)
  assert.deepEqual(await found(), [], 'days do not begin at midnight everywhere')
  await move(-4)
  assert.deepEqual(await found(), [])
  await move(-1)
  assert.deepEqual(await found(), [['order-dues', tradeNo]])
  await move(3)
})

test('a notification under way waits for its due time until the next sweep, and no longer', async () => {
  await change(`
    update sweeps set swept_until = pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
      cluster = (select system_identifier from pg_control_system())
    where name = 'notifications'`)
  const { tradeNo } = await paidOrder(database.db, { merNo: 63_000_002 })
  // A worker is making the first attempt to deliver the notification.
  await change(
    `update notifications set due_at = null, leased_until = now() + interval '1 minute', attempts = 1
    where trade_no = $1`,
    tradeNo,
  )
  assert.deepEqual(await found(), [])
  const store = (by: number) =>
    change('update notifications set stored_in = stored_in + $2 where trade_no = $1', tradeNo, by)
  await store(-1_000_000)
  assert.deepEqual(await found(), [['swept-rows', tradeNo]], 'the sweep has missed it')
  await store(1_000_000)
})

test('a submitted file belongs to a review: a file of an order without one is named', async () => {
  const { merNo, tradeNo } = await paidOrder(database.db, { merNo: 63_000_003 })
  await change(
    `insert into review_files (mer_no, file_id, trade_no, proves, suffix, bytes, sha256, sealed, uploaded_at)
    values ($1, 'F1', $2, 'payerIdentityDocument', '.pdf', 1, '', '', now())`,
    merNo,
    tradeNo,
  )
  assert.deepEqual(await found(), [['review-files', tradeNo]])
  await change('delete from review_files where mer_no = $1', merNo)
})

test('a line of a payout run that does not exist is named', async () => {
  await change(
    `insert into payout_run_lines (mer_no, run_id, line_no, mer_order_no, currency, amount, kind, beneficiary,
      account_masked, state, problem)
    values (63000006, 'P1', 1, 'salary-1', 'USD', 1000, 'iban', 'Ann Smith', '…3000', 'refused', 'no such bank')`,
  )
  assert.deepEqual(await found(), [['payout-run-lines', 'P1']])
  await change(`delete from payout_run_lines where run_id = 'P1'`)
})

test('a paid order is named if statements list more for it than is booked', async () => {
  const { clock, importAs } = statementsOf(() => database.db)
  const at = new Date(clock.now().getTime() - 3 * 86_400_000)
  const { tradeNo } = await paidOrder(database.db, { merNo: 63_000_007, at })
  await importAs(
    { channel: 'card', fileName: 'card.csv' },
    `${attemptReference(tradeNo, 1)} 10.00 USD 2026-09-18`,
  )
  assert.deepEqual(await found(), [])
  const list = (more: number) =>
    change('update statement_lines set amount = amount + $2 where trade_no = $1', tradeNo, more)
  await list(1)
  const findings = await found()
  await list(-1)
  assert.deepEqual(
    findings.filter(([check]) => check === 'listed-payments'),
    [['listed-payments', tradeNo]],
  )
})

test('a dispute of a decided payment that waits is named once disputes of a day later are applied', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  const { tradeNo } = await paidOrder(database.db, { merNo: 63_000_004, at: ago(3) })
  const store = (ref: string, storedAt: Date, takenAt?: Date) =>
    change(
      `insert into channel_disputes (channel, dispute_ref, reference, currency, amount, reason, told_at, taken_at,
        result, stage, by_callback, stored_at)
      values ('card', $1, $2, 'USD', 1000, '13', $3, $4, $5, 'open', false, $3)`,
      ref,
      attemptReference(tradeNo, 1),
      storedAt,
      takenAt,
      takenAt === undefined ? '' : 'refused: no payment of ours has this reference',
    )
  await store('earlier', ago(5), ago(5))
  await store('waits', ago(2))
  assert.deepEqual(await found(), [], 'no dispute was applied since')
  await store('later', ago(0.5), ago(0.5))
  assert.deepEqual(await found(), [['dispute-waits', tradeNo]])
  await change('delete from channel_disputes')
})

test("a rate stays in force until the next rate of its own pair, and an order's rate must be in force", async () => {
  const setDaysAgo = (days: number, to: string, rate: string) => {
    const now = new Date(Date.now() - days * 86_400_000)
    return database.db.transaction((tx) =>
      setRates(tx, [{ from: 'USD', to, rate }], { now, isConfirmed: true }),
    )
  }
  await setDaysAgo(3, 'EUR', '0.9')
  await setDaysAgo(2, 'GBP', '0.75')
  const rate = parseRate('0.9')
  assert.ok(rate)
  const { tradeNo } = await paidOrder(database.db, {
    merNo: 63_000_005,
    terms: { settleCurrency: 'EUR' },
    rate,
  })
  assert.deepEqual(await found(), [])
  await setDaysAgo(1, 'EUR', '0.8')
  assert.deepEqual(await found(), [['rate-used', tradeNo]])
  await change(`delete from rates where to_currency = 'EUR' and rate = 0.8`)
})

test('a missing due is a finding about its own order, and not about orders of other merchants', async () => {
  const [, { tradeNo }] = [
    await paidOrder(database.db, { merNo: 63_000_006 }),
    await paidOrder(database.db, { merNo: 63_000_007 }),
  ]
  const [due] = await database.db.query<{ row: object }>({
    text: 'select to_jsonb(d) as row from order_dues d where trade_no = $1',
    values: [tradeNo],
  })
  assert.ok(due)
  await change('delete from order_dues where trade_no = $1', tradeNo)
  assert.deepEqual(await found(), [['order-dues', tradeNo]])
  const restored = 'insert into order_dues select * from jsonb_populate_record(null::order_dues, $1::jsonb)'
  await change(restored, JSON.stringify(due.row))
})
