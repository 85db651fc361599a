import { type Column, int8, listOf, text } from '../postgres/lists.ts'
import { PAYMENT, type RequestRow, SUCCESS } from './entry.ts'
import type { Payments } from './payments.ts'

/** One text for all values, which the statement splits: numbers of orders have no control characters. */
function joined(of: (row: RequestRow) => string | number | undefined): Column<Payments> {
  return text(({ rows }) => rows.map(of).join('\n'))
}

export const paymentRows = (first: number) =>
  listOf<Payments>(
    {
      mer_no: int8((one) => one.merNo),
      last_id: { type: 'text', of: (one) => one.lastId, cast: 'uuid' },
      request_ids: joined((row) => row.requestId),
      mer_order_nos: joined((row) => row.merOrderNo),
      trade_nos: joined((row) => row.tradeNo),
      durations_ms: joined((row) => row.durationMs),
      places: joined((row) => row.place),
    },
    first,
  )

const split = (name: string, type: string) => `string_to_array(${name}, e'\\n')::${type}[]`

/** Of the block $1. */
export function insertPaymentsText(rows: string): string {
  return `
    insert into request_log_payments
      (mer_no, last_id, block_id, request_ids, mer_order_nos, trade_nos, durations_ms, places)
    select mer_no, last_id, $1, ${split('request_ids', 'uuid')}, ${split('mer_order_nos', 'text')},
      ${split('trade_nos', 'text')}, ${split('durations_ms', 'integer')}, ${split('places', 'integer')}
    from ${rows}`
}

/** The rows of these groups one by one, with the columns of request_log. */
export function unpackedText(groups: string): string {
  return `
    select p.mer_no, r.request_id, '${PAYMENT}' as endpoint, '${SUCCESS}' as code, 200 as status, r.duration_ms,
      r.mer_order_no, r.trade_no, null::text as reason, null::bytea as sealed_sign, p.block_id, r.place
    from (${groups}) p cross join lateral unnest(p.request_ids, p.mer_order_nos, p.trade_nos, p.durations_ms, p.places)
      as r (request_id, mer_order_no, trade_no, duration_ms, place)`
}
