// Migration 0018 on a database of an older version: ether in wei, ariary with one decimal.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, beforeEach, test } from 'node:test'
import { verifyBooks } from '../src/money/audit/verify-books.ts'
import { foldBalances } from '../src/money/ledger/balances.ts'
import { verifyLedger } from '../src/money/ledger/verify-ledger.ts'
import { lockPaidOrders } from '../src/money/orders/lock-orders.ts'
import { checkPosition } from '../src/money/orders/position.ts'
import { systemClock } from '../src/platform/base/clock.ts'
import { formatAmount } from '../src/platform/base/money.ts'
import { migrate } from '../src/platform/postgres/migrate.ts'
import { assertMoneySound, balancesOf } from './builders/paid-orders.ts'
import { cloneDatabase, type TestDatabase } from './harness/harness.ts'

const folder = new URL('../migrations/', import.meta.url)
const merNo = 55_000_001
const at = '2026-11-01T12:00:00Z'

/** Runs only the checks of amounts, because the tests write rows by hand, with only the columns that hold amounts. */
const assertAmountsSound = () =>
  assertMoneySound(db(), ['order-parts', 'order-entries', 'order-conversion', 'daily-totals'])

let database: TestDatabase | undefined
after(() => database?.drop())

beforeEach(async () => {
  await database?.drop()
  database = await cloneDatabase(1)
  await db().query({ text: 'drop schema public cascade; create schema public' })
  await db().query({
    text: 'create table migrations (name text primary key, applied_at timestamptz not null default now())',
  })
  for (const name of readdirSync(folder).sort()) {
    if (!/^\d{4}_/.test(name) || name >= '0018') continue
    await db().query({ text: readFileSync(new URL(name, folder), 'utf8') })
    await db().query({ text: 'insert into migrations (name) values ($1)', values: [name] })
  }
})

function db() {
  assert.ok(database)
  return database.db
}

type Transfer = readonly [step: string, debit: string, credit: string, amount: bigint]

/** Writes the entries and their delta as the older version booked them. */
async function book(subject: string, currency: string, transfers: readonly Transfer[]): Promise<void> {
  const accounts = [...new Set(transfers.flatMap(([, debit, credit]) => [debit, credit]))]
  const sum = (account: string, side: 1 | 2) =>
    transfers.reduce((total, one) => (one[side] === account ? total + one[3] : total), 0n)
  for (const [index, [step, debit, credit, amount]] of transfers.entries())
    await db().query({
      text: `insert into ledger_entries (mer_no, subject, step, debit, credit, currency, amount, at)
        values ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz + make_interval(secs => $9))`,
      values: [merNo, subject, step, debit, credit, currency, amount, at, index],
    })
  await db().query({
    text: `insert into balance_deltas (mer_no, delta_id, currency, accounts, debits, credits)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [
      merNo,
      `${subject} ${currency}`,
      currency,
      accounts,
      accounts.map((account) => sum(account, 1)),
      accounts.map((account) => sum(account, 2)),
    ],
  })
}

async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(row)
  await db().query({
    text: `insert into ${table} (${names}) values (${names.map((_, place) => `$${place + 1}`)})`,
    values: Object.values(row),
  })
}

type Paid = Readonly<Record<string, unknown>> & {
  readonly currency: string
  readonly settle_currency: string
  readonly amount: bigint
  readonly settle_amount: bigint
}

/** Inserts a payment in state 5 with its attempt and its daily total. */
async function insertPaid(tradeNo: string, own: Paid): Promise<void> {
  const { currency, settle_currency, amount, settle_amount } = own
  const day = { local_day: '2026-11-01', state: 5 }
  await insert('orders', {
    ...{ mer_no: merNo, trade_no: tradeNo, mer_order_no: tradeNo, kind: 'payment', method: 'card', ...day },
    ...{ created_at: at, decided_at: at, usd_value: 1, platform_limited: false },
    ...{ fee_bps: 0, fee_fixed: 0, margin_bps: 0, margin_days: 1, settle_days: 1, handling_fee: 0 },
    ...{ processing_fee: 0, margin: 0, ...own },
  })
  await insert('attempts', {
    ...{
      mer_no: merNo,
      trade_no: tradeNo,
      attempt_no: 1,
      channel: 'card',
      state: 'succeeded',
      created_at: at,
    },
  })
  await insert('order_total_deltas', {
    ...{ mer_no: merNo, delta_id: tradeNo, ...day, currency, settle_currency },
    ...{ settled: 'settled_at' in own, orders: 1, source_amount: amount, settle_amount },
  })
}

async function amounts(text: string): Promise<unknown[]> {
  return (await db().query<Record<string, unknown>>({ text })).map((row) => Object.values(row))
}

const USD_ORDER = { currency: 'USD', settle_currency: 'ETH', settle_rate: '0.0003125', settled_at: at }

test('ether that overflowed in wei is stored in gwei: balances, parts and totals are sound', async () => {
  // Two payments of 20,000 USD are 6.25 ether each. Their sum in wei does not fit into a bigint.
  for (const tradeNo of ['T1', 'T2']) {
    const wei = 6_250_000_000_000_000_000n
    const row = { amount: 2_000_000n, remainder: 0n, settled_source: 2_000_000n, settle_amount: wei }
    await insertPaid(tradeNo, { ...USD_ORDER, ...row })
    await book(tradeNo, 'USD', [
      ['payment', 'rail:card', 'merchant:unsettled', 2_000_000n],
      ['settle', 'merchant:unsettled', 'platform:exchange', 2_000_000n],
    ])
    await book(tradeNo, 'ETH', [['settle:exchanged', 'platform:exchange', 'merchant:available', wei]])
  }
  await assert.rejects(balancesOf(db(), merNo), /out of range/)
  await migrate(db())
  await assertAmountsSound()
  while ((await foldBalances(db(), 10)) > 0);
  const { 'merchant:available ETH': available = 0n } = await balancesOf(db(), merNo)
  assert.equal(formatAmount(available, 'ETH'), '12.500000000')
  assert.deepEqual(await amounts('select settle_amount from orders'), [[6_250_000_000n], [6_250_000_000n]])
  assert.deepEqual(await amounts('select orders, settle_amount from order_totals'), [[2n, 12_500_000_000n]])
})

test('fractions of a gwei go to the exchange account, and make no balance negative', async () => {
  // Three credits of 1.6 gwei, then a payout of 4.8 gwei. Rounded down one by one, the balance would be 3 − 4 gwei.
  for (const subject of ['A', 'B', 'C'])
    await book(subject, 'ETH', [
      ['settle:exchanged', 'platform:exchange', 'merchant:available', 1_600_000_000n],
    ])
  await book('P', 'ETH', [['payout:sold', 'merchant:available', 'platform:exchange', 4_800_000_000n]])
  // The amount is debited at once and credited in two parts. The balance is zero, and a part below one gwei leaves no
  // entry.
  await book('R', 'ETH', [
    ['taken', 'merchant:available', 'platform:exchange', 1_900_000_000n],
    ['back-1', 'platform:exchange', 'merchant:available', 300_000_000n],
    ['back-2', 'platform:exchange', 'merchant:available', 1_600_000_000n],
  ])
  await migrate(db())
  assert.deepEqual((await verifyLedger(db())).differences, [])
  assert.deepEqual(await balancesOf(db(), merNo), {})
  const entries = `select subject, step, debit, amount from ledger_entries order by subject, at, step`
  assert.deepEqual(await amounts(entries), [
    ['A', 'settle:exchanged', 'platform:exchange', 1n],
    ['B', 'settle:exchanged', 'platform:exchange', 1n],
    ['C', 'settle:exchanged', 'platform:exchange', 1n],
    ['P', 'payout:sold', 'merchant:available', 4n],
    ['R', 'taken', 'merchant:available', 1n],
    ['R', 'back-2', 'platform:exchange', 1n],
    ['migration-0018', 'merchant:available ETH', 'platform:exchange', 1n],
  ])
  const { findings } = await verifyBooks({ db: db(), clock: systemClock })
  const withoutCause = findings.filter(({ check }) => check === 'entry-cause').map(({ subject }) => subject)
  assert.deepEqual([...new Set(withoutCause)].sort(), ['A', 'B', 'C', 'P', 'R'], 'only these have no rows')
  const change = db().query({ text: 'update bookings set at = now()' })
  await assert.rejects(change, /append only/, 'entries are append only again')
})

test('the parts of an order in ether still sum to its amount, and equal its ledger entries', async () => {
  // 0.03 ether, a margin of 1 %, a third refunded: two thirds of the margin are not a whole number of gwei.
  const [amount, margin, refunded] = [30_000_000_000_000_000n, 300_000_000_000_001n, 10_000_000_000_000_000n]
  const marginLeft = margin - margin / 3n
  const remainder = amount - refunded - marginLeft
  const row = { amount, margin, margin_held: marginLeft, refunded, remainder }
  await insertPaid('T1', { currency: 'ETH', settle_currency: 'ETH', settle_amount: amount - margin, ...row })
  await book('T1', 'ETH', [
    ['payment', 'rail:card', 'merchant:unsettled', amount],
    ['margin', 'merchant:unsettled', 'merchant:margin', margin],
    ['refund:margin', 'merchant:margin', 'merchant:unsettled', margin / 3n],
    ['refund', 'merchant:unsettled', 'transit:refunds', refunded],
  ])
  await migrate(db())
  await assertAmountsSound()
  const locked = await db().transaction((tx) => lockPaidOrders(tx, [{ merNo, tradeNo: 'T1' }]))
  const position = locked.get('T1')?.paid.position
  assert.ok(position)
  checkPosition(position, 0n)
  assert.deepEqual(
    { amount: position.amount, refunded: position.refunded, marginHeld: position.marginHeld },
    { amount: 30_000_000n, refunded: 10_000_000n, marginHeld: 200_000n },
  )
})

test('ariary and ouguiya are multiplied by ten everywhere', async () => {
  const key = { mer_no: merNo, trade_no: 'T1', currency: 'MGA', amount: 5_000n }
  await insertPaid('T1', {
    ...{ currency: 'MGA', settle_currency: 'MRU', settle_rate: '0.009', amount: 12_345n, received: 12_345n },
    ...{ remainder: 7_345n, refunded: 5_000n, settle_amount: 111n },
  })
  await book('T1', 'MGA', [
    ['payment', 'rail:card', 'merchant:unsettled', 12_345n],
    ['refund', 'merchant:unsettled', 'transit:refunds', 5_000n],
  ])
  await insert('refunds', {
    ...{
      ...key,
      refund_no: 'R1',
      mer_order_no: 'T1',
      refund_fee: 3,
      remark: '',
      notify_url: '',
      channel: 'card',
    },
    ...{ attempt_no: 1, paid_amount: 12_345n, state: 'succeeded', message: '', created_at: at },
  })
  await insert('chargebacks', {
    ...{ ...key, chargeback_id: 'C1', state: 'open', reason: '13', fee: 7, opened_at: at },
  })
  const { mer_no: _, trade_no: __, ...money } = key
  await insert('channel_disputes', {
    ...{ ...money, channel: 'card', dispute_ref: 'D1', reference: 'A', reason: '13', told_at: at },
  })
  await insert('deposits', { ...key, deposit_ref: 'B1', attempt_no: 1, state: 'taken', came_at: at })
  await insert('suspense', {
    ...{
      ...key,
      suspense_id: 'S1',
      channel: 'card',
      reference: 'X',
      why: 'late',
      state: 'held',
      booked_at: at,
    },
  })
  await insert('payouts', {
    ...{ mer_no: merNo, trade_no: 'T1', kind: 'bank_account', state: 'failed', rail: 'bank', reference: 'P' },
    ...{ beneficiary: '{}', fee: 9, funding_currency: 'MRU', funding_amount: 45, needs_approval: false },
    ...{ created_at: at },
  })
  await migrate(db())
  await assertAmountsSound()
  const order = 'select amount, received, remainder, refunded, settle_amount from orders'
  assert.deepEqual(await amounts(order), [[123_450n, 123_450n, 73_450n, 50_000n, 1_110n]])
  assert.deepEqual(await amounts('select amount, refund_fee, paid_amount from refunds'), [
    [50_000n, 30n, 123_450n],
  ])
  assert.deepEqual(await amounts('select amount, fee from chargebacks'), [[50_000n, 70n]])
  for (const table of ['channel_disputes', 'deposits', 'suspense'])
    assert.deepEqual(await amounts(`select amount from ${table}`), [[50_000n]], table)
  assert.deepEqual(await amounts('select fee, funding_amount from payouts'), [[90n, 450n]])
  assert.deepEqual(await amounts('select source_amount, settle_amount from order_totals'), [
    [123_450n, 1_110n],
  ])
})

test("conversions with the older version's rounding count as sound, although today's rounding differs", async () => {
  // The payment was refunded in full after its settlement. The merchant owes the fee of 0.15 EUR, which is 0.16245 USD,
  // truncated towards zero.
  const owed = { amount: 1_000n, handling_fee: 15n, refunded: 1_000n, remainder: 0n, settle_amount: 1_066n }
  const euro = { currency: 'EUR', settle_currency: 'USD', settle_rate: '1.083', settled_at: at }
  await insertPaid('T1', { ...euro, ...owed, settled_source: -15n })
  await book('T1', 'EUR', [
    ['payment', 'rail:card', 'merchant:unsettled', 1_000n],
    ['fee', 'merchant:unsettled', 'platform:fees', 15n],
    ['settle', 'merchant:unsettled', 'platform:exchange', 985n],
    ['refund', 'platform:exchange', 'transit:refunds', 1_000n],
  ])
  await book('T1', 'USD', [
    ['settle:exchanged', 'platform:exchange', 'merchant:available', 1_066n],
    ['refund:exchanged', 'merchant:available', 'platform:exchange', 1_082n],
  ])
  // The older version converted 0.33 USD to 1,485.0 ariary. With two decimals the amount would be 1,485.04.
  const ariary = { currency: 'USD', settle_currency: 'MGA', settle_rate: '4500.1234', settled_at: at }
  const settled = { amount: 33n, remainder: 0n, settled_source: 33n, settle_amount: 14_850n }
  await insertPaid('T2', { ...ariary, ...settled })
  await book('T2', 'USD', [
    ['payment', 'rail:card', 'merchant:unsettled', 33n],
    ['settle', 'merchant:unsettled', 'platform:exchange', 33n],
  ])
  await book('T2', 'MGA', [['settle:exchanged', 'platform:exchange', 'merchant:available', 14_850n]])
  await migrate(db())
  await assertAmountsSound()
  await db().query({ text: `update orders set created_at = now() + interval '1 minute'` })
  const { findings } = await verifyBooks({ db: db(), clock: systemClock })
  const found = findings.filter(({ check }) => check === 'order-conversion')
  assert.deepEqual(
    found.map(({ subject, found: has, expected }) => [subject, has, expected]),
    [
      ['T1', '-16', '-17'],
      ['T2', '148500', '148504'],
    ],
  )
})

test('a ledger that disagrees with its balances is not migrated, and one in other currencies is not changed', async () => {
  await book('A', 'USD', [['given', 'rail:card', 'merchant:available', 5n]])
  await book('B', 'ETH', [['given', 'rail:card', 'merchant:available', 5_000_000_000n]])
  await db().query({ text: `update balance_deltas set credits[2] = 4 where currency = 'ETH'` })
  await assert.rejects(migrate(db()), /ledger verify/)
  await db().query({ text: `update balance_deltas set credits[2] = 5000000000 where currency = 'ETH'` })
  await migrate(db())
  assert.deepEqual(await balancesOf(db(), merNo), {
    'merchant:available ETH': 5n,
    'merchant:available USD': 5n,
    'rail:card ETH': -5n,
    'rail:card USD': -5n,
  })
})
