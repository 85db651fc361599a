// A range of rows by the first two columns of their key: the merchant, and an id or a subject. Tables with such keys can be read
// in step: the same range selects an order and all rows that belong to it.

export type Border = { readonly merNo: number; readonly id: string }
export type KeyRange = { readonly from: Border; readonly before: Border }

/** Both included. */
export type MerchantRange = { readonly first: number; readonly last: number }

/** Above every merchant number. */
const MAX_MER_NO = 10_000_000_000

export const firstBorder: Border = { merNo: 0, id: '' }
export const lastBorder: Border = { merNo: MAX_MER_NO, id: '' }

/** Selects the rows of a range; `$1` to `$4` are its borders. */
export function inKeyRange(merNo: string, id: string): string {
  return `((${merNo}, ${id}) >= ($1::bigint, $2::text) and (${merNo}, ${id}) < ($3::bigint, $4::text))`
}

export function keyRangeValues({ from, before }: KeyRange): unknown[] {
  return [from.merNo, from.id, before.merNo, before.id]
}
