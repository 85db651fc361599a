// Ranges of rows by the first two columns of their key: the merchant, and an id or a subject. Several such tables can
// be read by the same ranges, because a range selects an order with all rows that belong to it.

export type Border = { readonly merNo: number; readonly id: string }
export type KeyRange = { readonly from: Border; readonly before: Border }

/** A range of merchant numbers, both ends included. */
export type MerchantRange = { readonly first: number; readonly last: number }

/** A number above every merchant number. */
const MAX_MER_NO = 10_000_000_000

export const firstBorder: Border = { merNo: 0, id: '' }
export const lastBorder: Border = { merNo: MAX_MER_NO, id: '' }

/** Returns an SQL condition that holds for the rows in a range. `$1` to `$4` are the borders of the range. */
export function inKeyRange(merNo: string, id: string): string {
  return `((${merNo}, ${id}) >= ($1::bigint, $2::text) and (${merNo}, ${id}) < ($3::bigint, $4::text))`
}

export function keyRangeValues({ from, before }: KeyRange): unknown[] {
  return [from.merNo, from.id, before.merNo, before.id]
}
