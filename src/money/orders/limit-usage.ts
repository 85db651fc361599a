// Owns limit_usage: the used amount of each limit, in US cents.
//
// Invariant: the used amounts are exact. The rows are changed in key order and stay locked until the commit. A payment
// that succeeds late counts even if it exceeds a limit (`takeUnbounded`). All pay-ins of a merchant share one usage,
// and all payouts of the merchant share another. Merchant 0 stands for the platform, which has a usage for each limited
// method and for payouts.
import { Refusal } from '../../platform/errors/catalogue.ts'
import { demand, type Queryable, type Statement, type Tx } from '../../platform/postgres/db.ts'
import { int8, listOf, text } from '../../platform/postgres/lists.ts'
import type { Limits, Merchant } from '../merchants/merchant.ts'
import type { OrderKind } from './order.ts'
import type { PlatformLimits } from './platform-limits.ts'

/** `PAY_INS` and `PAYOUTS` are the values of `method` for a merchant's own usage, which counts all methods together. */
export const PAY_INS = ''
export const PAYOUTS = 'payout'

/** A limit that an order counts against. */
export type LimitTaken = {
  readonly merNo: number
  readonly method: string
  /** The period: a day (2026-11-15) or a month (2026-11). */
  readonly period: string
  readonly most: bigint
  readonly code: '10016' | '10017' | '10024' | '10025'
}

export function ownLimits(
  { merNo, limits }: Merchant,
  method: typeof PAY_INS | typeof PAYOUTS,
  day: string,
  usdValue: bigint,
): LimitTaken[] {
  const { single, daily, monthly } = configured(limits)
  if (usdValue > single) throw new Refusal('10023')
  return [
    { merNo, method, period: day, most: daily, code: '10024' },
    { merNo, method, period: day.slice(0, 7), most: monthly, code: '10025' },
  ]
}

function configured({ single, daily, monthly }: Limits) {
  if (single === undefined) throw new Refusal('10020')
  if (daily === undefined) throw new Refusal('10021')
  if (monthly === undefined) throw new Refusal('10022')
  return { single, daily, monthly }
}

/**
 * Returns the platform's limits that an order counts against. Only methods with a limit are counted, because counting
 * makes the orders of all merchants update the same row. Day and month are always counted together, so that a failed
 * order gives back exactly what it took.
 */
export function platformLimits(
  limits: PlatformLimits | undefined,
  method: string,
  day: string,
): LimitTaken[] {
  if (limits === undefined) return []
  const { daily = BOUNDLESS, monthly = BOUNDLESS } = limits
  return [
    { merNo: 0, method, period: day, most: daily, code: '10016' },
    { merNo: 0, method, period: day.slice(0, 7), most: monthly, code: '10017' },
  ]
}

const BOUNDLESS = 2n ** 62n

export type UsageKey = { readonly merNo: number; readonly method: string; readonly period: string }
export type Usage = UsageKey & { readonly used: bigint }

export function usageKey({ merNo, method, period }: UsageKey): string {
  return `${merNo} ${method} ${period}`
}

type Limited = { readonly limits: readonly LimitTaken[]; readonly usdValue: bigint }

/** Sums the amounts that new orders take from each limit. */
export function sumUsage(orders: readonly Limited[]): BoundedUsage[] {
  const sums = new Map<number, Sum[]>()
  for (const { limits, usdValue } of orders) {
    for (const limit of limits) {
      const known = sums.get(limit.merNo) ?? []
      if (known.length === 0) sums.set(limit.merNo, known)
      const sum = sumOf(known, limit)
      sum.used += usdValue
      if (limit.most < sum.most) sum.most = limit.most
    }
  }
  return [...sums.values()].flat()
}

type Sum = UsageKey & { used: bigint; most: bigint }

// Finds the sum of a limit, or adds one. A batch has few limits per merchant, so a linear search is cheaper than
// building a key for each order.
function sumOf(known: Sum[], { merNo, method, period, most }: LimitTaken): Sum {
  for (const sum of known) if (sum.period === period && sum.method === method) return sum
  const sum = { merNo, method, period, used: 0n, most }
  known.push(sum)
  return sum
}

export type Counted = {
  readonly merNo: number
  readonly kind: OrderKind
  readonly method: string
  readonly localDay: string
  readonly usdValue: bigint
  /**
   * True if the order took from the platform's limits. The order stores this value, because a limit may be set or
   * removed before the order fails, and the order must give back only what it took.
   */
  readonly platformLimited: boolean
}

/** Returns the usage of accepted orders, also of past days, for the caller to give back or to take again. */
export function usageOf(orders: readonly Counted[]): Usage[] {
  const sums = new Map<string, Usage>()
  for (const { merNo, kind, method, localDay, usdValue, platformLimited } of orders) {
    const isPayout = kind === 'payout'
    const owners = [{ merNo, method: isPayout ? PAYOUTS : PAY_INS }]
    if (platformLimited) owners.push({ merNo: 0, method: isPayout ? PAYOUTS : method })
    for (const owner of owners) {
      for (const period of [localDay, localDay.slice(0, 7)]) {
        const key = usageKey({ ...owner, period })
        sums.set(key, { ...owner, period, used: (sums.get(key)?.used ?? 0n) + usdValue })
      }
    }
  }
  return [...sums.values()]
}

/** Adds to the usage and returns the new values. If a limit is exceeded, the caller calls `giveBack` or rolls back. */
export async function takeUsage(tx: Tx, usages: readonly Usage[]): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ mer_no: bigint; method: string; period: string; used: bigint }>({
    name: 'usage.take',
    text: `${takeText} returning u.mer_no, u.method, u.period, u.used`,
    values: taken.values(inOrder(usages)),
  })
  return new Map(
    rows.map(({ mer_no, method, period, used }) => [
      usageKey({ merNo: Number(mer_no), method, period }),
      used,
    ]),
  )
}

/** Reads the usage without a lock, so the usage may change: only `takeUsage` and `takeWithin` decide. */
export async function readUsage(db: Queryable, { merNo, method, period }: UsageKey): Promise<bigint> {
  const [row] = await db.query<{ used: bigint }>({
    text: 'select used from limit_usage where mer_no = $1 and method = $2 and period = $3',
    values: [merNo, method, period],
  })
  return row?.used ?? 0n
}

export type BoundedUsage = Usage & { readonly most: bigint }

/** Returns a statement that adds to the usage, and fails if a limit would be exceeded or a period has no row yet. */
export function takeWithin(usages: readonly BoundedUsage[]): Statement {
  const values = [...bounded.values(inOrder(usages)), usages.length]
  return { name: 'usage.take-within', text: takeWithinText, values }
}

function inOrder<One extends UsageKey>(usages: readonly One[]): One[] {
  return [...usages].sort(
    (one, other) =>
      one.merNo - other.merNo || compare(one.method, other.method) || compare(one.period, other.period),
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

const usageColumns = {
  mer_no: int8((one: Usage) => one.merNo),
  method: text((one: Usage) => one.method),
  period: text((one: Usage) => one.period),
  used: int8((one: Usage) => one.used),
}
const taken = listOf<Usage>(usageColumns)
const bounded = listOf<BoundedUsage>({ ...usageColumns, most: int8((one) => one.most) })

const takeText = `
  insert into limit_usage as u (mer_no, method, period, used)
  select mer_no, method, period, used from ${taken.text}
  on conflict (mer_no, method, period) do update set used = u.used + excluded.used`

const takeWithinText = `
  with taken as (
    update limit_usage u set used = u.used + g.used from ${bounded.text}
    where u.mer_no = g.mer_no and u.method = g.method and u.period = g.period and u.used + g.used <= g.most
    returning 1
  )
  select ${demand(`count(*) = ${bounded.next}`)} from taken`

/** Returns a statement that adds to the usage without a check: an accepted late payment is never refused. */
export function takeUnbounded(usages: readonly Usage[]): Statement {
  return { name: 'usage.take-unbounded', text: takeText, values: taken.values(inOrder(usages)) }
}

export function giveBack(usages: readonly Usage[]): Statement {
  return { name: 'usage.return', text: returnText, values: taken.values(inOrder(usages)) }
}

const returnText = `
  with locked as (
    select u.mer_no, u.method, u.period, g.used
    from limit_usage u join ${taken.text} using (mer_no, method, period)
    order by u.mer_no, u.method, u.period
    for update of u
  )
  update limit_usage u set used = u.used - locked.used
  from locked
  where u.mer_no = locked.mer_no and u.method = locked.method and u.period = locked.period`
