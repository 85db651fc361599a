// How orders and attempts are named: by key in our tables, by reference at channels.
import { int4, int8, listOf, text } from '../postgres/lists.ts'

export type OrderKey = { readonly merNo: number; readonly tradeNo: string }
export type AttemptKey = OrderKey & { readonly attemptNo: number }

/** A list of orders for a statement, as its first parameters. */
export const orderKeys = listOf<OrderKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

export const attemptKeys = listOf<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
})

/** One reference for all retries of an attempt. It differs from the trade number, and contains it. */
export function attemptReference(tradeNo: string, attemptNo: number): string {
  return `A${tradeNo.slice(1)}${attemptNo}`
}

/** The same in SQL, of a row that has the attempt's key. */
export function referenceText(row: string): string {
  return `'A' || substr(${row}.trade_no, 2) || ${row}.attempt_no`
}

/** The attempt that a reference names; undefined when it cannot be one of ours. */
export function attemptOf(reference: string): { tradeNo: string; attemptNo: number } | undefined {
  const [, rest = '', attemptNo = ''] = /^A([0-9A-Z]{26})([1-9]\d?)$/.exec(reference) ?? []
  return rest === '' ? undefined : { tradeNo: `T${rest}`, attemptNo: Number(attemptNo) }
}
