// Maps an order's terms to columns. If the payer chose the method on our page, the attempt stores the terms of this
// method as JSON, under the names of the columns.
import { formatRate, parseRate, type Rate } from '../../platform/base/money.ts'
import { type Column, int4, int8, text } from '../../platform/postgres/lists.ts'
import type { Terms } from './order.ts'

export type TermColumns = {
  readonly fee_bps: number
  /** A bigint in a column, a string in JSON. */
  readonly fee_fixed: bigint | string
  readonly margin_bps: number
  readonly margin_days: number
  readonly settle_days: number
  readonly settle_currency: string
  readonly settle_rate?: string | null | undefined
}

/** Returns the columns of the terms, without `settle_rate`, which an insert and an update write differently. */
export function termLists<Row>(
  termsOf: (row: Row) => Terms | undefined,
): Readonly<Record<string, Column<Row>>> {
  return {
    fee_bps: int4((row) => termsOf(row)?.feeBps),
    fee_fixed: int8((row) => termsOf(row)?.feeFixed),
    margin_bps: int4((row) => termsOf(row)?.marginBps),
    margin_days: int4((row) => termsOf(row)?.marginDays),
    settle_days: int4((row) => termsOf(row)?.settleDays),
    settle_currency: text((row) => termsOf(row)?.settleCurrency),
  }
}

export function toTerms(row: TermColumns): Terms {
  return {
    feeBps: row.fee_bps,
    feeFixed: BigInt(row.fee_fixed),
    marginBps: row.margin_bps,
    marginDays: row.margin_days,
    settleDays: row.settle_days,
    settleCurrency: row.settle_currency,
    settleRate: toRate(row.settle_rate ?? null),
  }
}

export function toColumns(terms: Terms): TermColumns {
  return {
    fee_bps: terms.feeBps,
    fee_fixed: terms.feeFixed.toString(),
    margin_bps: terms.marginBps,
    margin_days: terms.marginDays,
    settle_days: terms.settleDays,
    settle_currency: terms.settleCurrency,
    settle_rate: terms.settleRate && formatRate(terms.settleRate),
  }
}

export function toRate(text: string | null): Rate | undefined {
  return text === null ? undefined : parseRate(text)
}
