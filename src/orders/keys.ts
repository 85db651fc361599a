// Lists of orders as statements take them: one JSON document, so that one text and one plan serve a list of any length.

export type OrderKey = { readonly merNo: number; readonly tradeNo: string }

export function toKeys(keys: readonly OrderKey[]): string {
  return JSON.stringify(keys.map(({ merNo, tradeNo }) => ({ mer_no: merNo, trade_no: tradeNo })))
}

/** $1 as rows. */
export const keysText = 'json_to_recordset($1) as g (mer_no bigint, trade_no text)'
