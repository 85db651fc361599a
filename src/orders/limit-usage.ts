// Owns limit_usage: what has been taken of the daily and monthly limits, in US cents.
// Rows are taken and given back in key order, and stay locked until the commit: that makes the limits exact.
import { demand, type Statement, type Tx } from '../postgres/db.ts'
import { given, int8, text } from '../postgres/lists.ts'

export type UsageKey = { readonly merNo: number; readonly method: string; readonly period: string }
export type Usage = UsageKey & { readonly used: bigint }

export function usageKey({ merNo, method, period }: UsageKey): string {
  return `${merNo} ${method} ${period}`
}

/** Takes, and tells what is used by then: the caller gives back what went over. */
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

export type BoundedUsage = Usage & { readonly most: bigint }

/** Takes, and fails when one goes over its bound or is the first of its period. */
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
const taken = given<Usage>(usageColumns)
const bounded = given<BoundedUsage>({ ...usageColumns, most: int8((one) => one.most) })

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

export async function returnUsage(tx: Tx, usages: readonly Usage[]): Promise<void> {
  await tx.query(giveBack(usages))
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
