import { decimalsByCurrency } from '../../platform/base/currency.ts'
import {
  atReadersPace,
  type Db,
  inKeyOrder,
  plannedOnce,
  type Statement,
  type Tx,
} from '../../platform/postgres/db.ts'
import {
  type Border,
  firstBorder,
  type KeyRange,
  keyRangeValues,
  lastBorder,
  type MerchantRange,
} from '../../platform/postgres/key-range.ts'
import { arrayOf, int4, itself } from '../../platform/postgres/lists.ts'
import { AVAILABLE, DISPUTED, EXCHANGE, FEES, MARGIN, RETURN_COSTS, UNSETTLED } from '../ledger/account.ts'
import { type Check, type Finding, inSlice } from './check.ts'
import { sliceCauses } from './checks/causes.ts'
import { sliceNotifications } from './checks/notifications.ts'
import { type OrderSum, orderSums, orderSumsText, PAID } from './checks/order-sums.ts'

/** The maximum number of findings of a check in one query. */
const MAX_FINDINGS = 100

/** One snapshot of the database, which the transactions of both connections read. */
export type Snapshot = {
  readonly tx: Tx
  readonly second: Tx | undefined
  /** The process ids of the audit's own sessions. */
  readonly sessions: readonly number[]
}

export function inSnapshot<Result>(
  db: Db,
  connections: 1 | 2,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await configure(tx)
    const own = await pidOf(tx)
    if (connections === 1) return work({ tx, second: undefined, sessions: [own] })
    const [exported] = await tx.query<{ id: string }>({ text: 'select pg_export_snapshot() as id' })
    return db.transaction(async (second) => {
      await configure(second, exported?.id)
      return work({ tx, second, sessions: [own, await pidOf(second)] })
    })
  })
}

/**
 * Configures a transaction of the audit, which reads the exported snapshot or takes its own. A query of the audit uses
 * one core. Nested loops are turned off: the statistics of a growing database are out of date, so the planner expects
 * few rows in a slice and would compare each order with all others, which takes minutes. The statement on a slice is
 * planned once, because planning takes as long as the check of some thousand orders. JIT compilation is off, because
 * compiling takes longer than it saves. The idle time-out is raised, because a paused terminal may block a command that
 * reports progress.
 */
async function configure(tx: Tx, exported?: string): Promise<void> {
  await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
  if (exported !== undefined) await tx.query({ text: `set transaction snapshot '${exported}'` })
  await tx.query({ text: inKeyOrder })
  await tx.query({
    text: `set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0; set local enable_nestloop = off; set local jit = off;
      ${plannedOnce}; ${atReadersPace}`,
  })
}

async function pidOf(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  return row?.pid ?? 0
}

/**
 * Returns the slices. Together they cover every possible key, so that rows of an unknown merchant or order are found
 * too.
 */
export async function slicesOf(tx: Tx, ordersPerSlice: number): Promise<KeyRange[]> {
  const rows = await tx.query<{ mer_no: bigint; trade_no: string }>({
    text: `
      select mer_no, trade_no
      from (select mer_no, trade_no, row_number() over (order by mer_no, trade_no) as place from orders) placed
      where place > 1 and (place - 1) % $1 = 0 order by mer_no, trade_no`,
    values: [ordersPerSlice],
  })
  const borders = rows.map(({ mer_no, trade_no }): Border => ({ merNo: Number(mer_no), id: trade_no }))
  const froms = [firstBorder, ...borders]
  return froms.map((from, at) => ({ from, before: froms[at + 1] ?? lastBorder }))
}

type FindingRow = { rule: string; mer_no: bigint | number; subject: string; found: string; expected: string }

/** Runs the checks on a slice, in one statement that reads the slice once, and returns the findings. */
export function checkSlice(tx: Tx, checks: readonly Check[], slice: KeyRange): Promise<Finding[]> {
  const text = `with ${sliceOrders} ${checks.map(brokenRows).join(' union all ')}`
  return find(tx, { name: 'audit.slice', text, values: keyRangeValues(slice) })
}

export function checkSums(
  tx: Tx,
  check: Check,
  { first, last }: MerchantRange,
  sums: readonly OrderSum[],
): Promise<Finding[]> {
  return find(tx, {
    name: `audit.${check.name}`,
    text: brokenRows(check),
    values: [first, last, ...orderSums.values(sums)],
  })
}

export function checkPlatform(tx: Tx, check: Check): Promise<Finding[]> {
  return find(tx, { name: `audit.${check.name}`, text: brokenRows(check) })
}

function brokenRows({ name, text }: Check): string {
  return `(select '${name}' as rule, * from (${text}) broken order by mer_no, subject limit ${MAX_FINDINGS})`
}

async function find(tx: Tx, statement: Statement): Promise<Finding[]> {
  const rows = await tx.query<FindingRow>(statement)
  return rows.map(({ rule, mer_no, subject, found, expected }) => {
    return { check: rule, merNo: Number(mer_no), subject, found, expected }
  })
}

export function selectOrderSums(tx: Tx, slice: KeyRange): Promise<OrderSum[]> {
  return tx.query<OrderSum>({ name: 'audit.sums', text: orderSumsText, values: keyRangeValues(slice) })
}

/**
 * True if a session other than these runs a statement in this database. PostgreSQL caches the view of sessions within a
 * transaction, so the cache is cleared first.
 */
export async function isBusy(tx: Tx, sessions: readonly number[]): Promise<boolean> {
  await tx.query({ text: 'select pg_stat_clear_snapshot()' })
  const rows = await tx.query({
    text: `
      select pid from pg_stat_activity
      where datname = current_database() and state = 'active' and backend_type = 'client backend'
        and pid <> all (${own.text})
      limit 1`,
    values: [own.value(sessions)],
  })
  return rows.length > 0
}

const own = arrayOf(int4<number>(itself))

export async function countMerchants(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ merchants: bigint }>({ text: 'select count(*) as merchants from merchants' })
  return Number(row?.merchants ?? 0)
}

export type Corrections = { readonly count: number; readonly latest: readonly CorrectionLine[] }

type CorrectionLine = {
  readonly merNo: number
  readonly correctionId: string
  readonly at: string
  readonly actor: string
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly reason: string
}

const MAX_CORRECTIONS = 20

/** Reads the correcting entries from the audit log, which has one line for each entry. */
export async function selectCorrections(tx: Tx): Promise<Corrections> {
  const rows = await tx.query<CorrectionRow>({
    text: `
      select mer_no, subject, at, actor, after, reason, count(*) over ()::int as count
      from audit_log where action = 'ledger.correct' order by entry_id desc limit ${MAX_CORRECTIONS}`,
  })
  const latest = rows.map(({ mer_no, subject, at, actor, after, reason }) => {
    const { from = '', to = '', amount = '' } = after
    return {
      merNo: Number(mer_no),
      correctionId: subject,
      at: at.toISOString(),
      actor,
      from,
      to,
      amount,
      reason: reason ?? '',
    }
  })
  return { count: rows[0]?.count ?? 0, latest }
}

type CorrectionRow = {
  mer_no: bigint
  subject: string
  at: Date
  actor: string
  after: Readonly<Record<string, string>>
  reason: string | null
  count: number
}

// The SQL for the ledger entries of a slice, and for the orders of the slice with the sums of their entries. Most rows
// of the books are orders and entries, so orders and entries are read once for all checks.

const net = (account: string) =>
  `coalesce(sum(case '${account}' when e.credit then e.amount when e.debit then -e.amount end), 0)`

const isForeign = 'o.currency <> o.settle_currency'
const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
/** Returns the SQL for the settlement amount, rounded down as in orders/position.ts, never in the merchant's favour. */
const inSettleCurrency = (amount: string) => `floor((${amount}) * o.settle_rate
  * power(10::numeric, (${decimals} ->> o.settle_currency)::int - (${decimals} ->> o.currency)::int))`
const converted = inSettleCurrency('o.settled_source')

/**
 * The time of the migration before which versions with the old rounding wrote to this database. Null if all migrations
 * were applied at the same instant, because no older version wrote to such a database. The old rounding was towards
 * zero, and to a tenth of an ariary (MGA) or ouguiya (MRU).
 */
const olderUntil = `(select applied_at from migrations where name = '0018_decimals.sql'
  and applied_at > (select min(applied_at) from migrations))`
/**
 * The largest difference, in minor units, that the old rounding caused. The difference stays, because later bookings of
 * such an order are differences of two conversions.
 */
const olderRounding = `case when o.settle_currency in ('MGA', 'MRU') then 10 else 1 end`

/**
 * True for an order of an older version in a currency whose decimals the migration changed. The stored parts and
 * entries of such an order were rescaled one by one, so they differ from the amounts that the order's terms give today.
 */
const isRescaled = `case when o.created_at < ${olderUntil}
  then o.currency in ('ETH', 'MGA', 'MRU') or o.settle_currency in ('ETH', 'MGA', 'MRU') end`

/** The fees and the costs of returns. Each cost leaves its account again, so only the credits of costs are summed. */
const charged = `${net(FEES)} + coalesce(sum(e.amount) filter (where e.credit = '${RETURN_COSTS}'), 0)`

/** The amount paid, without any surplus. */
const paidAmount = 'least(coalesce(o.received, o.amount), o.amount)'

/** The merchant's part of the amount paid, as at success. `settleAmount` is this part in the settlement currency. */
const part = `${paidAmount} - o.handling_fee - o.processing_fee - o.margin`
const settleAmount = `case when o.settle_rate is null then ${part} else ${inSettleCurrency(part)} end`

/** Reads the entries from the table, because the view ledger_entries needs nested loops, which are turned off. */
const entries = `
  select mer_no, subject, step as booking, at, unnest(steps) as step, unnest(debited) as debit,
    unnest(credited) as credit, currency, unnest(amounts) as amount
  from bookings where ${inSlice('mer_no', 'subject')}`

/**
 * The entries and orders of a slice, with the attempts and the history of these orders. The entries are summed before
 * the orders are joined, because an order has several entries and many columns. The expected conversion is null for
 * orders without a conversion.
 */
const sliceOrders = `
  slice_entries as materialized (${entries}),
  slice_attempts as materialized (
    select mer_no, trade_no, attempt_no, state, channel, channel_ref, created_at, decided_at
    from attempts where ${inSlice('mer_no', 'trade_no')}
  ),
  slice_events as materialized (
    select mer_no, trade_no, version, from_state, to_state, at
    from order_events where ${inSlice('mer_no', 'trade_no')}
  ),
  entry_sums as (
    select e.mer_no, e.subject, count(*) as entries, ${net(UNSETTLED)} as unsettled, ${net(MARGIN)} as margin,
      ${charged} as fees, ${net(AVAILABLE)} as available,
      coalesce(sum(e.amount) filter (where e.debit = '${MARGIN}' and e.credit = '${DISPUTED}'), 0) as disputed,
      count(*) filter (where e.step = 'payment') as payment_entries,
      coalesce(sum(e.amount) filter (where e.step = 'payment'), 0) as payment_amount
    from slice_entries e group by e.mer_no, e.subject
  ),
  exchange_sums as (
    select e.mer_no, e.subject, e.currency, ${net(EXCHANGE)} as exchange
    from slice_entries e where '${EXCHANGE}' in (e.debit, e.credit) group by e.mer_no, e.subject, e.currency
  ),
  slice_orders as materialized (
    select o.mer_no, o.trade_no, o.kind, o.state, o.version, coalesce(o.remainder, 0) as remainder, o.margin_held,
      o.currency, o.settle_currency, o.amount, o.created_at, o.decided_at, o.handling_fee, o.processing_fee, o.margin,
      o.fee_bps, o.fee_fixed, o.margin_bps, o.settle_days, o.margin_days, o.timezone,
      o.settled_source, o.settled_at, o.margin_released_at, o.refunded, o.refunds_open, o.charged_back,
      o.chargeback_state, o.exception_fees, o.margin_disputed, o.mer_order_no, o.received, o.needs_review, o.local_day,
      o.settle_rate, o.settle_amount, ${settleAmount} as settle_due, o.remainder is not null as has_remainder,
      o.created_at >= coalesce(${olderUntil}, '-infinity') as is_recent,
      o.method, o.notify_url, o.protest_notify_url, o.attempt_state, o.made_in,
      coalesce(o.handling_fee + o.processing_fee, 0) + o.exception_fees as fees,
      o.state in ${PAID} as is_paid, case when o.state in ${PAID} then ${paidAmount} else 0 end as paid,
      ${isForeign} as is_foreign, case when o.state in ${PAID} and ${isForeign} then ${converted} end as converted,
      case when o.created_at < ${olderUntil} then ${olderRounding} else 0 end as tolerated,
      coalesce(${isRescaled}, false) as is_rescaled,
      coalesce(e.entries, 0) as entries, coalesce(e.unsettled, 0) as e_unsettled, coalesce(e.margin, 0) as e_margin,
      coalesce(e.fees, 0) as e_fees, coalesce(e.disputed, 0) as e_disputed, coalesce(e.available, 0) as e_available,
      coalesce(x.exchange, 0) as e_exchange, coalesce(e.payment_entries, 0) as payment_entries,
      coalesce(e.payment_amount, 0) as payment_amount
    from orders o left join entry_sums e on e.mer_no = o.mer_no and e.subject = o.trade_no
    left join exchange_sums x on x.mer_no = o.mer_no and x.subject = o.trade_no and x.currency = o.currency
    where ${inSlice('o.mer_no', 'o.trade_no')}
  ),
  ${sliceCauses},
  ${sliceNotifications}`
