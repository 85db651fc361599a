// Starts with sound books that contain every kind of row. Then corrupts each kind by hand: the audit must report it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { paidOrder } from '../../test/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../test/payouts.ts'
import { accept, anApplication, record, succeeded } from '../../test/refunds.ts'
import { orderInReview } from '../../test/reviews.ts'
import { systemClock } from '../base/clock.ts'
import { parseRate } from '../base/money.ts'
import { openChargeback } from '../chargebacks/open-chargeback.ts'
import { correctBalance } from '../decisions/correct-balance.ts'
import type { FeePlan } from '../merchants/merchant.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { settleDue } from '../settlement/settle-due.ts'
import { bookSuspense } from '../suspense/book-suspense.ts'
import type { Finding } from './check.ts'
import { checks, isSound, type Progress, verifyBooks } from './verify-books.ts'

const plan: FeePlan = {
  feeBps: 290,
  feeFixed: '0.30',
  refundFee: '0.00',
  chargebackFee: '15.00',
  marginBps: 500,
  marginDays: 180,
  settleDays: 1,
}
const terms = { feeBps: 290, feeFixed: 30n, marginBps: 500 }
const DAY_MS = 86_400_000

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
  await writeBooks()
})
after(() => setup.close())

/** Paid, settled, foreign, refunded, disputed, paid out, in review, in suspense: one or more of each. */
async function writeBooks(): Promise<void> {
  const { db } = setup
  const longAgo = new Date(Date.now() - 10 * DAY_MS)
  await paidOrder(db, { terms, amount: 10_000n, at: longAgo })
  await paidOrder(db, { terms: { ...terms, settleCurrency: 'EUR' }, at: longAgo, rate: rateOf('0.913') })
  await settleDue(
    { db, clock: systemClock, failed: (_merNo, error) => assert.fail(String(error)) },
    new Date(),
  )
  await paidOrder(db, { terms, amount: 10_000n })
  const refunded = await paidOrder(db, { terms, amount: 10_000n })
  await accept(db, anApplication(refunded, { amount: 1_000n }))
  await record(db, succeeded(await accept(db, anApplication(refunded, { amount: 2_000n }))))
  const disputed = await paidOrder(db, { terms, amount: 10_000n })
  const findMerchant = async () => ({ feePlans: new Map([['' as const, plan]]), chargebackUrl: '' })
  const wanted = { money: undefined, reason: '4853', at: new Date() }
  await openChargeback({ db, findMerchant }, disputed.tradeNo, wanted)
  await orderInReview(db)
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_000n)
  await setup.pay(merchant, aPayout())
  const money = { amount: 500n, currency: 'USD' }
  const stray = { channel: 'card', reference: 'stray-1', why: 'unmatched', origin: 'statement' } as const
  await db.transaction((tx) => bookSuspense(tx, [{ merNo: 0, ...stray, money, at: new Date() }]))
  const moved = { merNo: 0, from: 'platform:fees', to: 'rail:card', money }
  const actor = { kind: 'user', name: 'ann@operator.example' } as const
  await correctBalance({ ...setup.deps, secondPersonAbove: 500n }, { ...moved, actor, reason: 'A mistake' })
}

function rateOf(text: string) {
  const rate = parseRate(text)
  assert.ok(rate)
  return rate
}

const verify = (ordersPerSlice = 5_000) => verifyBooks({ db: setup.db, clock: systemClock, ordersPerSlice })

test('books written by the gateway are sound', async () => {
  const books = await verify()
  assert.deepEqual([books.differences, books.findings], [[], []])
  assert.ok(isSound(books))
  assert.ok(books.orders >= 7 && books.entries > 20, `${books.orders} orders, ${books.entries} entries`)
  assert.ok(books.oldestDeltaSeconds !== undefined, 'no worker has folded the deltas')
})

test('progress is reported from start to end', async () => {
  const seen: Progress[] = []
  const { orders } = await verifyBooks({ db: setup.db, clock: systemClock, ordersPerSlice: 1 }, (progress) =>
    seen.push(progress),
  )
  assert.deepEqual(
    seen,
    Array.from({ length: orders + 1 }, (_, done) => ({ done, total: orders })),
  )
})

test('a stopped audit sends no more queries', async () => {
  const stopping = new AbortController()
  let asked = 0
  const db: Db = {
    ...setup.db,
    transaction: (work) =>
      setup.db.transaction((tx) => {
        const query: Tx['query'] = (statement) => {
          if (statement.text.includes('broken')) asked++
          if (asked > 0) stopping.abort()
          return tx.query(statement)
        }
        return work({ ...tx, query })
      }),
  }
  await assert.rejects(verifyBooks({ db, clock: systemClock, signal: stopping.signal }), {
    name: 'AbortError',
  })
  assert.equal(asked, 1)
})

type Corruption = {
  readonly what: string
  /** The checks that must report it. */
  readonly found: readonly string[]
  readonly corrupt: string
  readonly restore: string
}

const paid = `trade_no = (select min(trade_no) from orders where kind = 'payment' and state = 5 and settled_at is null)`
const settled = `trade_no = (
  select min(trade_no) from orders where settled_at is not null and currency <> settle_currency)`
const changed = `trade_no = (select min(trade_no) from order_event_rows)`
const added = (table: string, column: string, where: string) => ({
  corrupt: `update ${table} set ${column} = ${column} + 1 where ${where}`,
  restore: `update ${table} set ${column} = ${column} - 1 where ${where}`,
})
/** Restores deleted rows from a copy of the table. */
const removed = (table: string, where: string) => ({
  corrupt: `create table deleted_rows as select * from ${table} where ${where}; delete from ${table} where ${where}`,
  restore: `insert into ${table} select * from deleted_rows; drop table deleted_rows`,
})

const corruptions: readonly Corruption[] = [
  {
    what: "an order's remainder",
    found: ['order-parts', 'order-entries', 'account-rows'],
    ...added('orders', 'remainder', paid),
  },
  {
    what: 'a margin of an order',
    found: ['order-parts', 'order-entries', 'account-rows'],
    ...added('orders', 'margin_held', paid),
  },
  { what: 'a fee', found: ['order-parts', 'order-entries'], ...added('orders', 'handling_fee', paid) },
  {
    what: 'what was settled',
    found: ['order-parts', 'order-entries'],
    ...added('orders', 'settled_source', paid),
  },
  { what: "an order's rate", found: ['order-conversion'], ...added('orders', 'settle_rate', settled) },
  {
    what: 'what was refunded',
    found: ['order-parts', 'order-refunds'],
    ...added('orders', 'refunded', paid),
  },
  { what: 'open refunds', found: ['order-refunds'], ...added('orders', 'refunds_open', paid) },
  {
    what: 'what was charged back',
    found: ['order-parts', 'order-chargebacks'],
    ...added('orders', 'charged_back', paid),
  },
  {
    what: 'exception fees',
    found: ['order-parts', 'order-entries', 'order-exception-fees'],
    ...added('orders', 'exception_fees', paid),
  },
  { what: "an order's version", found: ['order-history'], ...added('orders', 'version', paid) },
  {
    what: "an order's state",
    found: [
      'order-parts',
      'order-paid-once',
      'order-attempts',
      'order-history',
      'order-dues',
      'daily-totals',
      'used-limits',
    ],
    corrupt: `update orders set state = 6 where settled_at is null and state = 5 and kind = 'payment'`,
    restore: `update orders set state = 5 where state = 6`,
  },
  {
    what: 'a row of history',
    found: ['order-history', 'order-history-chain'],
    corrupt: `update order_event_rows set from_state = from_state + 1, to_state = to_state + 1 where ${changed}`,
    restore: `update order_event_rows set from_state = from_state - 1, to_state = to_state - 1 where ${changed}`,
  },
  { what: 'a settlement that is due', found: ['order-dues'], ...removed('order_dues', paid) },
  {
    what: 'the order of a settlement that is due',
    found: ['order-dues'],
    corrupt: `create table changed_dues as select * from order_dues where ${paid};
      update order_dues set trade_no = 'T0' where ${paid}`,
    restore: `update order_dues set trade_no = (select trade_no from changed_dues) where trade_no = 'T0';
      drop table changed_dues`,
  },
  {
    what: 'a settlement that is due twice',
    found: ['order-dues'],
    corrupt: `insert into order_dues (mer_no, kind, due_at, trade_no, margin_at)
      select mer_no, kind, '2020-01-01', trade_no, margin_at from order_dues where ${paid}`,
    restore: `delete from order_dues where due_at = '2020-01-01'`,
  },
  {
    what: 'a settlement that was never made',
    found: ['order-dues', 'order-done', 'daily-totals'],
    corrupt: `update orders set settled_at = now() where ${paid}`,
    restore: `update orders set settled_at = null
      where kind = 'payment' and settled_at is not null and remainder <> 0`,
  },
  {
    what: 'a margin that was never released',
    found: ['order-done'],
    corrupt: `update orders set margin_released_at = now() where ${paid};
      update order_dues set margin_at = null where ${paid}`,
    restore: `update orders set margin_released_at = null where ${paid};
      update order_dues set margin_at = now() where ${paid}`,
  },
  {
    what: 'a deposit that nobody used',
    found: ['deposits-waiting'],
    corrupt: `insert into deposits (mer_no, trade_no, deposit_ref, attempt_no, currency, amount, state, came_at)
      select mer_no, trade_no, 'd1', 1, currency, 1, 'waiting', now() from orders where ${paid}`,
    restore: 'delete from deposits',
  },
  {
    what: 'a refund',
    found: ['order-refunds', 'account-rows'],
    ...added('refunds', 'amount', `state <> 'succeeded'`),
  },
  { what: 'a chargeback', found: ['order-chargebacks'], ...added('chargebacks', 'amount', 'true') },
  { what: 'a fee of a chargeback', found: ['order-exception-fees'], ...added('chargebacks', 'fee', 'true') },
  {
    what: 'what a payout draws on',
    found: ['payout-entries'],
    ...added('payouts', 'funding_amount', 'true'),
  },
  {
    what: 'the state of a payout',
    found: ['payout-state', 'payout-entries', 'account-rows'],
    corrupt: `update payouts set state = 'failed', ask_at = null`,
    restore: `update payouts set state = 'sending', ask_at = now()`,
  },
  {
    what: 'money in suspense',
    found: ['suspense-entries', 'account-rows'],
    ...added('suspense', 'amount', 'true'),
  },
  { what: 'a row of suspense', found: ['account-rows'], ...removed('suspense', 'true') },
  {
    what: 'money in suspense that was returned by hand',
    found: ['suspense-entries', 'account-rows'],
    corrupt: `update suspense set state = 'returned', decided_at = now()`,
    restore: `update suspense set state = 'held', decided_at = null`,
  },
  { what: 'an amount in review', found: ['account-rows'], ...added('orders', 'amount', 'state in (24, 25)') },
  {
    what: 'an attempt that succeeded',
    found: ['order-attempts', 'order-history'],
    corrupt: `update orders set attempt_state = 'failed' where ${paid}`,
    restore: `update orders set attempt_state = 'succeeded' where ${paid}`,
  },
  {
    what: 'daily totals',
    found: ['daily-totals'],
    ...added('order_total_deltas', 'source_amounts[1]', 'state = 5'),
  },
  { what: 'used limits', found: ['used-limits'], ...added('limit_usage', 'used', 'true') },
  {
    what: 'used limits of the platform',
    found: ['platform-limits'],
    corrupt: `insert into limit_usage (mer_no, method, period, used) values (0, 'card', '2026-01', 1)`,
    restore: `delete from limit_usage where mer_no = 0 and period = '2026-01'`,
  },
  {
    what: 'orders that count for the platform',
    found: ['platform-limits'],
    corrupt: `update orders set platform_limited = true where ${paid}`,
    restore: `update orders set platform_limited = false where ${paid}`,
  },
  {
    what: 'the line of the audit log about a correction',
    found: ['correction-explained'],
    corrupt: `alter table audit_log disable trigger user; update audit_log set action = 'gone'`,
    restore: `update audit_log set action = 'ledger.correct'; alter table audit_log enable trigger user`,
  },
  {
    what: 'an entry of the ledger',
    found: ['order-entries', 'order-paid-once'],
    corrupt: `alter table bookings disable trigger user;
      update bookings set amounts[1] = amounts[1] + 1 where step = 'payment'`,
    restore: `update bookings set amounts[1] = amounts[1] - 1 where step = 'payment';
      alter table bookings enable trigger user`,
  },
  {
    what: 'the step of an entry, to one that is booked already,',
    found: ['entry-once'],
    corrupt: `alter table bookings disable trigger user;
      update bookings set steps[3] = steps[2] where step = 'payment' and cardinality(steps) > 3`,
    restore: `update bookings set steps[3] = 'processing-fee' where step = 'payment' and cardinality(steps) > 3;
      alter table bookings enable trigger user`,
  },
]

const sorted = (findings: readonly Finding[]) =>
  findings.map((finding) => Object.values(finding).join(' ')).sort()

for (const { what, found, corrupt, restore } of corruptions) {
  test(`reports ${what} changed by hand`, async () => {
    await setup.db.query({ text: corrupt })
    const { findings, differences } = await verify()
    const inSlices = await verify(1)
    await setup.db.query({ text: restore })
    assert.deepEqual([...new Set(findings.map(({ check }) => check))].sort(), [...found].sort())
    assert.equal(differences.length > 0, what === 'an entry of the ledger')
    assert.deepEqual(sorted(inSlices.findings), sorted(findings))
    assert.deepEqual(inSlices.differences, differences)
  })
}

test('the first and the last order of every slice are checked', async () => {
  await setup.db.query({ text: 'update orders set version = version + 1' })
  const all = await Promise.all([1, 2, 3, 1_000].map(verify))
  await setup.db.query({ text: 'update orders set version = version - 1' })
  for (const { orders, entries, findings } of all) {
    assert.deepEqual([orders, entries], [all[0]?.orders, all[0]?.entries])
    const versions = findings.filter(({ check }) => check === 'order-history')
    assert.equal(new Set(versions.map(({ subject }) => subject)).size, orders)
    assert.equal(versions.length, orders)
  }
})

test('rows of merchants without orders are checked, whatever their number', async () => {
  const numbers = [0, 1, 9_999_999_999]
  const values = numbers.map((merNo) => `(${merNo}, 'suspense', 'ETH', 0, 1)`).join(', ')
  await setup.db.query({
    text: `insert into balance_sums (mer_no, account, currency, debits, credits) values ${values}`,
  })
  const all = await Promise.all([1, 1_000].map(verify))
  await setup.db.query({ text: `delete from balance_sums where currency = 'ETH'` })
  for (const { findings, differences } of all) {
    assert.deepEqual(
      findings.map(({ check, merNo }) => [check, merNo]),
      numbers.map((merNo) => ['account-rows', merNo]),
    )
    assert.deepEqual(
      differences.map(({ merNo }) => merNo),
      numbers,
    )
  }
})

test('sums beyond 64 bits are findings, and do not stop other checks', async () => {
  const most = 2n ** 63n - 1n
  const row = `insert into balance_sums (mer_no, account, currency, debits, credits) values (1, 'suspense', 'ETH', 0, ${most})`
  const delta = `insert into balance_deltas (account, delta_id, currency, mer_nos, debits, credits)
    values ('suspense', 'large', 'ETH', '{1}', '{0}', '{${most}}')`
  await setup.db.query({ text: `${row}; ${delta}` })
  const { findings, differences } = await verify()
  await setup.db.query({
    text: 'delete from balance_sums where mer_no = 1; delete from balance_deltas where 1 = any (mer_nos)',
  })
  assert.deepEqual(
    findings.map(({ check, found }) => [check, found]),
    [['account-rows', String(2n * most)]],
  )
  assert.equal(differences.length, 1)
})

test('every check found something, and the books are sound again', async () => {
  const seen = new Set(corruptions.flatMap(({ found }) => found))
  assert.deepEqual(
    checks.map(({ name }) => name).filter((name) => !seen.has(name)),
    [],
  )
  assert.ok(isSound(await verify()))
})
