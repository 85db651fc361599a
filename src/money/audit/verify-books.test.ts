// The tests start with sound books that contain every kind of row. Most tests then corrupt one kind of row, and the
// audit must report the corruption.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { accept, anApplication, record, succeeded } from '../../../test/builders/refunds.ts'
import { orderInReview } from '../../../test/builders/reviews.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { parseRate } from '../../platform/base/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { openChargeback } from '../chargebacks/open-chargeback.ts'
import { correctBalance } from '../decisions/correct-balance.ts'
import { defaultPlan } from '../merchants/terms.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { settleDue } from '../settlement/settle-due.ts'
import type { Finding } from './check.ts'
import { inSnapshot } from './sql.ts'
import { isSound, type Progress, verifyBooks } from './verify-books.ts'

const plan = { ...defaultPlan, feeBps: 290, feeFixed: '0.30', chargebackFee: '15.00', marginBps: 500 }
const terms = { feeBps: 290, feeFixed: 30n, marginBps: 500 }
const DAY_MS = 86_400_000

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
  await writeBooks()
})
after(() => setup.close())

/** Writes orders of every kind: paid, settled, foreign, refunded, disputed, paid out, in review, in suspense. */
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
  const stray = { line: 2, reference: 'stray-1', type: 'payment', money, fee: 0n, day: '2026-01-01' } as const
  await reconcile({ db, clock: systemClock }, 'card', [stray])
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
  assert.deepEqual(
    { differences: books.differences, findings: books.findings },
    { differences: [], findings: [] },
  )
  assert.ok(isSound(books))
  assert.ok(books.orders >= 7 && books.entries > 20, `${books.orders} orders, ${books.entries} entries`)
  assert.ok(books.oldestDeltaSeconds !== undefined, 'no worker has folded the deltas')
})

test('progress is reported from start to end; with two connections the audit begins with two slices', async () => {
  const watched = async (connections: 1 | 2) => {
    const seen: Progress[] = []
    const deps = { db: setup.db, clock: systemClock, ordersPerSlice: 1, connections }
    const { orders } = await verifyBooks(deps, (progress) => seen.push(progress))
    return { seen, orders }
  }
  const { seen, orders } = await watched(1)
  assert.deepEqual(
    seen,
    Array.from({ length: orders + 1 }, (_, done) => ({ done, total: orders })),
  )
  assert.equal((await watched(2)).seen[1]?.done, 2)
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
  /** The checks that must report the corruption. */
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
/** Deletes rows, and restores them from a copy. */
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
    corrupt: `update orders set margin_held = margin_held - 1 where ${paid}`,
    restore: `update orders set margin_held = margin_held + 1 where ${paid}`,
  },
  {
    what: 'a fee',
    found: ['order-terms', 'order-settlement', 'entry-cause', 'order-parts', 'order-entries'],
    ...added('orders', 'handling_fee', paid),
  },
  {
    what: 'what was settled',
    found: ['order-parts', 'order-entries'],
    ...added('orders', 'settled_source', paid),
  },
  {
    what: "an order's rate",
    found: ['order-conversion', 'order-settlement'],
    ...added('orders', 'settle_rate', settled),
  },
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
      'entry-cause',
      'order-parts',
      'order-paid-once',
      'order-received',
      'order-unpaid',
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
    corrupt: `create table changed_dues as select * from order_dues where ${paid};
      update orders set margin_released_at = now() where ${paid};
      update order_dues set margin_at = null where ${paid}`,
    restore: `update orders set margin_released_at = null where ${paid};
      update order_dues d set margin_at = c.margin_at from changed_dues c where c.trade_no = d.trade_no;
      drop table changed_dues`,
  },
  {
    what: 'a deposit that nobody used',
    found: ['deposit-owner', 'deposit-state', 'deposit-sums'],
    corrupt: `insert into deposits (mer_no, trade_no, deposit_ref, attempt_no, currency, amount, state, came_at)
      select mer_no, trade_no, 'd1', 1, currency, 1, 'waiting', now() from orders where ${paid}`,
    restore: `delete from deposits where deposit_ref = 'd1'`,
  },
  {
    what: 'a refund',
    found: ['entry-cause', 'order-refunds', 'account-rows'],
    ...added('refunds', 'amount', `state <> 'succeeded'`),
  },
  {
    what: 'a chargeback',
    found: ['entry-cause', 'order-chargebacks'],
    ...added('chargebacks', 'amount', 'true'),
  },
  {
    what: 'a fee of a chargeback',
    found: ['entry-cause', 'order-exception-fees'],
    ...added('chargebacks', 'fee', 'true'),
  },
  {
    what: 'what a payout draws on',
    found: ['payout-entries', 'payout-terms'],
    ...added('payouts', 'funding_amount', 'true'),
  },
  {
    what: 'the state of a payout',
    found: ['entry-cause', 'payout-state', 'payout-entries', 'account-rows'],
    corrupt: `update payouts set state = 'failed', ask_at = null`,
    restore: `update payouts set state = 'sending', ask_at = now()`,
  },
  {
    what: 'money in suspense',
    found: ['entry-cause', 'suspense-held', 'listed-lines', 'account-rows'],
    ...added('suspense', 'amount', 'true'),
  },
  {
    what: 'a row of suspense',
    found: ['entry-cause', 'suspense-held', 'listed-lines', 'account-rows'],
    ...removed('suspense', 'true'),
  },
  { what: 'a line of a statement', found: ['listed-lines'], ...added('statement_lines', 'amount', 'true') },
  {
    what: 'a line of a statement that was withdrawn by hand',
    found: ['listed-lines'],
    corrupt: `update statement_lines set withdrawn_by = 'nobody'`,
    restore: `update statement_lines set withdrawn_by = null`,
  },
  {
    what: 'money in suspense that was returned by hand',
    found: ['entry-cause', 'suspense-held', 'account-rows'],
    corrupt: `update suspense set state = 'returned', decided_at = now()`,
    restore: `update suspense set state = 'held', decided_at = null`,
  },
  {
    what: 'money in suspense that was withdrawn by hand',
    found: ['entry-cause', 'suspense-held', 'listed-lines', 'account-rows'],
    corrupt: `update suspense set state = 'withdrawn', decided_at = now()`,
    restore: `update suspense set state = 'held', decided_at = null`,
  },
  {
    what: 'an amount in review',
    found: ['entry-cause', 'account-rows'],
    ...added('orders', 'amount', 'state in (24, 25)'),
  },
  {
    what: 'an attempt that succeeded',
    found: ['entry-cause', 'notification-result', 'order-attempts', 'order-history'],
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
    found: ['entry-cause', 'order-entries', 'order-paid-once'],
    corrupt: `alter table bookings disable trigger user;
      update bookings set amounts[1] = amounts[1] + 1 where step = 'payment'`,
    restore: `update bookings set amounts[1] = amounts[1] - 1 where step = 'payment';
      alter table bookings enable trigger user`,
  },
  {
    what: 'the step of an entry, to one that is booked already,',
    found: ['entry-cause', 'entry-once'],
    corrupt: `alter table bookings disable trigger user;
      update bookings set steps[3] = steps[2] where step = 'payment' and cardinality(steps) > 3`,
    restore: `update bookings set steps[3] = 'processing-fee' where step = 'payment' and cardinality(steps) > 3;
      alter table bookings enable trigger user`,
  },
  {
    what: 'money that no order ever paid, made available',
    found: ['entry-cause'],
    corrupt: `insert into bookings (mer_no, subject, step, currency, at, steps, debited, credited, amounts)
      select mer_no, 'T0', 'payout:came-back', currency, at,
        '{payout:came-back}', '{rail:card}', '{merchant:available}', '{500000}'
      from bookings where ${paid.replace('trade_no', 'subject')} and step = 'payment';
      insert into balance_deltas (account, delta_id, currency, mer_nos, debits, credits)
      select account, 'forged', currency, array[mer_no], array[debit], array[credit]
      from (select mer_no, currency from bookings where subject = 'T0') b,
        (values ('rail:card', 500000, 0), ('merchant:available', 0, 500000)) as d (account, debit, credit)`,
    restore: `alter table bookings disable trigger user; delete from bookings where subject = 'T0';
      alter table bookings enable trigger user; delete from balance_deltas where delta_id = 'forged'`,
  },
  {
    what: 'the rail of a payment',
    found: ['entry-cause'],
    corrupt: `update orders set attempt_channel = 'other' where ${paid}`,
    restore: `update orders set attempt_channel = 'card' where attempt_channel = 'other'`,
  },
  {
    what: 'the month of an entry',
    found: ['entry-cause'],
    corrupt: `alter table bookings disable trigger user;
      update bookings set at = at - interval '30 days' where ${paid.replace('trade_no', 'subject')}`,
    restore: `update bookings set at = at + interval '30 days' where ${paid.replace('trade_no', 'subject')};
      alter table bookings enable trigger user`,
  },
  {
    what: 'the terms of an order',
    found: ['order-terms'],
    ...added('orders', 'margin_bps', paid),
  },
  {
    what: 'the day of a settlement',
    found: ['order-dues'],
    corrupt: `update order_dues set due_at = due_at + interval '1 year' where ${paid}`,
    restore: `update order_dues set due_at = due_at - interval '1 year' where ${paid}`,
  },
  {
    what: 'the day of the release of a margin',
    found: ['order-dues'],
    corrupt: `update order_dues set margin_at = margin_at + interval '1 day' where ${paid}`,
    restore: `update order_dues set margin_at = margin_at - interval '1 day' where ${paid}`,
  },
]

const sorted = (findings: readonly Finding[]) =>
  findings.map((finding) => Object.values(finding).join(' ')).sort()

/** The checks already tested with one order per slice. Such an audit takes long, so each check is tested once. */
const seenInSlices = new Set<string>()

for (const { what, found, corrupt, restore } of corruptions) {
  test(`reports ${what} changed by hand`, async () => {
    await setup.db.query({ text: corrupt })
    const { findings, differences } = await verify()
    const isNew = found.some((check) => !seenInSlices.has(check))
    const inSlices = isNew ? await verify(1) : { findings, differences }
    await setup.db.query({ text: restore })
    for (const check of found) seenInSlices.add(check)
    assert.deepEqual([...new Set(findings.map(({ check }) => check))].sort(), [...found].sort())
    assert.equal(differences.length > 0, what === 'an entry of the ledger')
    assert.deepEqual(sorted(inSlices.findings), sorted(findings))
    assert.deepEqual(inSlices.differences, differences)
  })
}

test('the first and the last order of every slice are checked', async () => {
  await setup.db.query({ text: 'update orders set version = version + 1' })
  const all = await Promise.all([1, 2, 3, 1_000].map(verify))
  // These audits run one after the other, so that nobody else uses the database and both connections are used.
  for (const ordersPerSlice of [1, 2, 3])
    all.push(await verifyBooks({ db: setup.db, clock: systemClock, ordersPerSlice, connections: 2 }))
  await setup.db.query({ text: 'update orders set version = version - 1' })
  for (const { orders, entries, findings } of all) {
    assert.deepEqual({ orders, entries }, { orders: all[0]?.orders, entries: all[0]?.entries })
    const versions = findings.filter(({ check }) => check === 'order-history')
    assert.equal(new Set(versions.map(({ subject }) => subject)).size, orders)
    assert.equal(versions.length, orders)
  }
})

test('both connections of an audit see the state of the database when it began', async () => {
  const versions = { text: 'select sum(version)::int as versions from orders' }
  const [before] = await setup.db.query<{ versions: number }>(versions)
  const seen = await inSnapshot(setup.db, 2, async ({ tx, second, sessions }) => {
    await setup.db.query({ text: 'update orders set version = version + 1' })
    assert.equal(new Set(sessions).size, 2)
    return [await tx.query(versions), await second?.query(versions)]
  })
  await setup.db.query({ text: 'update orders set version = version - 1' })
  assert.deepEqual(seen, [[before], [before]])
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

test('an order whose later events were recorded by a clock that was an hour behind is sound', async () => {
  const { db } = setup
  const now = new Date()
  const behind = new Date(now.getTime() - DAY_MS / 24)
  const payment = await paidOrder(db, { terms, amount: 10_000n, createdAt: now, at: behind })
  const refund = await accept(db, anApplication(payment, { amount: 1_000n, at: now }))
  await record(db, { ...succeeded(refund), at: now })
  const outcome = { kind: 'returned', message: 'The account is closed', money: refund.money } as const
  await record(db, { ...succeeded(refund), outcome, at: behind })
  const { findings } = await verify()
  assert.deepEqual(findings, [])
})

test('the books are sound again', async () => {
  assert.ok(isSound(await verify()))
})
