// Every mistake leaves damaged rows among sound ones. The gateway writes a row where it still can write such a row. The
// test changes the other rows to the state in which an earlier version left them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Case, openCase, PRICE } from '../../../test/builders/deposits.ts'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import {
  accept,
  anApplication,
  approve,
  dispute,
  loseDispute,
  record,
  succeeded,
} from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { runTollgate } from '../../../test/harness/operator.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { importStatement } from '../reconciliation/import-statement.ts'
import { type Damaged, reviewPast } from './review-past.ts'

const database = useDatabase()

const change = (text: string, ...values: readonly unknown[]) => database.db.query({ text, values })
const damaged = async (name: string): Promise<readonly Damaged[]> =>
  (await reviewPast(database.db)).find((mistake) => mistake.name === name)?.rows ?? []
const runs = (...options: readonly string[]) =>
  runTollgate(['ledger', 'review-past', ...options], { DATABASE_URL: database.url })

test('a new installation has no damaged rows, and the command exits with 0', async () => {
  const { status, stdout } = await runs()
  assert.deepEqual(
    { status, stdout },
    { status: 0, stdout: 'No row shows a trace of the mistakes of earlier versions.\n' },
  )
  assert.deepEqual(JSON.parse((await runs('--json')).stdout), { mistakes: [] })
  // In the rest of the file, October 2026 counts as the time of the upgrade.
  await change(`update migrations set applied_at = '2026-10-01' where name ~ '^005[67]'`)
})

async function decidedByOperator({ order: { merNo, tradeNo } }: Case): Promise<void> {
  const entry = { merNo, at: new Date('2026-09-03'), actor: { kind: 'command', name: 'ann' } } as const
  const about = { action: 'outcome.decide', subject: tradeNo, before: {}, after: { state: 'succeeded' } }
  await database.db.transaction((tx) => writeAudit(tx, { ...entry, ...about, reason: 'By telephone' }))
}

test('a transfer that was too short and recorded as succeeded is listed with what is missing', async () => {
  const whole = await openCase(database.db)
  await whole.comes(PRICE)
  await decidedByOperator(whole)
  const short = await openCase(database.db)
  await short.comes(2_000n)
  await short.lateSuccess()
  await decidedByOperator(short)
  const bySomebodyElse = await openCase(database.db)
  await bySomebodyElse.comes(2_000n)
  await bySomebodyElse.lateSuccess()
  await short.comes(500n)
  const rows = await damaged('short-transfer-credited')
  assert.deepEqual(
    rows.map(({ subject, amount, currency }) => [subject, amount, currency]),
    [[short.order.tradeNo, '30.00', 'EUR']],
  )
  assert.deepEqual(rows[0]?.details, {
    credited: '50.00 EUR',
    received: '20.00 EUR',
    'reported later': '5.00 EUR',
    method: 'sepa',
    attempt: '1',
    'decided by': 'ann',
    reason: 'By telephone',
  })
})

test('a refund that was approved beside a chargeback is listed, unless it failed', async () => {
  const refundNos: string[] = []
  for (let no = 0; no < 3; no++) {
    const payment = await paidOrder(database.db)
    const waiting = await accept(
      database.db,
      anApplication(payment, { amount: 400n, terms: { approveRefunds: true } }),
    )
    await approve(database.db, waiting.refundNo)
    await dispute(database.db, payment)
    await loseDispute(database.db, payment)
    refundNos.push(waiting.refundNo)
    if (no < 2)
      await change(
        `update chargebacks set opened_at = opened_at - interval '1 hour' where trade_no = $1`,
        payment.tradeNo,
      )
    if (no === 1)
      await change(
        `update refunds set state = 'failed', ask_at = null where refund_no = $1`,
        waiting.refundNo,
      )
  }
  const rows = await damaged('refund-beside-chargeback')
  assert.deepEqual(
    rows.map(({ subject, amount, currency, details }) => [subject, amount, currency, details.chargeback]),
    [[refundNos[0], '4.00', 'USD', 'lost']],
  )
})

test('money that came back before its amount was stored is listed: of refunds, payouts and rejected payments', async () => {
  const times = [
    ['2026-09-04', null],
    ['2026-09-04', 900],
    ['2026-10-04', null],
  ] as const
  const expected: string[] = []
  for (const [at, returned] of times) {
    const payment = await paidOrder(database.db)
    const refund = await accept(database.db, anApplication(payment))
    await record(database.db, succeeded(refund))
    await change(
      `update refunds set state = 'returned', decided_at = $2, returned_amount = $3 where refund_no = $1`,
      refund.refundNo,
      at,
      returned,
    )
    const payout = await paidOrder(database.db, { amount: 700n })
    await change(
      `insert into payouts (mer_no, trade_no, kind, state, rail, reference, beneficiary, fee, funding_currency,
        funding_amount, needs_approval, created_at, returned_amount)
      values ($1, $2, 'pix', 'returned', 'bank', $2, '{}', 0, 'USD', 700, false, $3, $4)`,
      payout.merNo,
      payout.tradeNo,
      at,
      returned,
    )
    await change(`update orders set decided_at = $2 where trade_no = $1`, payout.tradeNo, at)
    const reference = `V${payment.tradeNo.slice(1)}${returned === null ? '1' : ''}`
    await change(
      `insert into suspense (mer_no, suspense_id, channel, reference, currency, amount, why, state, booked_at, origin)
      values ($1, $2, 'sepa', $3, 'EUR', 300, 'unmatched', 'held', $4, 'channel')`,
      payment.merNo,
      `S-${payment.tradeNo}`,
      reference,
      at,
    )
    if (expected.length === 0) expected.push(refund.refundNo, payout.tradeNo, `S-${payment.tradeNo}`)
  }
  const rows = await damaged('return-credited-in-full')
  assert.deepEqual(
    new Map(rows.map(({ subject, amount, currency }) => [subject, `${amount} ${currency}`])),
    new Map([
      [expected[0], '10.00 USD'],
      [expected[1], '7.00 USD'],
      [expected[2], '3.00 EUR'],
    ]),
  )
  assert.equal(rows.length, 3)
})

/** A statement from before the money of the test was booked. */
const EARLIER = { id: 'I0', day: '2026-09-18', importedAt: '2026-09-19T00:00:00Z' }
const FIRST = { id: 'I1', day: '2026-09-02', importedAt: '2026-09-20T00:01:00Z' }
const SECOND = { id: 'I2', day: '2026-09-21', importedAt: '2026-09-22T00:00:00Z' }

function statement({ id, day, importedAt }: typeof FIRST) {
  return change(
    `insert into channel_statements (mer_no, statement_id, channel, file_name, first_day, last_day, lines, matched,
      different, booked, fees, imported_by, imported_at, import_no)
    select 0, $1, 'sepa', $1 || '.csv', $2, $2, 3, 1, 2, 0, '{}', 'ann', $3, coalesce(max(import_no), 0) + 1
    from channel_statements`,
    id,
    day,
    importedAt,
  )
}

function difference(statementId: string, no: number, reference: string, amount: bigint) {
  return change(
    `insert into statement_differences (mer_no, statement_id, difference_no, channel, kind, type, reference, line,
      their_amount, their_currency, state)
    values (0, $1, $2, 'sepa', 'missing here', 'payment', $3, $2, $4, 'EUR', 'open')`,
    statementId,
    no,
    reference,
    amount,
  )
}

test('lines under a repeated reference that were booked nowhere are listed until their statement is imported again', async () => {
  const any = await openCase(database.db)
  await any.comes(PRICE)
  for (const reference of ['REPEATED', 'GONE', 'LAST']) await any.lists([600n], { reference })
  // Migration 0057 left the lines of earlier versions in this state.
  await change(
    `update statement_lines set statement_id = null, is_day_unknown = true, day = '2026-09-20' where trade_no is null`,
  )
  await change(
    `update suspense set state = 'returned', decided_at = case reference when 'GONE' then $1 else $2 end::timestamptz
    where reference in ('GONE', 'LAST')`,
    '2026-09-21',
    '2026-09-23',
  )
  await statement(EARLIER)
  await statement(FIRST)
  await difference(FIRST.id, 2, 'REPEATED', 600n)
  await statement(SECOND)
  await difference(SECOND.id, 2, 'REPEATED', 900n)
  await difference(SECOND.id, 3, 'REPEATED', 600n)
  const notBooked = await damaged('line-not-booked')
  assert.deepEqual(notBooked.map(({ subject, amount, currency }) => [subject, amount, currency]).sort(), [
    ['I2', '6.00', 'EUR'],
    ['I2', '9.00', 'EUR'],
  ])
  assert.equal(notBooked[0]?.details.file, 'I2.csv')
  const hidden = await damaged('line-hidden-by-decision')
  assert.deepEqual(
    hidden.map(({ amount, currency, details }) => [
      amount,
      currency,
      details.reference,
      details['first day'],
    ]),
    [['6.00', 'EUR', 'GONE', '2026-09-21']],
  )
  const lines = (
    [
      ['REPEATED', 900n],
      ['REPEATED', 600n],
      ['GONE', 700n],
    ] as const
  ).map(([reference, amount], at) => {
    const money = { amount, currency: 'EUR' }
    return { line: at + 2, type: 'payment', reference, money, fee: 0n, day: SECOND.day } as const
  })
  const clock = { now: () => new Date('2026-10-02') }
  const file = { channel: 'sepa', fileName: 'I2.csv', by: 'ann' }
  const { booked } = await importStatement({ db: database.db, clock }, file, lines)
  assert.equal(booked, 3, 'the new version books what was booked nowhere')
  assert.deepEqual(
    { notBooked: await damaged('line-not-booked'), hidden: await damaged('line-hidden-by-decision') },
    { notBooked: [], hidden: [] },
  )
})

const LATER = '2026-09-03'

test('money of a line that may be a corrected or re-dated one is listed with both lines', async () => {
  const redated = await listedTwice()
  const corrected = await listedTwice()
  const equal = await listedTwice()
  const afterUpgrade = await listedTwice()
  const lineOf = 'update statement_lines set'
  await change(
    `${lineOf} day = '2026-09-02', amount = 5100 where trade_no = $1 and day = $2`,
    corrected,
    LATER,
  )
  await change(`${lineOf} day = '2026-09-02' where trade_no = $1`, equal)
  await change(`update suspense set booked_at = '2026-10-01' where trade_no = $1`, afterUpgrade)
  const rows = await damaged('line-booked-twice')
  assert.deepEqual(
    rows.map(({ amount, currency, details: { order, suspense, ...lines } }) => [
      order,
      amount,
      currency,
      lines,
    ]),
    [
      [redated, '50.00', 'EUR', linesOf('50.00 EUR', LATER)],
      [corrected, '50.00', 'EUR', linesOf('51.00 EUR', '2026-09-02')],
    ],
  )
})

function linesOf(other: string, otherDay: string) {
  const first = { channel: 'sepa', line: '50.00 EUR', 'line day': '2026-09-02' }
  return { ...first, 'other line': other, 'other day': otherDay }
}

/** A paid order whose statements list its amount on two days. The second amount is booked to suspense. */
async function listedTwice(): Promise<string> {
  const paid = await openCase(database.db)
  await paid.comes(PRICE)
  for (const day of ['2026-09-02', LATER]) await paid.lists([PRICE], { day })
  return paid.order.tradeNo
}

test('the command prints every mistake with what to do, and says how many rows are beyond the limit', async () => {
  await change(
    `insert into suspense (mer_no, suspense_id, channel, reference, currency, amount, why, state, booked_at, origin)
    select 1, 'S' || no, 'sepa', 'V' || lpad(no::text, 26, '0') || '1', 'EUR', 300, 'unmatched', 'held', '2026-09-04', 'channel'
    from generate_series(1, 200) no`,
  )
  const { status, stdout } = await runs()
  assert.equal(status, 1)
  assert.match(stdout, /\(return-credited-in-full, 203\):\n/)
  assert.match(stdout, /\n {2}and 3 more: add --skip 200\n {2}What to do: Compare with the rail's statement/)
  assert.match(stdout, /merchant \d+ +T\w+ +30\.00 EUR +credited 50\.00 EUR, received 20\.00 EUR/)
  const { mistakes } = JSON.parse((await runs('--json')).stdout)
  const counts = mistakes.map((one: { name: string; count: number; rows: unknown[] }) => [
    one.name,
    one.count,
    one.rows.length,
  ])
  assert.deepEqual(counts, [
    ['short-transfer-credited', 1, 1],
    ['refund-beside-chargeback', 1, 1],
    ['return-credited-in-full', 203, 200],
    ['line-booked-twice', 2, 2],
  ])
  const rowsOf = async (...options: readonly string[]) => {
    const { mistakes } = JSON.parse((await runs('--json', ...options)).stdout)
    const found = mistakes.find((one: { name: string }) => one.name === 'return-credited-in-full')
    return (found?.rows ?? []).map((one: { subject: string }) => one.subject)
  }
  const rest = await rowsOf('--skip', '200')
  assert.equal(rest.length, 3)
  assert.equal(new Set([...(await rowsOf()), ...rest]).size, 203, 'every row is in one of the pages')
  assert.doesNotMatch((await runs('--skip', '200')).stdout, /more: add/)
  const beyond = await runs('--skip', '203')
  assert.deepEqual([beyond.status, beyond.stdout], [0, 'No mistake has more than 203 rows.\n'])
  assert.match((await runs('--skip', 'x')).stderr, /^--skip must be a whole number/)
})
