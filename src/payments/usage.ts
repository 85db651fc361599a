// Owns limit_usage: what has been taken of the daily and monthly limits, in US cents.
// Rows are taken and given back in key order, and stay locked until the commit: that makes the limits exact.
import type { Tx } from '../base/db.ts'

export type UsageKey = { readonly merNo: number; readonly method: string; readonly period: string }
export type Usage = UsageKey & { readonly used: bigint }

export function usageKey({ merNo, method, period }: UsageKey): string {
  return `${merNo} ${method} ${period}`
}

/** Takes, and tells what is used by then: the caller gives back what went over. */
export async function takeUsage(tx: Tx, usages: readonly Usage[]): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ mer_no: bigint; method: string; period: string; used: bigint }>({
    name: 'usage.take',
    text: takeText,
    values: [toJson(usages)],
  })
  return new Map(
    rows.map(({ mer_no, method, period, used }) => [
      usageKey({ merNo: Number(mer_no), method, period }),
      used,
    ]),
  )
}

const takeText = `
  insert into limit_usage as u (mer_no, method, period, used)
  select mer_no, method, period, used
  from json_to_recordset($1) as g (mer_no bigint, method text, period text, used bigint)
  order by mer_no, method, period
  on conflict (mer_no, method, period) do update set used = u.used + excluded.used
  returning u.mer_no, u.method, u.period, u.used`

export async function returnUsage(tx: Tx, usages: readonly Usage[]): Promise<void> {
  await tx.query({ name: 'usage.return', text: returnText, values: [toJson(usages)] })
}

const returnText = `
  with given as (
    select mer_no, method, period, used
    from json_to_recordset($1) as g (mer_no bigint, method text, period text, used bigint)
  ), locked as (
    select u.mer_no, u.method, u.period, given.used
    from limit_usage u join given using (mer_no, method, period)
    order by u.mer_no, u.method, u.period
    for update of u
  )
  update limit_usage u set used = u.used - locked.used
  from locked
  where u.mer_no = locked.mer_no and u.method = locked.method and u.period = locked.period`

function toJson(usages: readonly Usage[]): string {
  return JSON.stringify(
    usages.map(({ merNo, method, period, used }) => ({
      mer_no: merNo,
      method,
      period,
      used: used.toString(),
    })),
  )
}
