import { inKeyOrder, type Tx } from '../postgres/db.ts'
import {
  type Border,
  firstBorder,
  type KeyRange,
  keyRangeValues,
  lastBorder,
  type MerchantRange,
} from '../postgres/key-range.ts'
import type { Check, Finding } from './check.ts'
import { type OrderSum, orderSums, orderSumsText } from './checks/order-sums.ts'
import { sliceOrders } from './checks/slice-orders.ts'

/** Maximum findings of a check in one query. */
const MAX_FINDINGS = 100

/**
 * Uses one core at most; the others are for payments. Joins never loop: in a young database, whose statistics lag behind its
 * growth, the planner takes a slice for a few rows and would compare each of its orders with all others, for minutes.
 */
export async function takeSnapshot(tx: Tx): Promise<void> {
  await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
  await tx.query({ text: inKeyOrder })
  await tx.query({
    text: `set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0; set local enable_nestloop = off`,
  })
}

/** Together they cover every possible key: rows of an unknown merchant or order are findings too. */
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

/** All of them in one statement: it reads the slice once. */
export function checkSlice(tx: Tx, checks: readonly Check[], slice: KeyRange): Promise<Finding[]> {
  return find(tx, `with ${sliceOrders} ${checks.map(brokenRows).join(' union all ')}`, keyRangeValues(slice))
}

export function checkSums(
  tx: Tx,
  check: Check,
  { first, last }: MerchantRange,
  sums: readonly OrderSum[],
): Promise<Finding[]> {
  return find(tx, brokenRows(check), [first, last, ...orderSums.values(sums)])
}

function brokenRows({ name, text }: Check): string {
  return `(select '${name}' as rule, * from (${text}) broken order by mer_no, subject limit ${MAX_FINDINGS})`
}

async function find(tx: Tx, text: string, values: readonly unknown[]): Promise<Finding[]> {
  const rows = await tx.query<FindingRow>({ text, values })
  return rows.map(({ rule, mer_no, subject, found, expected }) => {
    return { check: rule, merNo: Number(mer_no), subject, found, expected }
  })
}

export function selectOrderSums(tx: Tx, slice: KeyRange): Promise<OrderSum[]> {
  return tx.query<OrderSum>({ text: orderSumsText, values: keyRangeValues(slice) })
}

/** Whether another session runs a statement in this database. Within a transaction the view is cached, so that is cleared first. */
export async function isBusy(tx: Tx): Promise<boolean> {
  await tx.query({ text: 'select pg_stat_clear_snapshot()' })
  const rows = await tx.query({
    text: `
      select pid from pg_stat_activity
      where datname = current_database() and state = 'active' and backend_type = 'client backend'
        and pid <> pg_backend_pid()
      limit 1`,
  })
  return rows.length > 0
}

export async function countMerchants(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ merchants: bigint }>({ text: 'select count(*) as merchants from merchants' })
  return Number(row?.merchants ?? 0)
}

export type Corrections = { readonly count: number; readonly latest: readonly CorrectionLine[] }

export type CorrectionLine = {
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

/** From the audit log, which has one line for each correcting entry. */
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
