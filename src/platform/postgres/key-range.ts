// Ranges of rows by merchant and an id or subject. One range selects orders and their rows in several tables.

export type Border = { readonly merNo: number; readonly id: string }
export type KeyRange = { readonly from: Border; readonly before: Border }

/** A range of merchant numbers. Both ends are included. */
export type MerchantRange = { readonly first: number; readonly last: number }

const MAX_MER_NO = 10_000_000_000

export const firstBorder: Border = { merNo: 0, id: '' }
export const lastBorder: Border = { merNo: MAX_MER_NO, id: '' }

/** An SQL condition. `$1` to `$4` are the borders of the range. */
export function inKeyRange(merNo: string, id: string): string {
  return `((${merNo}, ${id}) >= ($1::bigint, $2::text) and (${merNo}, ${id}) < ($3::bigint, $4::text))`
}

export function keyRangeValues({ from, before }: KeyRange): unknown[] {
  return [from.merNo, from.id, before.merNo, before.id]
}
